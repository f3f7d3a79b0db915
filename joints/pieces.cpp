#include <linkwork/joints/pieces.hpp>

#include <linkwork/core/checks.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwork::pieces {

namespace {

/// Below this, 1 + cos(theta) no longer tells a direction in which to turn.
constexpr double nearly_opposite = 1e-12;
/// 2 tan(theta / 2) about there.
constexpr double opposite_residual = 2e6;

template <class Space>
Vector<Space> distance(const Motion<Space>& m) {
  return m.frame(1).pose.position - m.frame(0).pose.position;
}
template <class Space>
Angular<Space> relative_angular_velocity(const Motion<Space>& m) {
  return m.frame(1).velocity.angular - m.frame(0).velocity.angular;
}
/// A row that acts on omega = omega_son - omega_father.
void add_relative(int row, const Eigen::Vector3d& angular, ConstraintRows<Spatial>& out) {
  out.add(row, 1, angular, Eigen::Vector3d::Zero());
  out.add(row, 0, -angular, Eigen::Vector3d::Zero());
}

/// Where an orientation shall be: the prescribed turn of the son in the father, and how fast it changes.
template <class Space>
struct Target;
template <>
struct Target<Planar> {
  double turn = 0, rate = 0, acceleration = 0;
};
template <>
struct Target<Spatial> {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Eigen::Vector3d rate = Eigen::Vector3d::Zero(), acceleration = Eigen::Vector3d::Zero();  // father's axes
};
template <class Space>
Target<Space> turned_target(const Axis& axis, const InputValue& angle) {
  if constexpr (Space::dimension == 2)
    return {angle.value, angle.rate, angle.acceleration};
  else
    return {Eigen::AngleAxisd(angle.value, axis.direction()).toRotationMatrix(), angle.rate * axis.direction(),
            angle.acceleration * axis.direction()};
}

void orientation_residual(const Motion<Planar>& m, const Target<Planar>& target, double* g) {
  g[0] = std::remainder(m.frame(1).pose.angle - m.frame(0).pose.angle - target.turn, 2 * std::numbers::pi);
}
void orientation_rows(const Motion<Planar>&, const Target<Planar>& target, int first, ConstraintRows<Planar>& out) {
  out.add(first, 1, 1.0, Eigen::Vector2d::Zero());
  out.add(first, 0, -1.0, Eigen::Vector2d::Zero());
  out.rate(first) = -target.rate;
}
void orientation_bias(const Motion<Planar>&, const Target<Planar>& target, double* bias) {
  bias[0] = target.acceleration;
}

Eigen::Vector3d half_tangents(const Motion<Spatial>& m, const Target<Spatial>& target) {
  const Eigen::Matrix3d E = (m.frame(0).pose.rotation * target.turn).transpose() * m.frame(1).pose.rotation;
  const double opening = 1 + E.trace();  // 2 (1 + cos(theta))
  if (opening < nearly_opposite) return {opposite_residual, 0, 0};
  return Eigen::Vector3d(E(2, 1) - E(1, 2), E(0, 2) - E(2, 0), E(1, 0) - E(0, 1)) * (2 / opening);
}

/// (1 + [g]x / 2 + g g^T / 4) x
Eigen::Vector3d rate_of_residual(const Eigen::Vector3d& g, const Eigen::Vector3d& x) {
  return x + 0.5 * g.cross(x) + 0.25 * g.dot(x) * g;
}

void orientation_residual(const Motion<Spatial>& m, const Target<Spatial>& target, double* g) {
  Eigen::Map<Eigen::Vector3d> out(g);
  out = half_tangents(m, target);
}

void orientation_rows(const Motion<Spatial>& m, const Target<Spatial>& target, int first,
                      ConstraintRows<Spatial>& out) {
  const Eigen::Vector3d g = half_tangents(m, target);
  const Eigen::Matrix3d& son = m.frame(1).pose.rotation;
  const Eigen::Vector3d target_rate = m.frame(0).pose.rotation * target.rate;
  for (int i = 0; i < 3; ++i) {
    // A row of the matrix in rate_of_residual is its transpose applied to a unit vector, which turns the cross product.
    const Eigen::Vector3d row = son * rate_of_residual(-g, Eigen::Vector3d::Unit(i));
    add_relative(first + i, row, out);
    out.rate(first + i) = -row.dot(target_rate);
  }
}

void orientation_bias(const Motion<Spatial>& m, const Target<Spatial>& target, double* bias) {
  const Eigen::Matrix3d &father = m.frame(0).pose.rotation, &son = m.frame(1).pose.rotation;
  const Eigen::Vector3d &omega_father = m.frame(0).velocity.angular, &omega_son = m.frame(1).velocity.angular;
  const Eigen::Vector3d target_rate = father * target.rate;
  const Eigen::Vector3d relative = omega_son - omega_father - target_rate;  // to the target
  // Derivative of relative, seen from the son, without the accelerations of the frames.
  const Eigen::Vector3d drift =
      -omega_son.cross(relative) - omega_father.cross(target_rate) - father * target.acceleration;
  const Eigen::Vector3d g = half_tangents(m, target);
  const Eigen::Vector3d x = son.transpose() * relative, x_drift = son.transpose() * drift;
  const Eigen::Vector3d g_rate = rate_of_residual(g, x);
  Eigen::Map<Eigen::Vector3d> out(bias);
  out = -(rate_of_residual(g, x_drift) + 0.5 * g_rate.cross(x) + 0.25 * (g_rate.dot(x) * g + g.dot(x) * g_rate));
}

}  // namespace

