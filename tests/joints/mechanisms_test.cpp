// Mechanisms with closed-form motions, in every formulation.

#include <linkwork/linkwork.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <string>

namespace linkwork::test {
namespace mechanisms_test {

/// Integration errors: tolerance 1e-11 per component and some tens of steps, values of size ten.
constexpr double tolerance = 1e-8;

/// Builds the model anew for each formulation, runs it, and compares its only observable at many times.
template <class Space>
void expect_motion(const std::function<void(Model<Space>&)>& build, const std::function<double(double)>& expected,
                   double t_end) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    SCOPED_TRACE(name_of(formulation));
    Model<Space> model("test");
    build(model);
    Simulation simulation(
        model, {.formulation = formulation, .integrator = ExtrapolationOptions{.rtol = 1e-11, .atol = 1e-11}});
    const Trajectory& path = simulation.run(0, t_end);
    Eigen::VectorXd values;
    for (int k = 0; k <= 10; ++k) {
      const double t = t_end * k / 10;
      simulation.equations().observables(path.at(t), values);
      EXPECT_NEAR(values[0], expected(t), tolerance * (1 + std::abs(expected(t)))) << t;
    }
  }
}

TEST(Mechanisms, NutFallsAlongAScrewOverManyTurns) {
  const double g = 9.81, m = 2, r = 0.1, pitch = 0.02, inertia = 0.5 * m * r * r;
  const auto build = [&](SpatialModel& model) {
    model.set_gravity({0, 0, -g});
    const auto nut = model.add_body("nut", MassProperties::cylinder(m, r, 0.05));
    model.add_joint<Screw>("thread", model.ground().origin(), nut.origin(), Axis::z(), pitch);
    model.add_observable("height", "m", [=](const auto& now) { return now.pose(nut.origin()).position.z(); });
  };
  const double acceleration = -m * g * pitch * pitch / (inertia + m * pitch * pitch);
  expect_motion<Spatial>(
      build, [&](double t) { return 0.5 * acceleration * t * t; }, 2);
}

TEST(Mechanisms, TorqueAtTheFirstOfTwoWheels) {
  const double J1 = 0.3, J2 = 0.8, ratio = -0.45, torque = 5;
  const double acceleration = ratio * torque / (J1 + ratio * ratio * J2);  // of the second
  const auto expected = [&](double t) { return acceleration * t; };
  const auto in_plane = [&](PlanarModel& model) {
    const auto first = model.add_body("first", MassProperties::planar(1, J1));
    const auto second = model.add_body("second", MassProperties::planar(1, J2)).place({1, 0}, 0.7);
    const auto a = model.add_joint<Revolute>("a", model.ground().origin(), first.origin());
    const auto b = model.add_joint<Revolute>("b", model.ground().at({1, 0}), second.origin());
    model.add_constraint<Gear>("teeth", a, b, ratio);
    model.add_force<AppliedTorque>("motor", first.origin(), torque);
    model.add_observable("speed", "rad/s", [=](const auto& now) { return now.velocity(second.origin()).angular; });
  };
  expect_motion<Planar>(in_plane, expected, 3);
  const auto in_space = [&](SpatialModel& model) {
    const auto wheel = [&](const char* name, double J) {
      return model.add_body(name, MassProperties::given(1, Eigen::Vector3d::Zero(), J * Eigen::Matrix3d::Identity()));
    };
    const auto first = wheel("first", J1);
    const auto second = wheel("second", J2).place({1, 0, 0});
    const auto a = model.add_joint<Revolute>("a", model.ground().origin(), first.origin());
    const auto b = model.add_joint<Revolute>("b", model.ground().at({1, 0, 0}), second.origin());
    model.add_constraint<Gear>("teeth", a, b, ratio);
    model.add_force<AppliedTorque>("motor", first.origin(), Eigen::Vector3d(0, 0, torque));
    model.add_observable("speed", "rad/s", [=](const auto& now) { return now.velocity(second.origin()).angular.z(); });
  };
  expect_motion<Spatial>(in_space, expected, 3);
}

TEST(Mechanisms, RackFallsAndTurnsItsPinion) {
  const double g = 9.81, m = 0.7, J = 0.05, r = 0.2;
  const auto build = [&](PlanarModel& model) {
    model.set_gravity({0, -g});
    const auto pinion = model.add_body("pinion", MassProperties::planar(1, J));
    const auto rack = model.add_body("rack", MassProperties::planar(m, 1)).place({r, 0});
    model.add_joint<Revolute>("bearing", model.ground().origin(), pinion.origin());
    model.add_joint<Prismatic>("guide", model.ground().at({r, 0}), rack.origin(), Axis::y());
    model.add_constraint<RackAndPinion>("teeth", rack.origin(), pinion.origin(), r, Axis::y());
    // The rack is on the right of the pinion, which is on the left of it, and turns it clockwise.
    model.add_observable("sum", "m", [=](const auto& now) {
      return now.pose(rack.origin()).position.y() + 3 * (r * now.pose(pinion.origin()).angle);
    });
  };
  expect_motion<Planar>(
      build, [&](double t) { return 4 * -0.5 * g * m / (m + J / (r * r)) * t * t; }, 1.5);
}

