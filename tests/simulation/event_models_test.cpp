// Events of mechanisms, with default options, by all integrators and in all formulations.

#include "../core/expect_error.hpp"
#include "../messages.hpp"

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/driven_revolute.hpp>
#include <linkwork/joints/revolute.hpp>
#include <linkwork/joints/spherical.hpp>
#include <linkwork/solvers/formulations/impulses.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace linkwork::test {
namespace event_models_test {

using std::numbers::pi;
constexpr double gravity = 9.81;
constexpr Formulation formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

std::vector<IntegratorOptions> integrators(double tolerance) {
  return {ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}, BdfOptions{.rtol = tolerance, .atol = tolerance},
          RadauOptions{.rtol = tolerance, .atol = tolerance}};
}
const std::vector<IntegratorOptions> by_default{ExtrapolationOptions{}, BdfOptions{}, RadauOptions{}};

/// A ball that is thrown up from -0.5 m.
struct ThrownBall {
  PlanarModel model{"ball"};
  BodyRef<Planar> ball = model.add_body("ball", MassProperties::planar(1, 0.01));
  explicit ThrownBall(double speed) {
    model.set_gravity({0, -gravity});
    ball.place({0, -0.5}).move({0, speed});
    model.add_observable("gap", "m",
                         [b = ball](const Snapshot<Planar>& at) { return -at.pose(b.origin()).position.y(); });
  }
};

TEST(EventModels, ABallThatIsAboveAThinCeilingForPartOfAStepIsSeen) {
  constexpr double speed = 3.2;
  const double root = std::sqrt(speed * speed - 2 * gravity * 0.5);
  const double up = (speed - root) / gravity, down = (speed + root) / gravity;
  for (const IntegratorOptions& integrator : by_default)
    for (const Formulation formulation : formulations)
      for (const double t_end : {0.4, 1.0, 2.0, 4.0}) {
        ThrownBall thrown(speed);
        Simulation simulation(thrown.model, {.formulation = formulation, .integrator = integrator});
        simulation.add_event({.name = "both", .observable = "gap"});
        simulation.add_event({.name = "up", .observable = "gap", .direction = Event::Direction::falling});
        simulation.add_event({.name = "down",
                              .observable = "gap",
                              .direction = Event::Direction::rising,
                              .action = Event::Action::stop});
        const Trajectory& path = simulation.run(0, t_end);
        const std::vector<EventRecord>& events = path.events();
        const std::string where = concat(simulation.integrator_name(), ' ', name_of(formulation), " to ", t_end);
        ASSERT_EQ(events.size(), 4u) << where;
        // The motion is a parabola, which every method follows to its tolerance of 1e-6 or better; the slope is 0.65.
        EXPECT_NEAR(events[0].t, up, 1e-5) << where;
        EXPECT_NEAR(events[1].t, up, 1e-5) << where;
        EXPECT_NEAR(events[2].t, down, 1e-5) << where;
        EXPECT_NEAR(path.t_end(), down, 1e-5) << where;
      }
}

TEST(EventModels, ABallThatJustMissesACeilingHasNone) {
  ThrownBall thrown(std::sqrt(2 * gravity * 0.5) - 1e-4);
  for (const IntegratorOptions& integrator : integrators(1e-8)) {
    Simulation simulation(thrown.model, {.integrator = integrator});
    simulation.add_event({.observable = "gap"});
    EXPECT_TRUE(simulation.run(0, 2).events().empty()) << simulation.integrator_name();
  }
}

