#include <linkwork/solvers/formulations/joint_start.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/pose.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace linkwork {

namespace {

/// Planar bodies may be placed full turns apart: adds them to the first coordinate that only turns.
/// @return the turns for which there is none [rad]
double add_turns(const Joint<Planar>& joint, double missing_angle, double* q) {
  const double turns = 2 * std::numbers::pi * std::round(missing_angle / (2 * std::numbers::pi));
  if (turns == 0) return 0;
  JointMotion<Planar> motion;
  joint.motion(0.0, q, motion);
  for (int j = 0; j < joint.freedoms(); ++j) {
    if (std::abs(std::abs(motion.S(0, j)) - 1) > 1e-12 || motion.S.col(j).tail(2).norm() > 1e-12) continue;
    std::array<double, Planar::n> step{};
    step[static_cast<std::size_t>(j)] = turns / motion.S(0, j);
    joint.retract(q, step.data(), q);
    return 0;
  }
  return turns;
}

template <class Space>
Twist<Space> velocity_at(const ModelData<Space>& data, int body, const Vector<Space>& point) {
  if (body < 0) return {};
  const BodyEntry<Space>& entry = data.bodies[static_cast<std::size_t>(body)];
  const Vector<Space> arm = point - entry.pose.position;
  return {entry.velocity.angular, entry.velocity.linear + cross(entry.velocity.angular, arm)};
}

}  // namespace

template <class Space>
Components<Space> relative_velocity(const ModelData<Space>& data, int father, int son, const Pose<Space>& frame) {
  const Twist<Space> a = velocity_at(data, father, frame.position), b = velocity_at(data, son, frame.position);
  Components<Space> out;
  if constexpr (Space::dimension == 2)
    out[0] = b.angular - a.angular;
  else
    out.template head<3>() = frame.rotation.transpose() * (b.angular - a.angular);
  out.template tail<Space::dimension>() = frame.rotation.transpose() * (b.linear - a.linear);
  return out;
}

template <class Space>
Measure coordinate_measure(const Joint<Space>& joint, int coordinate) {
  const int redundant = joint.coordinates() - joint.freedoms();  // what is redundant stands first
  std::vector<double> q(static_cast<std::size_t>(joint.coordinates()));
  joint.home(q.data());
  JointMotion<Space> motion;
  joint.motion(0.0, q.data(), motion);
  const int freedom = coordinate - redundant;
  if (freedom >= 0 && motion.S.col(freedom).template head<Space::angular>().isZero(1e-9)) return Measure::length;
  return redundant > 0 ? Measure::unknown : Measure::angle;
}

template <class Space>
Measure velocity_measure(const Joint<Space>& joint, int velocity) {
  const Measure measure = coordinate_measure(joint, joint.coordinates() - joint.freedoms() + velocity);
  return measure == Measure::length ? measure : Measure::angle;
}

template <class Space>
void normalise_coordinates(const Joint<Space>& joint, double t, const double* near, double* q) {
  constexpr double alike = 1e-9;  // poses of coordinates that differ in sign, after rounding
  constexpr std::size_t most = Space::n + 2;
  const auto size = static_cast<std::size_t>(std::min(4, joint.coordinates()));  // a quaternion stands first
  std::array<double, 4> nearest{};
  std::copy_n(near, size, nearest.begin());
  const std::array<double, Space::n> nothing{};
  joint.retract(q, nothing.data(), q);
  if (std::inner_product(q, q + size, nearest.begin(), 0.0) >= 0) return;
  std::array<double, most> other{};
  std::copy_n(q, joint.coordinates(), other.begin());
  for (std::size_t i = 0; i < size; ++i) other[i] = -other[i];
  if (logarithm(relative_pose(joint.pose(t, q), joint.pose(t, other.data()))).norm() <= alike)
    std::copy_n(other.begin(), size, q);
}

template <class Space>
JointStart<Space>::JointStart(const Joint<Space>& joint, const std::string& name, const Pose<Space>& X,
                              const Components<Space>& V, double length, double* q, double* v) {
  joint.home(q);
  try {
    joint.locate(0.0, X, q);
  } catch (const RecoverableFailure& error) {
    throw ModelError(concat("'", name, "': ", error.what()));
  }
  const Pose<Space> reached = joint.pose(0.0, q);
  if (!reached.rotation.allFinite() || !reached.position.allFinite())
    throw ModelError(concat("joint '", name, "' (", joint.type(),
                            "): its pose is not finite at t = 0 s; check the functions that it is given."));
  if constexpr (Space::dimension == 2) turns = add_turns(joint, X.angle - reached.angle, q);
  position_gap = logarithm(relative_pose(reached, X));

  JointMotion<Space> motion;
  joint.motion(0.0, q, motion);
  velocity_gap = V - motion.drift;
  speed = std::max(V.template head<Space::angular>().cwiseAbs().maxCoeff(),
                   V.template tail<Space::dimension>().cwiseAbs().maxCoeff() / length);
  if (joint.freedoms() == 0) return;
  Components<Space> in_lengths = Components<Space>::Ones();
  in_lengths.template head<Space::angular>().setConstant(length);
  Eigen::VectorXd sizes(joint.freedoms());  // so that no unit decides in which order freedoms are eliminated
  for (int i = 0; i < joint.freedoms(); ++i) sizes[i] = velocity_measure(joint, i) == Measure::length ? length : 1;
  const Eigen::VectorXd nearest = sizes.cwiseProduct(solve_least_squares(
      in_lengths.asDiagonal() * motion.S * sizes.asDiagonal(), in_lengths.cwiseProduct(velocity_gap)));
  Eigen::VectorXd::Map(v, joint.freedoms()) = nearest;
  velocity_gap -= motion.S * nearest;
}

template Measure coordinate_measure(const Joint<Planar>&, int);
template Measure coordinate_measure(const Joint<Spatial>&, int);
template Measure velocity_measure(const Joint<Planar>&, int);
template Measure velocity_measure(const Joint<Spatial>&, int);
template void normalise_coordinates(const Joint<Planar>&, double, const double*, double*);
template void normalise_coordinates(const Joint<Spatial>&, double, const double*, double*);
template struct JointStart<Planar>;
template struct JointStart<Spatial>;
template Components<Planar> relative_velocity(const ModelData<Planar>&, int, int, const Pose<Planar>&);
template Components<Spatial> relative_velocity(const ModelData<Spatial>&, int, int, const Pose<Spatial>&);

}  // namespace linkwork
