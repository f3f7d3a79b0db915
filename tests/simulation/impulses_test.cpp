// Impulses against closed forms and balances of momentum, in all formulations.

#include "../core/expect_error.hpp"
#include "../messages.hpp"
#include "systems.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/massless_node.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/at.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/joints/constraints/knife_edge.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/solvers/analyses/quantities.hpp>
#include <linkwork/solvers/formulations/impulses.hpp>

#include <gtest/gtest.h>

namespace linkwork::test {
namespace impulses_test {

// Everything here is linear algebra with small, well-conditioned matrices: rounding, times numbers of the size of 10.
constexpr double rounding = 1e-13;
using Vec3 = Eigen::Vector3d;
Eigen::Quaterniond quat(double angle, const Vec3& axis) { return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis)); }

constexpr Formulation formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

template <class Space>
std::unique_ptr<EquationsOfMotion> posed(const Model<Space>& model, Formulation formulation) {
  return make_equations(model, {.formulation = formulation});
}

/// A consistent state to strike, with its accelerations unknown.
State start_of(EquationsOfMotion& equations) {
  State state = equations.initial_state();
  equations.set(state);
  equations.remember(true, -1);
  return state;
}

template <class Space>
Twist<Space> twist_of(EquationsOfMotion& equations, const State& state, const Frame<Space>& frame) {
  Twist<Space> out;
  measure(equations, state, [&](const Snapshot<Space>& now) {
    out = now.velocity(frame);
    return 0.0;
  });
  return out;
}

double kinetic_energy(EquationsOfMotion& equations, const State& state) {
  equations.set(state);
  return equations.energies().kinetic;
}

TEST(Impulse, AtTheEndOfAFreeRodTurnsIt) {
  constexpr double mass = 2, length = 1.2, impulse = 3;
  for (const Formulation formulation : formulations) {
    PlanarModel model("rod");
    auto rod = model.add_body("rod", MassProperties::rod(mass, length)).place({0.3, 0.1}, 0.7);
    const auto equations = posed(model, formulation);
    State state = start_of(*equations);
    const Eigen::Vector2d across(-std::sin(0.7), std::cos(0.7));
    const Eigen::VectorXd p = state.p;
    const Impact<Planar> hit =
        apply_impulse(*equations, state, rod.at({length / 2, 0}), {.torque = 0, .force = impulse * across});
    const Twist<Planar> after = twist_of(*equations, state, rod.origin());
    EXPECT_NEAR((after.linear - impulse / mass * across).norm(), 0, rounding) << name_of(formulation);
    EXPECT_NEAR(after.angular, 6 * impulse / (mass * length), rounding) << name_of(formulation);
    EXPECT_EQ(state.p, p);
    EXPECT_EQ(hit.jump, state.v);
  }
}

TEST(Impulse, AtTheCentreOfPercussionLeavesThePinAlone) {
  constexpr double mass = 2, length = 1.5, impulse = 4;
  for (const Formulation formulation : formulations)
    for (const bool turned : {false, true})  // the ground as the joint's father, or as its son
      for (const double h : {0.2, 2 * length / 3, length}) {
        PlanarModel model("pendulum");
        auto rod = model.add_body("rod", MassProperties::rod(mass, length)).place({length / 2, 0});
        const Frame<Planar> ground = model.ground().origin(), end = rod.at({-length / 2, 0});
        const auto pin =
            turned ? model.add_joint<Revolute>("pin", end, ground) : model.add_joint<Revolute>("pin", ground, end);
        const auto equations = posed(model, formulation);
        State state = start_of(*equations);
        const Impact<Planar> hit =
            apply_impulse(*equations, state, rod.at({h - length / 2, 0}), {.force = {0, impulse}});
        const std::string where = concat(name_of(formulation), " turned ", turned, " h ", h);
        EXPECT_NEAR(twist_of(*equations, state, rod.origin()).angular, 3 * impulse * h / (mass * length * length),
                    rounding)
            << where;
        const double reaction = impulse * (1.5 * h / length - 1) * (turned ? -1 : 1);
        EXPECT_NEAR(hit.reaction(pin).force.x(), 0, rounding) << where;
        EXPECT_NEAR(hit.reaction(pin).force.y(), reaction, rounding) << where;
        EXPECT_NEAR(hit.reaction(pin).torque, 0, rounding) << where;
      }
}

