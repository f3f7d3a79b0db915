#pragma once

// A door that swings freely between two stiff stops, with its motion in closed form.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/core/space.hpp>
#include <linkwork/forces/applied_torque.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <numbers>
#include <string>

namespace linkwork::test {

/// One door on a hinge, and one run of it from the middle. Its moment of inertia about the hinge is 1 kg m^2.
struct DoorBetweenStops {
  double stiffness = 1e3;  ///< of the stops [N m/rad]
  double speed = 1;        ///< at the start, in the middle [rad/s]
  double duration = 3;     ///< [s]
  bool has_event = false;  ///< one that begins anew where the door touches a stop or leaves it

  static constexpr double stop = 0.5;  ///< the stops begin at this angle on either side [rad]

  /// Largest angle [rad].
  double largest_angle() const { return stop + speed / std::sqrt(stiffness); }
  /// At time t [rad]: at even speed to a stop, half a period of the spring on it, back, and the same on the other side.
  double angle(double t) const {
    const double frequency = std::sqrt(stiffness), swing = 2 * stop / speed, bounce = std::numbers::pi / frequency;
    const double since_middle = std::fmod(t + 0.5 * swing, 2 * (swing + bounce));  // the first pass begins at -stop
    const double side = since_middle < swing + bounce ? 1 : -1;
    const double phase = since_middle < swing + bounce ? since_middle : since_middle - (swing + bounce);
    if (phase < swing) return side * (speed * phase - stop);
    return side * (stop + speed / frequency * std::sin(frequency * (phase - swing)));
  }

  PlanarModel model() const {
    PlanarModel door("door between stops");
    const double length = 1, mass = 3;  // rod about its end: mass length^2 / 3
    auto leaf = door.add_body("leaf", MassProperties::rod(mass, length));
    leaf.place({length / 2, 0});
    leaf.move({0, speed * length / 2}, speed);
    door.add_joint<Revolute>("hinge", door.ground().origin(), leaf.at({-length / 2, 0}));
    door.add_force<AppliedTorque>("stops", leaf.origin(), [k = stiffness](const Motion<Planar>& m) {
      const double angle = m.frame(0).pose.angle;
      return -k * (angle - std::clamp(angle, -stop, stop));
    });
    door.add_observable("angle", "rad", [=](const Snapshot<Planar>& s) { return s.pose(leaf.origin()).angle; });
    door.add_observable("speed", "rad/s", [=](const Snapshot<Planar>& s) { return s.velocity(leaf.origin()).angular; });
    door.add_observable("depth", "rad",
                        [=](const Snapshot<Planar>& s) { return std::abs(s.pose(leaf.origin()).angle) - stop; });
    return door;
  }
};

struct DoorRun {
  std::string failure = {};  ///< "" where the run came to its end
  double largest_angle = 0;  ///< at the ends of steps and at three points inside each [rad]
  double error_at_end = 0;   ///< of the angle [rad]
  double largest_speed = 0;  ///< at the ends of steps between the stops [rad/s]
  long steps = 0;
};

inline DoorRun run_door(const DoorBetweenStops& door, Formulation formulation, const IntegratorOptions& integrator) {
  Simulation simulation(door.model(), {.formulation = formulation, .integrator = integrator});
  if (door.has_event) {
    Event touch{.name = "touch", .observable = "depth"};
    touch.action = Event::Action::change;
    touch.effect = [](State&, EquationsOfMotion&) {};  // nothing jumps; the run begins anew where the law has its edge
    simulation.add_event(touch);
  }
  DoorRun run;
  try {
    simulation.run(0, door.duration);
  } catch (const RunError& error) {
    run.failure = error.what();
  }
  const Trajectory& path = simulation.trajectory();
  Eigen::VectorXd values(3);
  const auto read = [&](double t) {
    simulation.equations().observables(path.at(t), values);
    run.largest_angle = std::max(run.largest_angle, std::abs(values[0]));
  };
  for (const TrajectorySegment& segment : path.segments()) {
    for (const double part : {0.25, 0.5, 0.75, 1.0}) read(segment.begin.t + part * (segment.end.t - segment.begin.t));
    if (values[2] < 0) run.largest_speed = std::max(run.largest_speed, std::abs(values[1]));
  }
  run.error_at_end = std::abs(values[0] - door.angle(path.t_end()));
  run.steps = simulation.statistics().integrator.steps;
  return run;
}

}  // namespace linkwork::test