Eigen::Vector2d direction_in_plane(const Axis& axis, std::string_view element) {
  const Eigen::Vector3d& direction = axis.direction();
  if (std::abs(direction.z()) > 1e-12)
    throw ModelError(concat(element, ": the axis (", direction.transpose(),
                            ") leaves the plane of a planar model; expected z = 0, give an axis such as Axis::x()."));
  return direction.head<2>().normalized();
}

Input checked(Input input, std::string_view element, const char* quantity) {
  detail::check_given(element, quantity, input);
  return input;
}

// CommonOrigin -------------------------------------------------------------------------------------------------------

template <class Space>
void CommonOrigin<Space>::residual(const Motion<Space>& m, double* g) const {
  Eigen::Map<Vector<Space>> out(g);
  out = distance(m);
}
template <class Space>
void CommonOrigin<Space>::rows(const Motion<Space>&, int first, ConstraintRows<Space>& out) const {
  for (int i = 0; i < count; ++i) {
    out.add_linear(first + i, 1, Vector<Space>::Unit(i));
    out.add_linear(first + i, 0, -Vector<Space>::Unit(i));
  }
}
template <class Space>
void CommonOrigin<Space>::bias(const Motion<Space>&, double* bias) const {
  for (int i = 0; i < count; ++i) bias[i] = 0;
}

// NoTravel -----------------------------------------------------------------------------------------------------------

template <class Space, int directions>
void NoTravel<Space, directions>::residual(const Motion<Space>& m, double* g) const {
  const Vector<Space> in_father = m.frame(0).pose.rotation.transpose() * distance(m);
  for (int i = 0; i < count; ++i) g[i] = fixed_[static_cast<std::size_t>(i)].dot(in_father);
}
template <class Space, int directions>
void NoTravel<Space, directions>::rows(const Motion<Space>& m, int first, ConstraintRows<Space>& out) const {
  for (int i = 0; i < count; ++i) {
    const Vector<Space> b = m.frame(0).pose.rotation * fixed_[static_cast<std::size_t>(i)];
    out.add_linear(first + i, 1, b);
    out.add(first + i, 0, cross(b, distance(m)), -b);
  }
}
template <class Space, int directions>
void NoTravel<Space, directions>::bias(const Motion<Space>& m, double* bias) const {
  const Angular<Space>& omega_father = m.frame(0).velocity.angular;
  const Vector<Space> d = distance(m), d_rate = m.frame(1).velocity.linear - m.frame(0).velocity.linear;
  for (int i = 0; i < count; ++i) {
    const Vector<Space> b = m.frame(0).pose.rotation * fixed_[static_cast<std::size_t>(i)];
    const Vector<Space> b_rate = cross(omega_father, b), b_drift = cross(omega_father, b_rate);
    bias[i] = -2 * b_rate.dot(d_rate) - b_drift.dot(d);
  }
}