TEST(Impulse, OfTwoBallsIsThatOfTheTextbook) {
  constexpr double m1 = 1, m2 = 3, u1 = 4, u2 = -1, restitution = 0.6;
  for (const Formulation formulation : formulations) {
    SpatialModel model("balls");
    auto first = model.add_body("first", MassProperties::sphere(m1, 0.1)).place({0, 0, 0}).move({u1, 0.5, 0});
    auto second = model.add_body("second", MassProperties::sphere(m2, 0.1)).place({0.2, 0, 0}).move({u2, 0, 0});
    const auto equations = posed(model, formulation);
    State state = start_of(*equations);
    const double before = kinetic_energy(*equations, state);
    const Impact<Spatial> hit = collide(*equations, state, first.at({0.1, 0, 0}), second, {2, 0, 0}, restitution);
    const Twist<Spatial> a = twist_of(*equations, state, first.origin()),
                         b = twist_of(*equations, state, second.origin());
    const double common = (m1 * u1 + m2 * u2) / (m1 + m2);
    EXPECT_NEAR((a.linear - Eigen::Vector3d(common - restitution * m2 / (m1 + m2) * (u1 - u2), 0.5, 0)).norm(), 0,
                rounding);
    EXPECT_NEAR((b.linear - Eigen::Vector3d(common + restitution * m1 / (m1 + m2) * (u1 - u2), 0, 0)).norm(), 0,
                rounding);
    EXPECT_NEAR(a.angular.norm() + b.angular.norm(), 0, rounding);
    const double reduced = m1 * m2 / (m1 + m2);
    EXPECT_NEAR(hit.applied[0].impulse.force.x(), -(1 + restitution) * reduced * (u1 - u2), 10 * rounding);
    EXPECT_NEAR(before - kinetic_energy(*equations, state),
                0.5 * (1 - restitution * restitution) * reduced * (u1 - u2) * (u1 - u2), 100 * rounding);
  }
}

/// Spheres that touch off their centres turn and keep their angular momentum.
TEST(Impulse, OfACollisionOffTheCentreKeepsMomentumAndAngularMomentum) {
  SpatialModel model("boxes");
  const auto shape = MassProperties::box(2, {0.4, 0.2, 0.3});
  auto first = model.add_body("first", shape).place({0, 0, 0}).move({1, 0, 0.2}, {0, 0.4, 1});
  auto second = model.add_body("second", shape).place({0.4, 0.15, 0}, quat(0.3, Vec3::UnitZ())).move({-1, 0.3, 0});
  for (const Formulation formulation : formulations) {
    const auto equations = posed(model, formulation);
    State state = start_of(*equations);
    const auto momenta = [&] {
      const Twist<Spatial> a = twist_of(*equations, state, first.origin()),
                           b = twist_of(*equations, state, second.origin());
      const Eigen::Matrix3d R = rotation_matrix(quat(0.3, Vec3::UnitZ()));
      const Eigen::Matrix3d I_box =
          Eigen::Vector3d(2 * (0.04 + 0.09) / 12, 2 * (0.16 + 0.09) / 12, 2 * (0.16 + 0.04) / 12).asDiagonal();
      Eigen::Matrix<double, 6, 1> out;
      out.head<3>() = 2 * (a.linear + b.linear);
      out.tail<3>() =
          I_box * a.angular + R * I_box * R.transpose() * b.angular + Eigen::Vector3d(0.4, 0.15, 0).cross(2 * b.linear);
      return out;
    };
    const Eigen::Matrix<double, 6, 1> before = momenta();
    collide(*equations, state, first.at({0.2, 0.05, 0.1}), second, {1, 0.2, 0}, 1.0);
    EXPECT_NEAR((momenta() - before).norm(), 0, rounding) << name_of(formulation);
  }
}

/// A spatial loop of four links with a pendulum on the coupler, in motion.
struct Loop {
  SpatialModel model{"loop"};
  std::vector<BodyRef<Spatial>> links;
  std::vector<MassProperties> shapes;
  std::vector<ConstraintRef<Spatial>> joints;

