#include <linkwork/joints/free.hpp>

namespace linkwork {

namespace {

/// Where the position starts in q, and the linear part in v.
template <class Space>
constexpr int position_in_q = Attitude<Space>::coordinates;

template <class Space>
Angular<Space> angular_part(const double* v) {
  if constexpr (Space::dimension == 2)
    return v[0];
  else
    return Eigen::Vector3d::Map(v);
}

}  // namespace

template <class Space>
void Free<Space>::do_pose(double, const double* q, Pose<Space>& X) const {
  Attitude<Space>::read(q, X);
  X.position = Vector<Space>::Map(q + position_in_q<Space>);
}

template <class Space>
void Free<Space>::do_home(double* q) const {
  Attitude<Space>::home(q);
  Vector<Space>::Map(q + position_in_q<Space>).setZero();
}

template <class Space>
void Free<Space>::do_retract(const double* q, const double* step, double* q_new) const {
  Attitude<Space>::retract(q, step, q_new);
  for (int i = 0; i < Space::dimension; ++i)
    q_new[position_in_q<Space> + i] = q[position_in_q<Space> + i] + step[Space::angular + i];
}

template <class Space>
void Free<Space>::do_motion(double time, const double* q, JointMotion<Space>& out) const {
  do_pose(time, q, out.X);
  out.S.setIdentity(Space::n, Space::n);
  out.S.template bottomRightCorner<Space::dimension, Space::dimension>() = out.X.rotation.transpose();
  out.drift.setZero();
}

template <class Space>
void Free<Space>::do_motion_bias(double, const double* q, const double* v, Components<Space>& bias) const {
  Pose<Space> X;
  Attitude<Space>::read(q, X);
  const Vector<Space> linear = X.rotation.transpose() * Vector<Space>::Map(v + Space::angular);
  bias.setZero();
  bias.template tail<Space::dimension>() = -cross(angular_part<Space>(v), linear);
}

template <class Space>
void Free<Space>::do_rate(const double* q, const double* v, double* q_rate) const {
  Attitude<Space>::rate(q, v, q_rate);
  Vector<Space>::Map(q_rate + position_in_q<Space>) = Vector<Space>::Map(v + Space::angular);
}

template <class Space>
void Free<Space>::do_locate(double, const Pose<Space>& X, double* q) const {
  Attitude<Space>::locate(X, q);
  Vector<Space>::Map(q + position_in_q<Space>) = X.position;
}

template <class Space>
std::optional<ConstantMotion<Space>> FreeTranslation<Space>::constant_motion() const {
  ConstantMotion<Space> out;
  out.S.setZero(Space::n, Space::dimension);
  out.S.template bottomRows<Space::dimension>().setIdentity();
  return out;
}

template <class Space>
void FreeTranslation<Space>::do_pose(double, const double* q, Pose<Space>& X) const {
  X.position = Vector<Space>::Map(q);
}

template <class Space>
void FreeTranslation<Space>::do_locate(double, const Pose<Space>& X, double* q) const {
  Vector<Space>::Map(q) = X.position;
}

template class Free<Planar>;
template class Free<Spatial>;
template class FreeTranslation<Planar>;
template class FreeTranslation<Spatial>;

}  // namespace linkwork
