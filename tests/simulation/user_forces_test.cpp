// Runs of bdf with forces that users get wrong, or that make life hard: not finite after a while, read what they do not
// declare, act later than at the start, jump.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/forces/spring_damper.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>
#include "../messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkwork {
namespace user_forces_test {

using test::contains;
using test::error_of;

/// A user's force between two sliders, along x, by their distance and its rate.
class Contact final : public ForceElement<Planar> {
 public:
  using Law = std::function<double(double t, double distance, double rate)>;
  Contact(const Frame<Planar>& a, const Frame<Planar>& b, Law law, std::optional<ForceUse> use)
      : ForceElement<Planar>({a, b}), law_(std::move(law)), use_(std::move(use)) {}
  std::string_view type() const override { return "contact"; }
  std::optional<ForceUse> use() const override { return use_; }

 private:
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    const double force = law_(m.time(), m.frame(1).pose.position.x() - m.frame(0).pose.position.x(),
                              m.frame(1).velocity.linear.x() - m.frame(0).velocity.linear.x());
    sums.add_force(0, {force, 0});
    sums.add_force(1, {-force, 0});
  }
  Law law_;
  std::optional<ForceUse> use_;
};

const std::optional<ForceUse> undeclared = std::nullopt, whole = ForceUse{};

/// Two sliders on springs, 1 m apart, and the user's force "stop" between them.
PlanarModel sliders(const Contact::Law& law, const std::optional<ForceUse>& use) {
  PlanarModel model("sliders");
  std::vector<BodyRef<Planar>> bodies;
  for (const double x : {0.0, 1.0}) {
    const std::string name = x == 0 ? "left" : "right";
    bodies.push_back(model.add_body(name, MassProperties::planar(1, 0.1)));
    bodies.back().place({x, 0}).move({x == 0 ? 1.0 : 0.0, 0});
    model.add_joint<Prismatic>(name + " guide", model.ground().at({x, 0}), bodies.back().origin(), Axis::x());
    model.add_force<SpringDamper>(name + " spring", model.ground().at({x - 2, 0}), bodies.back().origin(),
                                  {.stiffness = 30, .damping = 0.5, .free_length = 2});
  }
  model.add_force<Contact>("stop", bodies[0].origin(), bodies[1].origin(), law, use);
  return model;
}

SimulationOptions with(const IntegratorOptions& integrator) {
  SimulationOptions options;
  options.formulation = Formulation::relative;
  options.integrator = integrator;
  return options;
}

const std::vector<IntegratorOptions>& all_integrators() {
  static const std::vector<IntegratorOptions> all = {BdfOptions{}, RadauOptions{}, ExtrapolationOptions{}};
  return all;
}

/// Runs to 1 s, and says how that failed and when.
std::string failure_of(Simulation& simulation, double& reached) {
  return error_of([&] {
    try {
      simulation.run(0, 1);
    } catch (const RunError& error) {
      reached = error.time_reached();
      throw;
    }
  });
}

TEST(UserForces, ThatAreNotFiniteAfterAWhileAreNamedWithTheTime) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const IntegratorOptions& integrator : all_integrators()) {
    Simulation simulation(sliders([&](double t, double, double) { return t > 0.3 ? nan : 0.0; }, whole),
                          with(integrator));
    double reached = 0;
    const std::string message = failure_of(simulation, reached);
    EXPECT_TRUE(contains(message, "model 'sliders': the run stopped at t = ")) << message;
    EXPECT_TRUE(contains(message, "'stop'")) << message;
    EXPECT_TRUE(contains(message, "force 'stop' (contact) gives a force that is not finite at t = 0.3")) << message;
    EXPECT_TRUE(contains(message, "(nan, 0) N and (0) N m on its frame 0")) << message;
    EXPECT_NEAR(reached, 0.3, 1e-2);  // as near as ten steps a quarter each come
    // What was computed is there: the sliders' springs at rest, and their own motion since.
    EXPECT_EQ(simulation.trajectory().t_end(), reached);
    EXPECT_EQ(simulation.trajectory().final_state().t, reached);
    EXPECT_TRUE(simulation.trajectory().at(0.5 * reached).p.allFinite());
  }
}