  Loop() {
    add(1.2, {0, 0.2, 0}, std::numbers::pi / 2, 0.4);     // crank, up from the origin
    add(2.0, {0.3, 0.4, 0}, 0, 0.6);                      // coupler
    add(0.9, {0.6, 0.2, 0}, -std::numbers::pi / 2, 0.4);  // rocker, down to (0.6, 0, 0)
    add(0.5, {0.3, 0.2, 0}, -std::numbers::pi / 2, 0.4);  // pendulum, down from the coupler's middle
    joints.push_back(model.add_joint<Revolute>("foot", model.ground().origin(), links[0].at({-0.2, 0, 0})));
    joints.push_back(model.add_joint<Spherical>("knee", links[0].at({0.2, 0, 0}), links[1].at({-0.3, 0, 0})));
    joints.push_back(model.add_joint<Spherical>("elbow", links[1].at({0.3, 0, 0}), links[2].at({-0.2, 0, 0})));
    joints.push_back(model.add_joint<Revolute>("hand", model.ground().at({0.6, 0, 0}), links[2].at({0.2, 0, 0})));
    joints.push_back(model.add_joint<Spherical>("hook", links[1].origin(), links[3].at({-0.2, 0, 0})));
    links[0].move({-0.4, 0, 0}, {0, 0, 2});  // a parallelogram: the coupler goes along
    links[1].move({-0.8, 0, 0});
    links[2].move({-0.4, 0, 0}, {0, 0, 2});
    links[3].move({-0.8, 0, 0});
  }
  void add(double mass, const Vec3& place, double angle, double length) {
    shapes.push_back(MassProperties::box(mass, {length, 0.05, 0.08}));
    links.push_back(
        model.add_body(concat("link ", links.size() + 1), shapes.back()).place(place, quat(angle, Vec3::UnitZ())));
  }
};

TEST(Impulse, OnALoopBalancesTheMomentumOfEveryBodyInAllFormulations) {
  Loop loop;
  const Frame<Spatial> struck = loop.links[3].at({0.15, 0.01, 0.02});
  const Wrench<Spatial> impulse{.torque = {0.1, -0.2, 0.3}, .force = {1, 2, -1.5}};
  std::vector<std::vector<Twist<Spatial>>> jumps;
  for (const Formulation formulation : formulations) {
    const auto equations = posed(loop.model, formulation);
    State state = start_of(*equations);
    const State before = state;
    const Impact<Spatial> hit = apply_impulse(*equations, state, struck, impulse);
    equations->set(state);
    EXPECT_NEAR(equations->velocity_residual().norm(), 0, 10 * rounding) << name_of(formulation);

    // Newton and Euler about the origin of the ground for every body: with the reactions at the joints' last frames.
    std::vector<Eigen::Vector3d> force(4, Vec3::Zero()), torque(4, Vec3::Zero());
    const auto act = [&](int body, const Vec3& place, const Wrench<Spatial>& wrench, double sign) {
      if (body < 0) return;
      force[detail::at(body)] += sign * wrench.force;
      torque[detail::at(body)] += sign * (wrench.torque + place.cross(wrench.force));
    };
    measure(*equations, before, [&](const Snapshot<Spatial>& now) {
      act(struck.body, now.pose(struck).position, impulse, 1);
      for (const ConstraintRef<Spatial>& joint : loop.joints) {
        const std::vector<Frame<Spatial>>& frames =
            joint.model->constraints[detail::at(joint.index)].constraint->frames();
        const Vec3 place = now.pose(frames[1]).position;
        act(frames[1].body, place, hit.reaction(joint), 1);
        act(frames[0].body, place, hit.reaction(joint), -1);
      }
      return 0.0;
    });
    std::vector<Twist<Spatial>> own;
    for (std::size_t i = 0; i < 4; ++i) {
      const Twist<Spatial> a = twist_of(*equations, before, loop.links[i].origin()),
                           b = twist_of(*equations, state, loop.links[i].origin());
      own.push_back({b.angular - a.angular, b.linear - a.linear});
      Pose<Spatial> pose;
      measure(*equations, before, [&](const Snapshot<Spatial>& now) {
        pose = now.pose(loop.links[i].origin());
        return 0.0;
      });
      const Vec3 momentum = loop.shapes[i].mass() * own.back().linear;
      const Vec3 spin = pose.rotation * loop.shapes[i].inertia() * pose.rotation.transpose() * own.back().angular +
                        pose.position.cross(momentum);
      EXPECT_NEAR((momentum - force[i]).norm(), 0, 10 * rounding) << name_of(formulation) << " link " << i + 1;
      EXPECT_NEAR((spin - torque[i]).norm(), 0, 10 * rounding) << name_of(formulation) << " link " << i + 1;
    }
    jumps.push_back(own);
  }
  for (std::size_t f = 1; f < jumps.size(); ++f)
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR((jumps[f][i].linear - jumps[0][i].linear).norm(), 0, 100 * rounding);
      EXPECT_NEAR((jumps[f][i].angular - jumps[0][i].angular).norm(), 0, 100 * rounding);
    }
}

