#include <linkwork/joints/joint_coordinate.hpp>

#include <linkwork/core/pose.hpp>
#include <linkwork/joints/angles.hpp>

#include <numbers>

namespace linkwork {

namespace {

template <class Space>
Angular<Space> angular_part(const Components<Space>& twist) {
  if constexpr (Space::dimension == 2)
    return twist[0];
  else
    return twist.template head<3>();
}

template <class Space>
Components<Space> in_axes(const Rotation<Space>& axes, const Angular<Space>& angular, const Vector<Space>& linear) {
  Components<Space> out;
  if constexpr (Space::dimension == 2)
    out << angular, axes.transpose() * linear;
  else
    out << axes.transpose() * angular, axes.transpose() * linear;
  return out;
}

/// The twist of the son in the father, in the son's axes, and the derivative of its components without the frames'
/// accelerations.
template <class Space>
Components<Space> relative_twist(const Motion<Space>& m, int father) {
  const FrameMotion<Space>&from = m.frame(father), &to = m.frame(father + 1);
  const Vector<Space> arm = to.pose.position - from.pose.position;
  return in_axes<Space>(to.pose.rotation, to.velocity.angular - from.velocity.angular,
                        to.velocity.linear - from.velocity.linear - cross(from.velocity.angular, arm));
}
template <class Space>
Components<Space> relative_twist_drift(const Motion<Space>& m, int father) {
  const FrameMotion<Space>&from = m.frame(father), &to = m.frame(father + 1);
  const Vector<Space> arm = to.pose.position - from.pose.position;
  const Vector<Space> arm_rate = to.velocity.linear - from.velocity.linear;
  const Vector<Space> linear = arm_rate - cross(from.velocity.angular, arm);
  Angular<Space> angular = zero_angular<Space>();
  if constexpr (Space::dimension == 3) angular = to.velocity.angular.cross(from.velocity.angular);
  return in_axes<Space>(to.pose.rotation, angular,
                        -cross(to.velocity.angular, linear) - cross(from.velocity.angular, arm_rate));
}

/// The nearest coordinate, and how it depends on the twist of the son in the father, in the son's axes.
template <class Space>
struct Nearest {
  double q;
  Components<Space> row;
  double drift;  ///< rate of the twist along the row that is no motion of the coordinate
};
template <class Space>
Nearest<Space> nearest(const Joint<Space>& joint, const Motion<Space>& m, int father, double guess) {
  Nearest<Space> out{guess, {}, 0};
  joint.locate(m.time(), relative_pose(m.frame(father).pose, m.frame(father + 1).pose), &out.q);
  JointMotion<Space> motion;
  joint.motion(m.time(), &out.q, motion);
  out.row = motion.S.col(0) / motion.S.col(0).squaredNorm();
  out.drift = out.row.dot(motion.drift);
  return out;
}

}  // namespace

template <class Space>
JointCoordinate<Space>::JointCoordinate(const Joint<Space>& joint) : measure_(Located{&joint}) {
  constexpr int dimension = Space::dimension;
  const std::optional<ConstantMotion<Space>> constant = joint.constant_motion();
  if (!constant) {
    double home = 0;
    joint.home(&home);
    JointMotion<Space> motion;
    joint.motion(0, &home, motion);
    const double speed = motion.S.col(0).template head<Space::angular>().norm();
    is_angular_ = speed > 1e-9;
    if (is_angular_ && dimension == 3) period_ = 2 * std::numbers::pi / speed;
    return;
  }
  const Components<Space> twist = constant->S.col(0);
  const double speed = twist.template head<Space::angular>().norm();
  is_angular_ = speed > 0;
  if (!is_angular_) {
    const Vector<Space> linear = constant->X.rotation * twist.template tail<dimension>();
    const Vector<Space> direction = linear / linear.squaredNorm();
    measure_ = Travel(direction, direction.dot(constant->X.position));
  } else if constexpr (dimension == 2) {
    measure_ = Turn(constant->X.angle);
    per_turn_ = 1 / twist[0];
  } else {
    measure_ = Turn(twist.template head<3>() / speed, constant->X.rotation);
    per_turn_ = 1 / speed;
    period_ = 2 * std::numbers::pi / speed;
  }
}

template <class Space>
RowUse JointCoordinate<Space>::use(int frame) const {
  if (std::holds_alternative<Turn>(measure_)) return Turn::use(frame);
  if (std::holds_alternative<Travel>(measure_)) return Travel::use(frame);
  return {};
}

template <class Space>
double JointCoordinate<Space>::value(const Motion<Space>& m, int father, double guess) const {
  if (const Turn* turn = std::get_if<Turn>(&measure_)) {
    const double angle = turn->value(m, father, father + 1);
    if constexpr (Space::dimension == 2)
      return per_turn_ * angle;  // it counts turns itself
    else
      return per_turn_ * nearest_turn(angle, guess / per_turn_);
  }
  if (const Travel* travel = std::get_if<Travel>(&measure_)) return travel->value(m, father, father + 1);
  return nearest(*std::get<Located>(measure_).joint, m, father, guess).q;
}

template <class Space>
void JointCoordinate<Space>::add_rows(const Motion<Space>& m, int father, double guess, double factor, int row,
                                      ConstraintRows<Space>& out) const {
  const int son = father + 1;
  if (const Turn* turn = std::get_if<Turn>(&measure_)) {
    turn->add_rows(m, father, son, factor * per_turn_, row, out);
  } else if (const Travel* travel = std::get_if<Travel>(&measure_)) {
    travel->add_rows(m, father, son, factor, row, out);
  } else {
    const Nearest<Space> at = nearest(*std::get<Located>(measure_).joint, m, father, guess);
    const Rotation<Space>& axes = m.frame(son).pose.rotation;
    const Vector<Space> arm = m.frame(son).pose.position - m.frame(father).pose.position;
    const Vector<Space> linear = factor * (axes * at.row.template tail<Space::dimension>());
    Angular<Space> angular = factor * angular_part<Space>(at.row);
    if constexpr (Space::dimension == 3) angular = (axes * angular).eval();
    out.add(row, son, angular, linear);
    out.add(row, father, -angular - cross(arm, linear), -linear);
    out.rate(row) -= factor * at.drift;
  }
}

template <class Space>
double JointCoordinate<Space>::drift(const Motion<Space>& m, int father, double guess) const {
  if (const Turn* turn = std::get_if<Turn>(&measure_)) return per_turn_ * turn->drift(m, father, father + 1);
  if (const Travel* travel = std::get_if<Travel>(&measure_)) return travel->drift(m, father, father + 1);
  const Joint<Space>& joint = *std::get<Located>(measure_).joint;
  const Nearest<Space> at = nearest(joint, m, father, guess);
  const double rate = at.row.dot(relative_twist(m, father)) - at.drift;
  Components<Space> bias;
  joint.motion_bias(m.time(), &at.q, &rate, bias);
  return at.row.dot(relative_twist_drift(m, father) - bias);
}

template class JointCoordinate<Planar>;
template class JointCoordinate<Spatial>;

}  // namespace linkwork