TEST(EventModels, TurningPointsInLongStepsAreTheSameForAll) {
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX()));
  const Eigen::Vector3d arm = tilt * Eigen::Vector3d(0, 0, 0.3), spin = tilt * Eigen::Vector3d(0, 0, 4);
  std::vector<double> reference;
  for (const double tolerance : {1e-10, 1e-4, 1e-6})
    for (const Formulation formulation : {Formulation::relative, Formulation::absolute})
      for (const IntegratorOptions& integrator : integrators(tolerance)) {
        if (tolerance > 1e-5 && integrator.get_if<BdfOptions>()) continue;  // off in phase itself
        SpatialModel model("top");
        model.set_gravity({0, 0, -gravity});
        auto top = model.add_body("top", MassProperties::cylinder(1.0, 0.4, 0.05, Axis::z()));
        top.place(arm, tilt).move(spin.cross(arm), spin);
        model.add_joint<Spherical>("tip", model.ground().origin(), top.at({0, 0, -0.3}));
        model.add_observable("vz", "m/s",
                             [=](const Snapshot<Spatial>& s) { return s.velocity(top.origin()).linear.z(); });
        Simulation simulation(model, {.formulation = formulation, .integrator = integrator});
        simulation.add_event({.name = "turning", .observable = "vz"});
        std::vector<double> times;
        for (const EventRecord& event : simulation.run(0, 5).events()) times.push_back(event.t);
        if (reference.empty()) reference = times;
        ASSERT_EQ(times.size(), reference.size())
            << simulation.integrator_name() << ' ' << name_of(formulation) << ' ' << tolerance;
        for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], reference[i], 0.02);
      }
  EXPECT_GE(reference.size(), 8u);
}

TEST(EventModels, EveryTurnOfADrivenCrankIsSeenInStepsThatAreLonger) {
  // Its motion is known to every method, so that steps grow long, or as long as a turn where they are held to it.
  for (const Formulation formulation : formulations)
    for (const double longest : {0.0, 0.25}) {
      const std::vector<IntegratorOptions> all{ExtrapolationOptions{.maximum_step = longest},
                                               BdfOptions{.maximum_step = longest},
                                               RadauOptions{.maximum_step = longest}};
      for (const IntegratorOptions& integrator : all) {
        PlanarModel model("crank");
        auto crank = model.add_body("crank", MassProperties::rod(1, 1)).place({0.5, 0}).move({0, 4 * pi}, 8 * pi);
        auto wheel = model.add_body("wheel", MassProperties::planar(1, 1)).place({3, 0});  // at rest
        model.add_joint<Revolute>("axle", model.ground().at({3, 0}), wheel.origin());
        const Input turning([](double t) { return InputValue{8 * pi * t, 8 * pi, 0}; });
        model.add_joint<DrivenRevolute>("motor", model.ground().origin(), crank.at({-0.5, 0}), turning);
        model.add_observable("height", "m", [=](const Snapshot<Planar>& at) {
          return at.pose(crank.at({0.5, 0})).position.y() - 0.95;
        });
        Simulation simulation(model, {.formulation = formulation, .integrator = integrator});
        simulation.add_event({.name = "high", .observable = "height"});
        const Trajectory& path = simulation.run(0, 2);
        const std::string where = concat(simulation.integrator_name(), ' ', name_of(formulation), ' ', longest);
        ASSERT_EQ(path.events().size(), 16u) << where;
        for (std::size_t i = 0; i < 16; ++i) {
          const double angle = i % 2 == 0 ? std::asin(0.95) : pi - std::asin(0.95);
          EXPECT_NEAR(path.events()[i].t, (angle / (2 * pi) + static_cast<double>(i / 2)) / 4, 1e-6) << where;
        }
      }
    }
}

TEST(EventModels, AHammerMeetsItsStopInEveryFormulation) {
  // A pendulum that is let go from the horizontal, stopped on its way by a buffer 1 degree behind the vertical.
  const double angle = pi / 180;
  std::vector<double> times;
  for (const Formulation formulation : formulations)
    for (const IntegratorOptions& integrator : by_default) {
      PlanarModel model("hammer");
      model.set_gravity({0, -gravity});
      auto hammer = model.add_body("hammer", MassProperties::rod(1, 1)).place({0.5, 0});
      model.add_joint<Revolute>("hinge", model.ground().origin(), hammer.at({-0.5, 0}));
      model.add_observable("gap", "m", [=](const Snapshot<Planar>& at) {
        return at.pose(hammer.at({0.5, 0})).position.x() + std::sin(angle);
      });
      Simulation simulation(model, {.formulation = formulation, .integrator = integrator});
      simulation.add_event({.name = "stop",
                            .observable = "gap",
                            .direction = Event::Direction::falling,
                            .action = Event::Action::change,
                            .effect = [&](State& state, EquationsOfMotion& equations) {
                              collide(equations, state, hammer.at({0.5, 0}), model.ground(), {1, 0}, 0.8);
                            }});
      const Trajectory& path = simulation.run(0, 3);
      const std::string where = concat(simulation.integrator_name(), ' ', name_of(formulation));
      Eigen::VectorXd values;
      double lowest = 1;
      for (int i = 0; i <= 300; ++i) {
        simulation.equations().observables(path.at(0.01 * i), values);
        lowest = std::min(lowest, values[0]);
      }
      EXPECT_GT(lowest, -1e-4) << where;  // never beyond, but for the error of what is read
      ASSERT_GE(path.events().size(), 2u) << where;
      if (times.empty()) times = {path.events()[0].t, path.events()[1].t};
      EXPECT_NEAR(path.events()[0].t, times[0], 1e-3) << where;
      EXPECT_NEAR(path.events()[1].t, times[1], 1e-3) << where;
    }
}

