#pragma once

#include <linkwork/core/model.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace linkwork::test {

/// What can be seen of a mechanism from outside, by name and in ground axes: how its bodies' origins move, and the
/// reactions of its constraints. Independent of coordinates and multipliers.
template <class Space>
struct Observed {
  struct BodyMotion {
    Pose<Space> pose;
    Twist<Space> velocity, acceleration;
    bool rotates = true;  ///< the axes of points stay parallel to the ground
  };
  std::map<std::string, BodyMotion> bodies;
  std::map<std::string, Wrench<Space>> reactions;
};

/// Makes a model fill `out`, which must outlive it, whenever its observables are evaluated.
template <class Space>
void observe_everything(Model<Space>& model, Observed<Space>& out) {
  struct Where {
    Frame<Space> frame;
    bool rotates;
  };
  std::map<std::string, Where> bodies;
  for (const auto& entry : model.data().bodies)
    bodies[entry.name] = {model.body(entry.name).origin(), entry.body->rotates()};
  std::map<std::string, ConstraintRef<Space>> constraints;
  for (const auto& entry : model.data().constraints) constraints[entry.name] = model.constraint(entry.name);
  model.add_observable("everything", "", [bodies, constraints, &out](const Snapshot<Space>& now) {
    for (const auto& [name, body] : bodies)
      out.bodies[name] = {now.pose(body.frame), now.velocity(body.frame), now.acceleration(body.frame), body.rotates};
    for (const auto& [name, constraint] : constraints) out.reactions[name] = now.reaction(constraint);
    return 0.0;
  });
}

/// A run of a model from 0 to t_end, seen at the given times.
template <class Space>
struct Watched {
  SimulationStatistics statistics;
  std::vector<Observed<Space>> at;
};

template <class Space>
Watched<Space> watch(Model<Space>& model, const SimulationOptions& options, const std::vector<double>& times) {
  Observed<Space> now;
  observe_everything(model, now);
  Simulation simulation(model, options);
  const Trajectory& path = simulation.run(0, times.back());
  Watched<Space> out{simulation.statistics(), {}};
  Eigen::VectorXd values;
  for (double t : times) {
    simulation.equations().observables(path.at(t), values);
    out.at.push_back(now);
  }
  return out;
}

/// Largest difference of two observations, relative to the largest value of its kind (or 1, in SI units).
struct Difference {
  double motion = 0;  ///< of poses and velocities
  double forces = 0;  ///< of accelerations and reactions
};

/// Numbers of one kind, such as all positions.
struct Kind {
  double size = 1, error = 0;
  void add(double x, double y) {
    size = std::max(size, std::abs(x));
    error = std::max(error, std::abs(x - y));
  }
  template <class V>
  void add(const Eigen::MatrixBase<V>& x, const Eigen::MatrixBase<V>& y) {
    size = std::max(size, x.cwiseAbs().maxCoeff());
    error = std::max(error, (x - y).cwiseAbs().maxCoeff());
  }
  double relative() const { return error / size; }
};

/// Compares the bodies and reactions that `b` has too.
template <class Space>
Difference difference(const Observed<Space>& a, const Observed<Space>& b) {
  Kind position, rotation, velocity, turning, acceleration, turning_up, force, torque;
  for (const auto& [name, x] : a.bodies) {
    const auto found = b.bodies.find(name);
    if (found == b.bodies.end()) continue;
    const auto& y = found->second;
    position.add(x.pose.position, y.pose.position);
    if (x.rotates) rotation.add(x.pose.rotation, y.pose.rotation);
    velocity.add(x.velocity.linear, y.velocity.linear);
    turning.add(x.velocity.angular, y.velocity.angular);
    acceleration.add(x.acceleration.linear, y.acceleration.linear);
    turning_up.add(x.acceleration.angular, y.acceleration.angular);
  }
  for (const auto& [name, x] : a.reactions) {
    const auto found = b.reactions.find(name);
    if (found == b.reactions.end()) continue;
    force.add(x.force, found->second.force);
    torque.add(x.torque, found->second.torque);
  }
  const auto largest = [](const std::vector<Kind>& kinds) {
    double out = 0;
    for (const Kind& kind : kinds) out = std::max(out, kind.relative());
    return out;
  };
  return {largest({position, rotation, velocity, turning}), largest({acceleration, turning_up, force, torque})};
}

}  // namespace linkwork::test
