#include <linkwork/joints/measures.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork::measures {

void Turn<Planar>::add_rows(const Motion<Planar>&, int father, int son, double factor, int row,
                            ConstraintRows<Planar>& out) const {
  out.add(row, son, factor, Eigen::Vector2d::Zero());
  out.add(row, father, -factor, Eigen::Vector2d::Zero());
}

/// With (w, v) the quaternion of the son from zero and s = axis . v, the angle is 2 atan2(s, w), and its rate is
///   N . omega / D,   N = w^2 axis + w axis x v + s v,   D = w^2 + s^2
/// with omega the son's angular velocity in the father, in the son's axes.
struct Turn<Spatial>::SwingAndTwist {
  double w, s;
  Eigen::Vector3d v, N;
  double D;
};

auto Turn<Spatial>::parts(const Motion<Spatial>& m, int father, int son) const -> SwingAndTwist {
  constexpr double smallest = 1e-12;  // keeps rows finite where no angle is left
  const Eigen::Matrix3d turned = (m.frame(father).pose.rotation * zero_).transpose() * m.frame(son).pose.rotation;
  const Eigen::Quaterniond q(turned);
  SwingAndTwist out;
  out.w = q.w();
  out.v = q.vec();
  out.s = axis_.dot(out.v);
  out.N = out.w * (out.w * axis_ + axis_.cross(out.v)) + out.s * out.v;
  out.D = std::max(out.w * out.w + out.s * out.s, smallest);
  return out;
}

double Turn<Spatial>::value(const Motion<Spatial>& m, int father, int son) const {
  const SwingAndTwist at = parts(m, father, son);
  return 2 * std::atan2(at.s, at.w);
}

void Turn<Spatial>::add_rows(const Motion<Spatial>& m, int father, int son, double factor, int row,
                             ConstraintRows<Spatial>& out) const {
  const SwingAndTwist at = parts(m, father, son);
  const Eigen::Vector3d angular = m.frame(son).pose.rotation * ((factor / at.D) * at.N);
  out.add(row, son, angular, Eigen::Vector3d::Zero());
  out.add(row, father, -angular, Eigen::Vector3d::Zero());
}

double Turn<Spatial>::drift(const Motion<Spatial>& m, int father, int son) const {
  const SwingAndTwist at = parts(m, father, son);
  const Eigen::Matrix3d& axes = m.frame(son).pose.rotation;
  const Eigen::Vector3d &omega_father = m.frame(father).velocity.angular, &omega_son = m.frame(son).velocity.angular;
  const Eigen::Vector3d omega = axes.transpose() * (omega_son - omega_father);
  const Eigen::Vector3d omega_rate = axes.transpose() * omega_son.cross(omega_father);
  const double w_rate = -0.5 * at.v.dot(omega);
  const Eigen::Vector3d v_rate = 0.5 * (at.w * omega + at.v.cross(omega));
  const double s_rate = axis_.dot(v_rate);
  const Eigen::Vector3d N_rate = 2 * at.w * w_rate * axis_ + w_rate * axis_.cross(at.v) + at.w * axis_.cross(v_rate) +
                                 s_rate * at.v + at.s * v_rate;
  const double D_rate = 2 * (at.w * w_rate + at.s * s_rate);
  return (N_rate.dot(omega) + at.N.dot(omega_rate) - D_rate / at.D * at.N.dot(omega)) / at.D;
}

template <class Space>
double Travel<Space>::value(const Motion<Space>& m, int father, int son) const {
  const Vector<Space> d = m.frame(son).pose.position - m.frame(father).pose.position;
  return (m.frame(father).pose.rotation * direction_).dot(d) - zero_;
}

template <class Space>
void Travel<Space>::add_rows(const Motion<Space>& m, int father, int son, double factor, int row,
                             ConstraintRows<Space>& out) const {
  const Vector<Space> d = m.frame(son).pose.position - m.frame(father).pose.position;
  const Vector<Space> direction = factor * (m.frame(father).pose.rotation * direction_);
  out.add_linear(row, son, direction);
  out.add(row, father, cross(direction, d), -direction);
}

template <class Space>
double Travel<Space>::drift(const Motion<Space>& m, int father, int son) const {
  const FrameMotion<Space>&from = m.frame(father), &to = m.frame(son);
  const Vector<Space> d = to.pose.position - from.pose.position, d_rate = to.velocity.linear - from.velocity.linear;
  const Vector<Space> direction_rate = cross(from.velocity.angular, Vector<Space>(from.pose.rotation * direction_));
  return 2 * direction_rate.dot(d_rate) + cross(from.velocity.angular, direction_rate).dot(d);
}

template class Travel<Planar>;
template class Travel<Spatial>;

}  // namespace linkwork::measures