// --------------------------------------------------------------------------------------- bounces that come to rest

/// A ball that falls from 1 m.
struct BouncingBall {
  PlanarModel model{"ball"};
  BodyRef<Planar> ball = model.add_body("ball", MassProperties::planar(1, 0.01));
  BouncingBall() {
    model.set_gravity({0, -gravity});
    ball.place({0, 1});
    model.add_observable("height", "m",
                         [b = ball](const Snapshot<Planar>& at) { return at.pose(b.origin()).position.y(); });
  }
  Event bounce(std::function<void(State&, EquationsOfMotion&)> effect) const {
    return {.observable = "height",
            .direction = Event::Direction::falling,
            .action = Event::Action::change,
            .effect = std::move(effect)};
  }
};

constexpr const char* advice =
    "an event makes impacts, but no contact that carries: stop the run there, by an observer that returns false or an "
    "event that stops, and go on with a model that has a joint or a stiff spring in its place";

double lowest_height(Simulation& simulation) {
  Eigen::VectorXd values;
  double lowest = 1e300;
  const Trajectory& path = simulation.trajectory();
  for (int i = 0; i <= 1000; ++i) {
    simulation.equations().observables(path.at(path.t_end() * i / 1000), values);
    lowest = std::min(lowest, values[0]);
  }
  return lowest;
}

TEST(EventModels, AnEffectThatEndsTheMotionOnAFloorEndsTheRunThere) {
  for (const IntegratorOptions& integrator : by_default)
    for (const Formulation formulation : formulations)
      for (const double slowest : {1e-2, 100.0}) {  // at the end of the bounces, and at once
        BouncingBall it;
        Simulation simulation(it.model, {.formulation = formulation, .integrator = integrator});
        simulation.add_event(it.bounce([=](State& s, EquationsOfMotion&) {
          s.v[2] *= -0.8;
          if (std::abs(s.v[2]) < slowest) s.v[2] = 0;
        }));
        const std::string what = error_of([&] { simulation.run(0, 6); });
        const std::string where = concat(simulation.integrator_name(), ' ', name_of(formulation), ": ", what);
        EXPECT_TRUE(contains(what,
                             "event 'height': its effect leaves the function at rest at zero, and what acts then "
                             "takes it to the side that direction `falling` keeps it from; "))
            << where;
        EXPECT_TRUE(contains(what, advice)) << where;
        // Steps that begin so short that gravity is lost in rounding are taken.
        EXPECT_NEAR(simulation.trajectory().t_end(), simulation.trajectory().events().back().t, 1e-6) << where;
        EXPECT_GT(lowest_height(simulation), -1e-5) << where;  // the error of what is read between steps
      }
}

TEST(EventModels, APlasticImpactOnAFloorEndsTheRunThere) {
  BouncingBall it;
  Simulation simulation(it.model, {});
  simulation.add_event(it.bounce([&](State& state, EquationsOfMotion& equations) {
    collide(equations, state, it.ball.origin(), it.model.ground(), {0, 1}, 0);
  }));
  EXPECT_TRUE(contains(error_of([&] { simulation.run(0, 6); }), advice));
  EXPECT_NEAR(simulation.trajectory().t_end(), std::sqrt(2 / gravity), 1e-6);
}