TEST(Mechanisms, ConstantVelocityJointHasNoRipple) {
  const double angle = 0.6, speed = 7;
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()));
  const auto build = [&](SpatialModel& model) {
    const Eigen::Vector3d along = tilt * Eigen::Vector3d::UnitZ();
    auto in = model.add_body("in", MassProperties::cylinder(2, 0.1, 1)).place({0, 0, -0.5});
    auto out = model.add_body("out", MassProperties::cylinder(3, 0.2, 1)).place(0.5 * along, tilt);
    in.move(Eigen::Vector3d::Zero(), {0, 0, speed});
    out.move(Eigen::Vector3d::Zero(), speed * along);
    model.add_joint<Revolute>("bearing", model.ground().at({0, 0, -0.5}), in.origin());
    model.add_joint<ConstantVelocity>("joint", in.at({0, 0, 0.5}), out.at({0, 0, -0.5}));
    model.add_joint<PointOnLine>("far bearing", model.ground().at(along, tilt), out.at({0, 0, 0.5}), Axis::z());
    model.add_observable("speed out", "rad/s",
                         [=](const auto& now) { return along.dot(now.velocity(out.origin()).angular); });
  };
  expect_motion<Spatial>(
      build, [&](double) { return speed; }, 2);
}

TEST(Mechanisms, BeadOnATurningWireFliesOut) {
  const double start = 0.3, omega = 2;
  const auto expected = [&](double t) { return start * std::cosh(omega * t); };
  const Input turn = [=](double t) { return InputValue{omega * t, omega, 0}; };
  const auto in_plane = [&](PlanarModel& model) {
    auto wire = model.add_body("wire", MassProperties::planar(1, 1));
    auto bead = model.add_body("bead", MassProperties::planar(0.5, 0.1)).place({start, 0});
    bead.move({0, omega * start});
    wire.move({0, 0}, omega);
    model.add_joint<DrivenRevolute>("drive", model.ground().origin(), wire.origin(), turn);
    model.add_joint<PointOnLine>("hole", wire.origin(), bead.origin());
    model.add_observable("radius", "m", [=](const auto& now) { return now.pose(bead.origin()).position.norm(); });
  };
  expect_motion<Planar>(in_plane, expected, 1.5);
  const auto in_space = [&](SpatialModel& model) {
    auto wire = model.add_body("wire", MassProperties::box(1, {1, 1, 1}));
    auto bead = model.add_body("bead", MassProperties::box(0.5, {0.1, 0.2, 0.3})).place({start, 0, 0});
    bead.move({0, omega * start, 0}, {1, 2, 3});
    wire.move({0, 0, 0}, {0, 0, omega});
    model.add_joint<DrivenRevolute>("drive", model.ground().origin(), wire.origin(), Axis::z(), turn);
    model.add_joint<PointOnLine>("hole", wire.origin(), bead.origin());
    model.add_observable("radius", "m", [=](const auto& now) { return now.pose(bead.origin()).position.norm(); });
  };
  expect_motion<Spatial>(in_space, expected, 1.5);
}

TEST(Mechanisms, PointSlidesDownAnInclinedPlane) {
  const double g = 9.81;
  const Axis normal({1, 0, 2});
  const auto build = [&](SpatialModel& model) {
    model.set_gravity({0, 0, -g});
    auto puck = model.add_body("puck", MassProperties::box(2, {0.3, 0.2, 0.1}));
    puck.move({0, 0, 0}, {1, 0.5, -2});
    model.add_joint<PointOnPlane>("plane", model.ground().origin(), puck.origin(), normal);
    model.add_observable("height", "m", [=](const auto& now) { return now.pose(puck.origin()).position.z(); });
  };
  const double sine_squared = 1.0 / 5;  // of the slope
  expect_motion<Spatial>(
      build, [&](double t) { return -0.5 * g * sine_squared * t * t; }, 1);
}

TEST(Mechanisms, DriveOfASlideTakesTheForceOfInertiaAndWeight) {
  const double g = 9.81, m = 3;
  const auto build = [&](SpatialModel& model) {
    model.set_gravity({0, 0, -g});
    const auto lift = model.add_body("lift", MassProperties::box(m, {1, 1, 1})).move({0, 0, 2});
    const auto drive = model.add_joint<DrivenPrismatic>(
        "drive", model.ground().origin(), lift.origin(), Axis::z(), Input([](double t) {
          return InputValue{std::sin(2 * t), 2 * std::cos(2 * t), -4 * std::sin(2 * t)};
        }));
    // One freedom is left, so that there is something to integrate.
    const auto wheel = model.add_body("wheel", MassProperties::box(1, {1, 1, 1})).move({0, 0, 2}, {0, 0, 1});
    model.add_joint<Revolute>("axle", lift.origin(), wheel.origin());
    model.add_observable("force", "N", [=](const auto& now) { return now.reaction(drive).force.z(); });
  };
  expect_motion<Spatial>(
      build, [&](double t) { return (m + 1) * (g - 4 * std::sin(2 * t)); }, 2);
}

TEST(Mechanisms, AFreeJointLeavesABodyFree) {
  const double g = 9.81;
  const auto build = [&](SpatialModel& model) {
    model.set_gravity({0, 0, -g});
    auto body = model.add_body("body", MassProperties::box(2, {0.3, 0.2, 0.1})).place({1, 2, 3});
    body.move({4, 5, 6}, {1, 2, 3});
    model.add_joint<Free>("none", model.ground().at({0.1, 0.2, 0.3}), body.origin());
    model.add_observable("height", "m", [=](const auto& now) { return now.pose(body.origin()).position.z(); });
  };
  expect_motion<Spatial>(
      build, [&](double t) { return 3 + 6 * t - 0.5 * g * t * t; }, 1);
}

}  // namespace mechanisms_test
}  // namespace linkwork::test