// Travel and turn ----------------------------------------------------------------------------------------------------

template <class Space>
void DrivenTravel<Space>::residual(const Motion<Space>& m, double* g) const {
  g[0] = travel_.value(m, 0, 1) - displacement_(m.time()).value;
}
template <class Space>
void DrivenTravel<Space>::rows(const Motion<Space>& m, int first, ConstraintRows<Space>& out) const {
  travel_.add_rows(m, 0, 1, 1.0, first, out);
  out.rate(first) = -displacement_(m.time()).rate;
}
template <class Space>
void DrivenTravel<Space>::bias(const Motion<Space>& m, double* bias) const {
  bias[0] = displacement_(m.time()).acceleration - travel_.drift(m, 0, 1);
}

void Threaded::residual(const Motion<Spatial>& m, double* g) const {
  g[0] = pitch_ * std::remainder(travel_.value(m, 0, 1) / pitch_ - turn_.value(m, 0, 1), 2 * std::numbers::pi);
}
void Threaded::rows(const Motion<Spatial>& m, int first, ConstraintRows<Spatial>& out) const {
  travel_.add_rows(m, 0, 1, 1.0, first, out);
  turn_.add_rows(m, 0, 1, -pitch_, first, out);
}
void Threaded::bias(const Motion<Spatial>& m, double* bias) const {
  bias[0] = pitch_ * turn_.drift(m, 0, 1) - travel_.drift(m, 0, 1);
}

void NoTwist::residual(const Motion<Spatial>& m, double* g) const {
  g[0] = std::remainder(turn_.value(m, 0, 1), 2 * std::numbers::pi);
}
void NoTwist::rows(const Motion<Spatial>& m, int first, ConstraintRows<Spatial>& out) const {
  turn_.add_rows(m, 0, 1, 1.0, first, out);
}
void NoTwist::bias(const Motion<Spatial>& m, double* bias) const { bias[0] = -turn_.drift(m, 0, 1); }

// ParallelAxes -------------------------------------------------------------------------------------------------------

struct ParallelAxes::Geometry {
  Eigen::Vector3d a, z;  ///< the axis in son and father
  double u = 1;          ///< 2 / (1 + a . z)
  Eigen::Vector2d g;
  Eigen::Vector3d k[2];  ///< row i = u a x k_i, with k_i = b_i - g_i z / 2
};

ParallelAxes::Geometry ParallelAxes::geometry(const Motion<Spatial>& m) const {
  Geometry out;
  const Eigen::Matrix3d father = m.frame(0).pose.rotation * frame_;
  out.a = m.frame(1).pose.rotation * frame_.col(2);
  out.z = father.col(2);
  const double opening = 1 + out.a.dot(out.z);
  out.u = 2 / std::max(opening, nearly_opposite);
  out.g = out.u * (father.leftCols<2>().transpose() * out.a);
  if (opening < nearly_opposite) out.g = {opposite_residual, 0};
  for (int i = 0; i < 2; ++i) out.k[i] = father.col(i) - 0.5 * out.g[i] * out.z;
  return out;
}