TEST(EventModels, BouncesWithoutEndAreToldWhatToDo) {
  BouncingBall it;
  Simulation simulation(it.model, {});
  simulation.add_event(it.bounce([](State& s, EquationsOfMotion&) { s.v[2] *= -0.8; }));
  const std::string what = error_of([&] { simulation.run(0, 6); });
  EXPECT_TRUE(contains(what, "event 'height': the times between its zeros shrink towards nothing")) << what;
  EXPECT_TRUE(contains(what, advice)) << what;
  EXPECT_GT(lowest_height(simulation), -1e-6);

  // As the message says: an observer that returns false.
  for (const IntegratorOptions& integrator : by_default) {
    Simulation stopped(it.model, {.integrator = integrator});
    bool rests = false;
    stopped.add_event(it.bounce([&](State& s, EquationsOfMotion&) {
      s.v[2] *= -0.8;
      rests = std::abs(s.v[2]) < 1e-2;
      if (rests) s.v[2] = 0;
    }));
    stopped.observe([&](const State&, EquationsOfMotion&) { return !rests; });
    const Trajectory& path = stopped.run(0, 6);
    EXPECT_NEAR(path.final_state().p[2], 0, 1e-12);
    EXPECT_EQ(path.final_state().v[2], 0);
    EXPECT_LT(path.t_end(), 5);
    EXPECT_GT(lowest_height(stopped), -1e-6);
  }
}

TEST(EventModels, AnEffectMayMoveTheBodyAndMayLetItThrough) {
  BouncingBall it;
  for (const IntegratorOptions& integrator : by_default) {
    Simulation lifted(it.model, {.integrator = integrator});
    lifted.add_event(it.bounce([](State& s, EquationsOfMotion&) {
      s.v[2] = 0;
      s.p[2] = 0.5;
    }));
    const double fall = std::sqrt(2 / gravity), again = std::sqrt(1 / gravity);
    const Trajectory& path = lifted.run(0, 2);
    ASSERT_EQ(path.events().size(), 5u) << lifted.integrator_name();
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(path.events()[i].t, fall + static_cast<double>(i) * again, 1e-5) << lifted.integrator_name();

    Simulation water(it.model, {.integrator = integrator});
    water.add_event(it.bounce([](State& s, EquationsOfMotion&) { s.v[2] *= 0.5; }));
    EXPECT_EQ(water.run(0, 1).events().size(), 1u) << water.integrator_name();
    EXPECT_LT(water.trajectory().final_state().p[2], -1) << water.integrator_name();
  }
  Simulation resized(it.model, {});
  resized.add_event(it.bounce([](State& s, EquationsOfMotion&) { s.v.resize(1); }));
  EXPECT_TRUE(contains(error_of([&] { resized.run(0, 6); }),
                       "the effect of event 'height' changed the size of the state; let it change values only."));
}

// ------------------------------------------------------------------------------------------------------- the cost

TEST(EventModels, FunctionsFarFromZeroAreAskedLittle) {
  // Of a pendulum that swings for a while: calls of the function for each step, the end of it included. Seen: 1.9 to
  // 2.1 for bdf, whose steps go on as before, and 5 to 9 for those with long ones, by the degree of their polynomials.
  for (const IntegratorOptions& integrator : integrators(1e-6)) {
    PlanarModel model("pendulum");
    model.set_gravity({0, -gravity});
    auto rod = model.add_body("rod", MassProperties::rod(1, 1)).place({0.5, 0});
    model.add_joint<Revolute>("hinge", model.ground().origin(), rod.at({-0.5, 0}));
    Simulation simulation(model, {.formulation = Formulation::relative, .integrator = integrator});
    int calls = 0;
    simulation.add_event({.name = "far", .function = [&](const State& state, EquationsOfMotion&) {
                            ++calls;
                            return state.p[0] + 7;
                          }});
    simulation.run(0, 20);
    const double share = calls / static_cast<double>(simulation.statistics().integrator.steps);
    EXPECT_LT(share, simulation.integrator_name() == "bdf" ? 2.5 : 10) << simulation.integrator_name();
    EXPECT_EQ(simulation.trajectory().events().size(), 0u);
  }
}

}  // namespace event_models_test
}  // namespace linkwork::test