// What is declared wrongly shows where the force begins to use it.
TEST(UserForces, ThatReadWhatTheyDoNotDeclareAreFoundByTheCheckOfARun) {
  FrameUse position;
  position.rotation = position.velocity = position.angular_velocity = position.torque = false;
  const ForceUse lie{.frames = {position, position}};
  const auto model = sliders([](double t, double, double rate) { return t > 0.2 ? 10 * rate : 0.0; }, lie);
  for (const IntegratorOptions& integrator : all_integrators()) {
    SimulationOptions options = with(integrator);
    Simulation(model, options).run(0, 0.5);  // without a word, more or less well
    options.check_declarations = true;
    Simulation checked(model, options);
    const std::string message = error_of([&] { checked.run(0, 0.5); });
    EXPECT_TRUE(contains(message, "force 'stop' (contact) reads the velocity of frame ")) << message;
    EXPECT_TRUE(contains(message, "and does not declare it")) << message;
    EXPECT_GT(checked.trajectory().t_end(), 0.15);

    Simulation honest(sliders([](double t, double, double rate) { return t > 0.2 ? 10 * rate : 0.0; }, whole), options);
    EXPECT_NO_THROW(honest.run(0, 0.5));
  }
}

/// A stiff stop that the sliders meet after 0.1 s or so.
double stiff_stop(double, double distance, double rate) {
  const double depth = 0.9 - distance;
  return depth > 0 ? -1e5 * depth * depth + 20 * depth * rate : 0.0;
}

template <class Options>
void expect_late_forces_to_be_found() {
  Options tight;
  tight.rtol = tight.atol = 1e-8;
  const auto end = [](const Simulation& simulation) { return simulation.trajectory().final_state().p; };
  Simulation declared(sliders(stiff_stop, whole), with(tight));
  declared.run(0, 1);
  EXPECT_GT(std::abs(end(declared)[1]), 1e-3);  // they have met
  for (const JacobianPattern pattern : {JacobianPattern::exact, JacobianPattern::estimated}) {
    Options options = tight;
    options.jacobian.pattern = pattern;
    Simulation simulation(sliders(stiff_stop, undeclared), with(options));
    simulation.run(0, 1);
    EXPECT_LT((end(simulation) - end(declared)).norm(), 1e-5);  // a thousand tolerances, over an impact
    EXPECT_LT(simulation.statistics().integrator.steps, 2 * declared.statistics().integrator.steps);
  }
}

// Entries that are zero at the start: an estimated pattern finds them when Newton's iteration misses them (CORR 3.1),
// and so does an exact one that is declared in part.
TEST(UserForces, ThatActLaterAndDeclareNothingGiveTheMotionOfDeclaredOnes) {
  expect_late_forces_to_be_found<BdfOptions>();
  expect_late_forces_to_be_found<RadauOptions>();
}

// The step grows again after each jump of a force that is switched on and off.
TEST(UserForces, ThatJumpLetTheStepRecover) {
  const auto jumping = [](double t, double, double) { return std::fmod(t, 1.0) < 0.5 ? 0.0 : 5.0; };
  const auto recovers = [&](const IntegratorOptions& integrator, double share) {
    Simulation simulation(sliders(jumping, undeclared), with(integrator));
    const Trajectory& path = simulation.run(0, 3);
    const auto step_in = [&](double from, double to, const auto& choice, double start) {
      double out = start;
      for (const TrajectorySegment& segment : path.segments())
        if (segment.end.t > from && segment.begin.t < to) out = choice(out, segment.end.t - segment.begin.t);
      return out;
    };
    const auto larger = [](double a, double b) { return std::max(a, b); };
    const auto smaller = [](double a, double b) { return std::min(a, b); };
    const double undisturbed = step_in(0, 0.4, larger, 0);
    for (const double jump : {0.5, 1.0, 1.5, 2.0, 2.5}) {
      EXPECT_LT(step_in(jump - 0.01, jump + 0.05, smaller, 1), 0.1 * undisturbed) << jump;
      EXPECT_GT(step_in(jump + 0.1, jump + 0.4, larger, 0), share * undisturbed) << jump;
    }
  };
  recovers(BdfOptions{.rtol = 1e-5, .atol = 1e-5}, 0.5);
  recovers(RadauOptions{.rtol = 1e-5, .atol = 1e-5}, 0.5);
}

