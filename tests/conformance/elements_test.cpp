// Every element of the library passes the conformance kit.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_frame.hpp>
#include <linkwork/bodies/massless_node.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/bodies/rotor_carrier.hpp>
#include <linkwork/core/conformance.hpp>
#include <linkwork/core/element_check.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/forces/actuator.hpp>
#include <linkwork/forces/air_spring.hpp>
#include <linkwork/forces/anti_roll_bar.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/forces/applied_torque.hpp>
#include <linkwork/forces/bushing.hpp>
#include <linkwork/forces/dry_friction.hpp>
#include <linkwork/forces/profile_contact.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/forces/torsion_spring_damper.hpp>
#include <linkwork/forces/tyre.hpp>
#include <linkwork/forces/wheelset_creep.hpp>
#include <linkwork/joints/constraints/gear.hpp>
#include <linkwork/joints/constraints/rack_and_pinion.hpp>

#include "../joints/cases.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace linkwork::test {
namespace elements_test {

void expect_conforms(const std::string& name, const ConformanceReport& report) {
  EXPECT_TRUE(report) << name << "\n" << report.summary();
  EXPECT_GT(report.comparisons(), 0) << name;
}

/// An element's point with its frames at these poses, its memory started.
template <class Space>
detail::ElementPoint<Space> point_at(const Constraint<Space>& element, const std::vector<Pose<Space>>& poses) {
  detail::ElementPoint<Space> at;
  at.time = 0.3;
  at.frames.resize(poses.size());
  for (std::size_t k = 0; k < poses.size(); ++k) at.frames[k].pose = poses[k];
  at.memory.resize(static_cast<std::size_t>(element.memory_size()), 0.0);
  std::vector<double> memory = at.memory;
  element.remember(at.motion(), true, memory.data());
  at.memory = memory;
  return at;
}

/// No element of the library is refused by what a run looks at before it starts.
template <class Space>
void expect_starts(const Case<Space>& one) {
  Twist<Space> turn;
  for (int i = 0; i < Space::dimension; ++i) turn.linear[i] = 0.3 - 0.2 * i;
  if constexpr (Space::dimension == 2)
    turn.angular = 0.4;
  else
    turn.angular = {0.2, -0.5, 0.3};
  const Pose<Space> father = moved(Pose<Space>{}, turn, 1.0);
  for (const double length : {1.0, 0.1}) {
    if (!one.joint) {
      if (one.element->contacts() > 0) continue;  // where they are is found by equations
      std::vector<Pose<Space>> poses = {father};
      while (poses.size() < one.element->frames().size()) poses.push_back(moved(poses.back(), turn, 1.0));
      EXPECT_EQ(detail::false_function(*one.element, point_at(*one.element, poses), length), "") << one.name;
      continue;
    }
    const Joint<Space>& joint = *one.joint;
    std::vector<double> q(static_cast<std::size_t>(joint.coordinates()));
    joint.home(q.data());
    std::vector<double> step(static_cast<std::size_t>(joint.freedoms()), 0.2);
    if (!step.empty()) joint.retract(q.data(), step.data(), q.data());
    const Pose<Space> X = joint.pose(0.3, q.data());
    EXPECT_EQ(detail::false_motion(joint, Instant(0.3), X, length), "") << one.name;
    EXPECT_EQ(detail::false_function<Space>(joint, point_at(joint, {father, compose(father, X)}), length), "")
        << one.name;
  }
}

template <class Space>
void expect_all_cases_conform() {
  for (const Case<Space>& one : all_cases<Space>()) {
    expect_starts(one);
    const std::string name = std::string(Space::name) + " " + one.name;
    if (one.joint)
      expect_conforms(name, check_joint(*one.joint));
    else
      expect_conforms(name, check_constraint(*one.element));
  }
}
TEST(Conformance, PlanarJointsAndConstraints) { expect_all_cases_conform<Planar>(); }
TEST(Conformance, SpatialJointsAndConstraints) { expect_all_cases_conform<Spatial>(); }

template <class Space>
void expect_derived_sides_conform() {
  for (const Case<Space>& one : all_cases<Space>())
    if (one.joint && !one.is_derived()) expect_conforms("derived " + one.name, check_joint(Derived<Space>(*one.joint)));
}
TEST(Conformance, PlanarJointsThatGiveTheirPoseOnly) { expect_derived_sides_conform<Planar>(); }
TEST(Conformance, SpatialJointsThatGiveTheirPoseOnly) { expect_derived_sides_conform<Spatial>(); }

TEST(Conformance, JointsOfAModel) {
  SpatialModel model;
  const auto body = model.add_body("body", MassProperties::sphere(1, 0.1));
  const auto joint = model.add_joint<Screw>("screw", model.ground().at({1, 0, 0}), body.at({0, 2, 0}), Axis::x(), 0.2);
  expect_conforms("screw", check_joint(*model.data().constraints[static_cast<std::size_t>(joint.index)].joint));
}

/// What a model holds under this handle.
template <class Space>
ConformanceReport check(const ConstraintRef<Space>& handle) {
  return check_constraint(*handle.model->constraints[static_cast<std::size_t>(handle.index)].constraint);
}

TEST(Conformance, PlanarGears) {
  PlanarModel model;
  const auto wheel = [&](const char* name) { return model.add_body(name, MassProperties::planar(1, 1)); };
  const auto a = wheel("a"), b = wheel("b"), rack = wheel("rack");
  const auto at_a = model.add_joint<Revolute>("at a", model.ground().origin(), a.at({0.1, 0}));
  const auto at_b = model.add_joint<Revolute>("at b", a.at({0.3, 0.2}), b.origin());
  const auto guide = model.add_joint<Prismatic>("guide", model.ground().origin(), rack.origin(), Axis({1, 2, 0}));
  expect_conforms("gear", check<Planar>(model.add_constraint<Gear>("gear", at_a, at_b, -0.5)));
  expect_conforms("rack", check<Planar>(model.add_constraint<Gear>("gear to a slide", guide, at_b, 3.0)));
  expect_conforms("rack and pinion", check<Planar>(model.add_constraint<RackAndPinion>("rack and pinion", rack.origin(),
                                                                                       b.origin(), 0.2)));
}

TEST(Conformance, SpatialGears) {
  SpatialModel model;
  const auto wheel = [&](const char* name) { return model.add_body(name, MassProperties::sphere(1, 0.1)); };
  const auto a = wheel("a"), b = wheel("b"), c = wheel("c");
  const Axis oblique({1, -2, 3});
  const auto at_a = model.add_joint<Revolute>("at a", model.ground().origin(), a.at({0.1, 0, 0}), oblique);
  const auto at_b = model.add_joint<Screw>("at b", a.at({0.3, 0.2, 0.1}), b.origin(), oblique, 0.2);
  const auto at_c = model.add_joint<Prismatic>("at c", c.origin(), b.at({0, 0, 1}), Axis::y());
  expect_conforms("gear", check<Spatial>(model.add_constraint<Gear>("gear", at_a, at_b, -0.5)));
  expect_conforms("gear to a slide", check<Spatial>(model.add_constraint<Gear>("gear to a slide", at_a, at_c, 0.7)));
  expect_conforms("rack and pinion",
                  check<Spatial>(model.add_constraint<RackAndPinion>("rack and pinion", a.origin(), b.origin(), 0.2)));
}

template <class Space>
void expect_forces_conform() {
  const Frame<Space> ground, body{.body = 0};
  const ConstraintRef<Space> joint;
  const Vector<Space> x = Vector<Space>::Unit(0), y = Vector<Space>::Unit(1);

  using Spring = SpringDamper<Space>;
  const auto spring = [&](const typename Spring::Options& options) {
    expect_conforms("spring", check_force(Spring(ground, body, options)));
  };
  spring({.stiffness = 3, .free_length = 0.4});
  spring({.stiffness = 3, .damping = 0.7});
  spring({.stiffness = 3});
  spring({.damping = 0.7});
  typename Spring::Options cubic;
  cubic.law = [](double length, double rate) { return length * length + 0.7 * rate; };
  spring(cubic);
  cubic.energy = [](double length) { return length * length * length / 3; };
  spring(cubic);

  using Air = AirSpring<Space>;
  typename Air::Options air{.force = 3, .length = 0.5, .gas_height = 1, .area = 0.1, .ambient = 2};
  expect_conforms("air spring", check_force(Air(ground, body, air)));
  air.exponent = 1;
  expect_conforms("air spring at one temperature", check_force(Air(ground, body, air)));

  using Torsion = TorsionSpringDamper<Space>;
  const typename Torsion::Options torsion{.stiffness = 3, .damping = 0.7, .free_angle = 0.2};
  if constexpr (Space::dimension == 2)
    expect_conforms("torsion", check_force(Torsion(ground, body, torsion)));
  else
    expect_conforms("torsion", check_force(Torsion(ground, body, Axis({1, -2, 0.5}), torsion)));

  using Rubber = Bushing<Space>;
  typename Rubber::Options rubber;
  const auto matrix = [](double a, double b) {  // symmetric, positive definite, full
    using Matrix = typename Rubber::Matrix;
    return Matrix(Matrix::Constant(a) + b * Matrix::Identity());
  };
  rubber.stiffness = matrix(0.5, 3);
  rubber.preload = Components<Space>::LinSpaced(0.3, 2);
  expect_conforms("bushing", check_force(Rubber(ground, body, rubber)));
  rubber.damping = matrix(0.1, 0.7);
  expect_conforms("damped bushing", check_force(Rubber(ground, body, rubber)));

  using Friction = DryFriction<Space>;
  for (const auto direction : {Friction::Direction::given, Friction::Direction::smoothed, Friction::Direction::frozen})
    expect_conforms(
        "friction",
        check_force(Friction(
            joint, ground, body,
            {.coefficient = 0.3, .normal = y, .tangent = x, .arm = 0.2 * y, .direction = direction, .speed = 0.1})));

  using Motor = Actuator<Space>;
  typename Motor::Options motor{.command = [](const Motion<Space>& m) { return m.frame(1).velocity.linear[0]; },
                                .time_constant = 0.1};
  if constexpr (Space::dimension == 3) motor.axis = x + 2 * y;
  expect_conforms("actuator", check_force(Motor(ground, body, motor)));
  motor.effort = Motor::Effort::force;
  motor.axis = x + 2 * y;
  expect_conforms("actuator", check_force(Motor(ground, body, motor)));

  expect_conforms("applied force", check_force(AppliedForce<Space>(body, x, AppliedAxes::frame)));
  const auto read = [](const Motion<Space>& m) -> Vector<Space> { return -m.frame(1).velocity.linear; };
  expect_conforms("applied force that reads",
                  check_force(AppliedForce<Space>(body, read, AppliedAxes::ground, {Frame<Space>{.body = 1}})));
  const auto torque = [](const Motion<Space>& m) -> Angular<Space> { return m.time() * m.frame(0).velocity.angular; };
  expect_conforms("applied torque", check_force(AppliedTorque<Space>(body, torque)));
}
TEST(Conformance, PlanarForces) { expect_forces_conform<Planar>(); }
TEST(Conformance, SpatialForces) { expect_forces_conform<Spatial>(); }

TEST(Conformance, ContactThatCarriesItsPoints) {
  expect_conforms("curve contact",
                  check_constraint(CurveContact({}, {.body = 0}, wheel_above_track(), 2, CurveContact::Points::carried),
                                   {.reach = 0.5}));
}

TEST(Conformance, CreepOfAWheelset) {
  WheelsetCreep::Options options{
      .profile = 0.3, .speed = 2, .longitudinal = 3, .lateral = 2, .lateral_spin = 0.5, .spin = 0.7};
  options.contacts = {wheel_above_track(), wheel_above_track()};
  options.contacts[1].b.offset.y() = -0.4;
  expect_conforms("wheelset creep", check_force(WheelsetCreep({}, {.body = 0}, options), {.reach = 0.4}));
}

TEST(Conformance, CarrierOfARotor) {
  const ConformanceReport report = check_body(RotorCarrier(MassProperties::box(3, {1, 2, 3}), {0.5, 4, -2}));
  EXPECT_TRUE(report) << report.summary();
}

TEST(Conformance, PartsOfCars) {
  const Frame<Spatial> car, left{.body = 0}, right{.body = 1};
  expect_conforms("anti-roll bar", check_force(AntiRollBar(car, left, right, {.stiffness = 3, .up = Axis({1, 2, 3})})));
  expect_conforms("damped anti-roll bar", check_force(AntiRollBar(car, left, right, {.stiffness = 3, .damping = 0.2})));
  // Pressed into the road by more than the reach. Its slip is held, and pushes on whatever the wheel does.
  Tyre::Options tyre{.radius = 3, .stiffness = 2, .damping = 0.1};
  expect_conforms("tyre without side forces", check_force(Tyre(car, left, tyre), {.reach = 0.5}));
  tyre.cornering = 2;
  tyre.trail = 0.1;
  expect_conforms("tyre", check_force(Tyre(car, left, tyre), {.reach = 0.5, .feeds_energy = true}));
}

// A wheel larger than the reach, with few low teeth, so that most points are inside; damping that hardly ever pulls.
template <class Space>
void expect_contact_conforms() {
  const Frame<Space> wheel, roller{.body = 0};
  const ContactProfile profile = toothed_wheel_profile(3, 2, 0.2);
  typename ProfileContact<Space>::Options options{.stiffness = 2, .damping = 0.05, .exponent = 1.5};
  expect_conforms("roller on a wheel", check_force(ProfileContact<Space>(wheel, roller, profile, options)));
  options.turning = Input([](double t) { return InputValue{t * t / 2, t, 1}; });
  expect_conforms("roller on a turned wheel",
                  check_force(ProfileContact<Space>(wheel, roller, profile, options), {.feeds_energy = true}));
}
TEST(Conformance, PlanarProfileContact) { expect_contact_conforms<Planar>(); }
TEST(Conformance, SpatialProfileContact) { expect_contact_conforms<Spatial>(); }

template <class Space>
void expect_bodies_conform() {
  EXPECT_TRUE(check_body(PointMass<Space>(2)));
  EXPECT_TRUE(check_body(MasslessNode<Space>()));
  const ConformanceReport frame = check_body(MasslessFrame<Space>());
  EXPECT_TRUE(frame) << frame.summary();
  const ConformanceReport rigid =
      check_body(*MassProperties::box(3, {1, 2, 3}).shifted({0.1, 0.2, 0.3}).template make_body<Space>());
  EXPECT_TRUE(rigid) << rigid.summary();
}
TEST(Conformance, PlanarBodies) { expect_bodies_conform<Planar>(); }
TEST(Conformance, SpatialBodies) { expect_bodies_conform<Spatial>(); }

}  // namespace elements_test
}  // namespace linkwork::test