void ParallelAxes::residual(const Motion<Spatial>& m, double* g) const {
  Eigen::Map<Eigen::Vector2d> out(g);
  out = geometry(m).g;
}
void ParallelAxes::rows(const Motion<Spatial>& m, int first, ConstraintRows<Spatial>& out) const {
  const Geometry at = geometry(m);
  for (int i = 0; i < 2; ++i) add_relative(first + i, at.u * at.a.cross(at.k[i]), out);
}
void ParallelAxes::bias(const Motion<Spatial>& m, double* bias) const {
  const Geometry at = geometry(m);
  const Eigen::Vector3d omega = relative_angular_velocity(m);
  const Eigen::Vector3d a_rate = m.frame(1).velocity.angular.cross(at.a);
  const double u_rate = -0.5 * at.u * at.u * omega.dot(at.a.cross(at.z));
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector3d row = at.a.cross(at.k[i]);
    const double g_rate = at.u * row.dot(omega);
    const Eigen::Vector3d k_rate = m.frame(0).velocity.angular.cross(at.k[i]) - 0.5 * g_rate * at.z;
    bias[i] = -(u_rate * row + at.u * (a_rate.cross(at.k[i]) + at.a.cross(k_rate))).dot(omega);
  }
}

// PerpendicularAxes --------------------------------------------------------------------------------------------------

void PerpendicularAxes::residual(const Motion<Spatial>& m, double* g) const {
  g[0] = (m.frame(0).pose.rotation * in_father_).dot(m.frame(1).pose.rotation * in_son_);
}
void PerpendicularAxes::rows(const Motion<Spatial>& m, int first, ConstraintRows<Spatial>& out) const {
  const Eigen::Vector3d in_father = m.frame(0).pose.rotation * in_father_;
  const Eigen::Vector3d in_son = m.frame(1).pose.rotation * in_son_;
  add_relative(first, in_son.cross(in_father), out);
}
void PerpendicularAxes::bias(const Motion<Spatial>& m, double* bias) const {
  const Eigen::Vector3d in_father = m.frame(0).pose.rotation * in_father_;
  const Eigen::Vector3d in_son = m.frame(1).pose.rotation * in_son_;
  const Eigen::Vector3d father_rate = m.frame(0).velocity.angular.cross(in_father);
  const Eigen::Vector3d son_rate = m.frame(1).velocity.angular.cross(in_son);
  bias[0] = -(son_rate.cross(in_father) + in_son.cross(father_rate)).dot(relative_angular_velocity(m));
}

// Orientation --------------------------------------------------------------------------------------------------------

template <class Space>
void SameOrientation<Space>::residual(const Motion<Space>& m, double* g) const {
  orientation_residual(m, Target<Space>{}, g);
}
template <class Space>
void SameOrientation<Space>::rows(const Motion<Space>& m, int first, ConstraintRows<Space>& out) const {
  orientation_rows(m, Target<Space>{}, first, out);
}
template <class Space>
void SameOrientation<Space>::bias(const Motion<Space>& m, double* bias) const {
  orientation_bias(m, Target<Space>{}, bias);
}

template <class Space>
void DrivenOrientation<Space>::residual(const Motion<Space>& m, double* g) const {
  orientation_residual(m, turned_target<Space>(axis_, angle_(m.time())), g);
}
template <class Space>
void DrivenOrientation<Space>::rows(const Motion<Space>& m, int first, ConstraintRows<Space>& out) const {
  orientation_rows(m, turned_target<Space>(axis_, angle_(m.time())), first, out);
}
template <class Space>
void DrivenOrientation<Space>::bias(const Motion<Space>& m, double* bias) const {
  orientation_bias(m, turned_target<Space>(axis_, angle_(m.time())), bias);
}

template class CommonOrigin<Planar>;
template class CommonOrigin<Spatial>;
template class NoTravel<Planar, 1>;
template class NoTravel<Spatial, 1>;
template class NoTravel<Spatial, 2>;
template class DrivenTravel<Planar>;
template class DrivenTravel<Spatial>;
template class SameOrientation<Planar>;
template class SameOrientation<Spatial>;
template class DrivenOrientation<Planar>;
template class DrivenOrientation<Spatial>;

}  // namespace linkwork::pieces