/// A valve with a pressure w that 0 = d(w) determines until it jams.
class Valve final : public ForceElement<Planar> {
 public:
  Valve(const Frame<Planar>& frame, double jams_at) : ForceElement<Planar>({frame}), jams_at_(jams_at) {}
  std::string_view type() const override { return "valve"; }
  int auxiliaries() const override { return 1; }

 private:
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    sums.add_force(0, {-m.auxiliary(0), 0});
  }
  void do_auxiliary(const Motion<Planar>& m, double* d) const override {
    d[0] = m.time() < jams_at_ ? (jams_at_ - m.time()) * (m.auxiliary(0) - m.frame(0).velocity.linear.x()) : 0.0;
  }
  double jams_at_;
};

// An element's equation that ceases to determine its unknown: each integrator says which. A push shortly after makes
// steps small, so that matrices are renewed.
TEST(UserForces, WhoseUnknownsNothingDeterminesAnyMoreMakeASingularJacobianThatNamesThem) {
  BdfOptions bdf;
  bdf.jacobian.partitioned = PartitionedUpdates::off;
  for (const IntegratorOptions& integrator :
       {IntegratorOptions(bdf), IntegratorOptions(RadauOptions{}), IntegratorOptions(ExtrapolationOptions{})}) {
    PlanarModel model = sliders([](double t, double, double) { return t > 0.35 ? 5.0 : 0.0; }, whole);
    model.add_force<Valve>("brake", model.body("left").origin(), 0.3);
    Simulation simulation(model, with(integrator));
    double reached = 0;
    const std::string message = failure_of(simulation, reached);
    EXPECT_TRUE(contains(message, "singular")) << message;
    EXPECT_TRUE(contains(message, "brake: auxiliary variable 1") || contains(message, "'brake'")) << message;
    EXPECT_GE(reached, 0.29);
    EXPECT_LE(reached, 0.36);
  }
}

/// What a user's own library throws: none of Linkwork's failures.
struct LicenceExpired : std::exception {
  const char* what() const noexcept override { return "licence expired"; }
};

// A stop that the user's function asks for: any exception but RecoverableFailure ends a run at once; it is nested in
// the RunError, which names the element.
TEST(UserForces, MayEndARunByAnExceptionOfTheirOwn) {
  for (const IntegratorOptions& integrator : all_integrators()) {
    bool expired = true;
    const auto law = [&](double t, double, double) {
      if (expired && t > 0.3) throw LicenceExpired();
      return 0.0;
    };
    Simulation simulation(sliders(law, whole), with(integrator));
    try {
      simulation.run(0, 1);
      ADD_FAILURE() << "the run went on";
    } catch (const RunError& error) {
      EXPECT_TRUE(contains(error.what(), "'stop' at t = ")) << error.what();
      EXPECT_TRUE(contains(error.what(), ": licence expired")) << error.what();
      EXPECT_THROW(test::rethrow_innermost(error), LicenceExpired);
    }
    EXPECT_GT(simulation.trajectory().t_end(), 0.1);  // what was computed is there ...
    EXPECT_LE(simulation.trajectory().t_end(), 0.3);
    expired = false;
    EXPECT_EQ(simulation.run(0, 1).t_end(), 1);  // ... and another run begins anew
  }
}

}  // namespace user_forces_test
}  // namespace linkwork