TEST(Impulse, OnADoorWithTwoHingesIsSharedByThem) {
  // Redundant rows: the motion and the sum of the reactions are those of one hinge.
  for (const Formulation formulation : formulations) {
    SpatialModel model("door");
    auto door = model.add_body("door", MassProperties::box(20, {0.8, 0.04, 2})).place({0.4, 0, 0});
    const auto low = model.add_joint<Revolute>("low", model.ground().at({0, 0, -0.7}), door.at({-0.4, 0, -0.7}));
    const auto high = model.add_joint<Revolute>("high", model.ground().at({0, 0, 0.7}), door.at({-0.4, 0, 0.7}));
    const auto equations = posed(model, formulation);
    State state = start_of(*equations);
    constexpr double impulse = 5, h = 0.7;
    const Impact<Spatial> hit = apply_impulse(*equations, state, door.at({h - 0.4, 0, 0}), {.force = {0, impulse, 0}});
    const double inertia = 20 * (0.8 * 0.8 + 0.04 * 0.04) / 12 + 20 * 0.16;
    const double turning = impulse * h / inertia;
    EXPECT_NEAR(twist_of(*equations, state, door.origin()).angular.z(), turning, rounding) << name_of(formulation);
    const Vec3 sum = hit.reaction(low).force + hit.reaction(high).force;
    EXPECT_NEAR((sum - Vec3(0, 20 * turning * 0.4 - impulse, 0)).norm(), 0, 10 * rounding) << name_of(formulation);
  }
}

TEST(Impulse, MeetsNonholonomicConstraints) {
  constexpr double mass = 3, inertia = 0.4, a = 0.5, impulse = 2;
  for (const Formulation formulation : formulations) {
    PlanarModel model("sleigh");
    auto sleigh = model.add_body("sleigh", MassProperties::planar(mass, inertia));
    const auto blade = model.add_constraint<KnifeEdge>("blade", sleigh.at({-a, 0}));
    const auto equations = posed(model, formulation);
    State state = start_of(*equations);
    const Impact<Planar> hit = apply_impulse(*equations, state, sleigh.origin(), {.force = {1, impulse}});
    const double turning = impulse * a / (mass * a * a + inertia);
    const Twist<Planar> after = twist_of(*equations, state, sleigh.origin());
    EXPECT_NEAR(after.angular, turning, rounding) << name_of(formulation);
    EXPECT_NEAR(after.linear.y(), a * turning, rounding) << name_of(formulation);
    EXPECT_NEAR(after.linear.x(), 1 / mass, rounding) << name_of(formulation);
    EXPECT_NEAR(hit.reaction(blade).force.y(), -inertia * turning / a, 10 * rounding) << name_of(formulation);
  }
}

TEST(Impulse, KeepsTheSpeedOfADrive) {
  // A motor that turns at 3 rad/s carries an arm with a free link: only that one gives way.
  for (const Formulation formulation : formulations) {
    PlanarModel model("driven");
    auto arm = model.add_body("arm", MassProperties::rod(1, 1)).place({0.5, 0}).move({0, 1.5}, 3);
    auto link = model.add_body("link", MassProperties::rod(2, 1)).place({1.5, 0}).move({0, 3}, 0);
    const Input turning([](double t) { return InputValue{3 * t, 3, 0}; });
    const auto motor = model.add_joint<DrivenRevolute>("motor", model.ground().origin(), arm.at({-0.5, 0}), turning);
    model.add_joint<Revolute>("pin", arm.at({0.5, 0}), link.at({-0.5, 0}));
    const auto equations = posed(model, formulation);
    State state = start_of(*equations);
    const Impact<Planar> hit = apply_impulse(*equations, state, link.at({0.5, 0}), {.force = {0, 1}});
    EXPECT_NEAR(twist_of(*equations, state, arm.origin()).angular, 3, 10 * rounding) << name_of(formulation);
    EXPECT_NEAR(twist_of(*equations, state, link.origin()).angular, 3.0 / 2, 10 * rounding) << name_of(formulation);
    // The pin feels 1.5 h/L - 1 = 1/2 of the impulse, the motor the opposite at an arm of 1 m.
    EXPECT_NEAR(hit.reaction(motor).force.y(), 0.5, 10 * rounding) << name_of(formulation);
    EXPECT_NEAR(hit.reaction(motor).torque, 0.5, 10 * rounding) << name_of(formulation);
  }
}

TEST(Impulse, ReachesBodiesThroughOnesWithoutMass) {
  for (const Formulation formulation : formulations) {
    PlanarModel model("light");
    auto node = model.add_body<MasslessNode>("node").place({0, 0});
    auto rod = model.add_body("rod", MassProperties::rod(2, 1)).place({0.5, 0});
    model.add_joint<Revolute>("pin", rod.at({-0.5, 0}), node.origin());
    const auto equations = posed(model, formulation);
    State state = start_of(*equations);
    apply_impulse(*equations, state, node.origin(), {.force = {0, 1}});  // as on the rod's end
    EXPECT_NEAR(twist_of(*equations, state, rod.origin()).linear.y(), 0.5, rounding) << name_of(formulation);
    EXPECT_NEAR(twist_of(*equations, state, rod.origin()).angular, -3, rounding) << name_of(formulation);
  }
}

TEST(Impulse, OfACollisionTurnsTheNormalVelocityRound) {
  for (const Formulation formulation : formulations)
    for (const double restitution : {0.0, 0.5, 1.0}) {
      Loop loop;
      const Frame<Spatial> point = loop.links[2].at({0.1, 0.02, 0});
      const auto equations = posed(loop.model, formulation);
      State state = start_of(*equations);
      const Vec3 normal = Vec3(1, 0.5, 0.2).normalized();
      const double before = normal.dot(twist_of(*equations, state, point).linear);
      const double energy = kinetic_energy(*equations, state);
      const Impact<Spatial> hit = collide(*equations, state, point, loop.model.ground(), normal, restitution);
      EXPECT_NEAR(normal.dot(twist_of(*equations, state, point).linear), -restitution * before, 10 * rounding);
      // The work of the impulse at the mean of the velocities.
      const double work = 0.5 * (1 - restitution) * before * normal.dot(hit.applied[0].impulse.force);
      EXPECT_NEAR(kinetic_energy(*equations, state) - energy, work, 10 * rounding) << name_of(formulation);
      EXPECT_LE(work, rounding);
    }
}

TEST(Impulse, OfEquationsOfOnesOwnIsAGeneralisedOne) {
  Pendulum pendulum(std::sqrt(0.5));
  State state = pendulum.initial_state();
  state.p[1] = -std::sqrt(0.5);
  const Eigen::VectorXd multipliers = apply_impulse(pendulum, state, Eigen::Vector2d(0, -1));
  EXPECT_NEAR((state.v - Eigen::Vector2d(-0.5, -0.5)).norm(), 0, rounding);
  EXPECT_NEAR(multipliers[0], std::sqrt(0.5), rounding);  // -G^T lambda = v - J
}

TEST(Impulse, InAnEffectMakesABallBounceInEveryFormulation) {
  constexpr double restitution = 0.7;
  for (const Formulation formulation : formulations) {
    SpatialModel model("ball");
    model.set_gravity({0, 0, -gravity});
    auto ball = model.add_body("ball", MassProperties::sphere(2, 0.1)).place({0, 0, 1.1}).move({1, 0, 0}, {0, 3, 0});
    model.add_observable("gap", "m",
                         [=](const Snapshot<Spatial>& at) { return at.pose(ball.origin()).position.z() - 0.1; });
    Simulation simulation(
        model, {.formulation = formulation, .integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}});
    std::vector<double> impulses;
    simulation.add_event(
        {.observable = "gap",
         .direction = Event::Direction::falling,
         .action = Event::Action::change,
         .effect = [&](State& state, EquationsOfMotion& equations) {
           const auto hit = collide(equations, state, ball.at({0, 0, 0}), model.ground(), {0, 0, 1}, restitution);
           impulses.push_back(hit.applied[0].impulse.force.z());
         }});
    const Trajectory& path = simulation.run(0, 2);
    double t = std::sqrt(2 / gravity), speed = gravity * t;
    ASSERT_EQ(path.events().size(), 4u) << name_of(formulation);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(path.events()[i].t, t, 1e-8);  // some tolerances over a slope of 1
      EXPECT_NEAR(impulses[i], 2 * (1 + restitution) * speed, 1e-7);
      speed *= restitution;
      t += 2 * speed / gravity;
    }
  }
}

TEST(Impulse, ThatMakesNoSenseIsRefused) {
  PlanarModel model("things");
  auto rod = model.add_body("rod", MassProperties::rod(1, 1)).place({0.5, 0});
  auto bead = model.add_body<PointMass>("bead", 1.0).place({2, 0});
  const auto pin = model.add_joint<Revolute>("pin", model.ground().origin(), rod.at({-0.5, 0}));
  PlanarModel other("other");
  auto stranger = other.add_body("stranger", MassProperties::rod(1, 1));
  for (const Formulation formulation : formulations) {
    const auto equations = posed(model, formulation);
    State state = start_of(*equations);
    const auto strike = [&](const Frame<Planar>& frame, const Wrench<Planar>& impulse) {
      return [&, frame, impulse] { apply_impulse(*equations, state, frame, impulse); };
    };
    const auto hit = [&](const Frame<Planar>& point, const BodyRef<Planar>& body, const Eigen::Vector2d& normal,
                         double restitution) {
      return [&, point, body, normal, restitution] { collide(*equations, state, point, body, normal, restitution); };
    };
    expect_error<ModelError>(
        "apply_impulse: the frame is on the ground, which no impulse moves; give a frame of a body.",
        strike(model.ground().origin(), {.force = {1, 0}}));
    expect_error<ModelError>(
        "a frame that an impulse acts on does not belong to model 'things'; use the frames of this "
        "model.",
        strike(stranger.origin(), {.force = {1, 0}}));
    expect_error<ModelError>(
        "an impulse puts a torque on body 'bead' (point mass), which does not rotate; give one without torque.",
        strike(bead.origin(), {.torque = 1, .force = {1, 0}}));
    expect_error<ModelError>(
        "apply_impulse: the impulse on 'rod' is not finite; give finite forces and torques times time.",
        strike(rod.origin(), {.force = {std::nan(""), 0}}));
    expect_error<ModelError>("collide: the normal has no direction; give finite components that are not all zero.",
                             hit(rod.origin(), bead, {0, 0}, 1));
    expect_error<ModelError>("collide: restitution is 1.5; expected 0 (plastic) to 1 (elastic).",
                             hit(rod.origin(), bead, {0, 1}, 1.5));
    expect_error<ModelError>("collide: 'rod' would collide with itself; give two bodies.",
                             hit(rod.origin(), rod, {0, 1}, 1));
    expect_error<ModelError>(
        "collide: model 'things': constraints hold 'rod' and 'ground' along the normal, so that no impulse can change "
        "their velocities; give another normal or another point.",
        hit(rod.origin(), model.ground(), {1, 0}, 1));
    const Impact<Planar> good = apply_impulse(*equations, state, rod.origin(), {.force = {0, 1}});
    EXPECT_NO_THROW(good.reaction(pin));
    expect_error<ModelError>(
        "Impact::reaction: the constraint is of another model; use a handle of the model that was struck.", [&] {
          good.reaction(ConstraintRef<Planar>{0, stranger.model()});
        });
    expect_error<ModelError>("apply_impulse: model 'things': the generalised impulse must have n_v = " +
                                 std::to_string(equations->dimensions().v) + " finite entries; it has 1.",
                             [&] { apply_impulse(*equations, state, Eigen::VectorXd::Zero(1)); });
  }
  Pendulum pendulum;
  State state = pendulum.initial_state();
  expect_error<ModelError>(
      "apply_impulse: impulses on frames of a planar model were given to 'pendulum' (none); use frames of its own "
      "model, or a generalised impulse.",
      [&] {
        apply_impulse(pendulum, state, rod.origin(), {.force = {1, 0}});
      });
}

TEST(Impulse, OfASingularMatrixEndsWithItsReason) {
  PlanarModel model("free node");
  auto node = model.add_body<MasslessNode>("node");
  model.add_body("rod", MassProperties::rod(1, 1));
  const auto equations = posed(model, Formulation::absolute);
  State state = start_of(*equations);
  EXPECT_TRUE(contains(error_of([&] {
                         apply_impulse(*equations, state, node.origin(), {.force = {1, 0}});
                       }),
                       "apply_impulse: model 'free node': the impulses of the joints can't be found at t = 0 s: "));
}

}  // namespace impulses_test
}  // namespace linkwork::test
