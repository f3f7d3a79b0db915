// What elements tell of themselves: in snapshots, in series by name, in columns, as events and as conditions.

#include "../messages.hpp"

#include <linkwork/linkwork.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

namespace element_quantities_test {

using namespace linkwork;
using linkwork::test::contains;
using linkwork::test::error_of;

constexpr double stiffness = 40, damping = 3, free_length = 0.6, mass = 2, gravity = 9.81;

/// A force of one's own that tells a number, and one that it never writes.
class Fan final : public ForceElement<Planar> {
 public:
  explicit Fan(const Frame<Planar>& on) : ForceElement<Planar>({on}) {}
  std::string_view type() const override { return "fan"; }
  std::vector<ElementReport> reports() const override { return {{"thrust", "N"}, {"nothing"}}; }

 private:
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    sums.add_force(0, Eigen::Vector2d(std::sin(m.time()), 0));
  }
  void do_report(const Motion<Planar>& m, double* values) const override { values[0] = std::sin(m.time()); }
};

/// Two bodies on one slide, one held by a spring, with a rod that hangs on the other.
PlanarModel slide() {
  PlanarModel model("slide");
  model.set_gravity({0, -gravity});
  auto slider = model.add_body("slider", MassProperties::planar(mass, 0.1)).place({0.8, 0}).move({0.3, 0});
  auto bob = model.add_body<PointMass>("bob", 0.5).place({0.8, -0.5}).move({0.3, 0});
  model.add_joint<Prismatic>("guide", model.ground().origin(), slider.origin(), Axis::x());
  model.add_constraint<Rod>("rod", slider.origin(), bob.origin(), 0.5);
  model.add_force<SpringDamper>("buffer", model.ground().origin(), slider.origin(),
                                {.stiffness = stiffness, .damping = damping, .free_length = free_length});
  model.add_force<Fan>("fan", bob.origin());
  return model;
}

Simulation simulation_of(const PlanarModel& model, Formulation formulation = Formulation::absolute) {
  return Simulation(model,
                    {.formulation = formulation, .integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
}

const OutputPoints points = OutputPoints::equidistant(7);

TEST(ElementQuantities, OfASpringAreThoseOfItsLaw) {
  Simulation simulation = simulation_of(slide());
  const Trajectory path = simulation.run(0, 1);
  const auto series = [&](const std::string& name) { return path.values(name, points).values; };
  const auto x = series("slider: x"), v = series("slider: x velocity"), length = series("buffer: length"),
             rate = series("buffer: rate"), force = series("buffer: force"), power = series("buffer: power"),
             dissipation = series("buffer: dissipation");
  ASSERT_EQ(x.size(), 9u);
  // Rounding of numbers up to 10.
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(length[k], x[k], 1e-14);
    EXPECT_NEAR(rate[k], v[k], 1e-14);
    EXPECT_NEAR(force[k], stiffness * (x[k] - free_length) + damping * v[k], 1e-12);
    EXPECT_NEAR(power[k], -force[k] * v[k], 1e-12);
    EXPECT_NEAR(dissipation[k], damping * v[k] * v[k], 1e-12);
  }
}

TEST(ElementQuantities, AreTheSameInEveryFormulation) {
  const PlanarModel model = slide();
  const std::vector<std::string> names = {"buffer: length",         "buffer: force",
                                          "buffer: power",          "rod: tension",
                                          "rod: reaction force y",  "guide: reaction force y",
                                          "guide: reaction torque", "guide: coordinate 1",
                                          "guide: velocity 1",      "fan: thrust"};
  Simulation reference = simulation_of(model);
  const Trajectory absolute = reference.run(0, 1);
  for (const Formulation formulation : {Formulation::mixed, Formulation::relative}) {
    Simulation simulation = simulation_of(model, formulation);
    const Trajectory path = simulation.run(0, 1);
    for (const std::string& name : names) {
      const auto wanted = absolute.values(name, points).values, got = path.values(name, points).values;
      // Runs at 1e-9 differ by some hundred tolerances, times the stiffness.
      for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(got[k], wanted[k], 2e-5) << name << " at point " << k;
    }
  }
}

TEST(ElementQuantities, OfARodHoldTheBob) {
  const PlanarModel model = slide();
  const ConstraintRef<Planar> rod = model.constraint("rod");
  const Frame<Planar> slider = model.body("slider").origin(), bob = model.body("bob").origin();
  Simulation simulation = simulation_of(model);
  int looks = 0;
  simulation.run(0, 1).visit(points, [&](const State& state, EquationsOfMotion& equations) {
    measure(equations, state, [&](const Snapshot<Planar>& now) {
      const Eigen::Vector2d line = (now.pose(bob).position - now.pose(slider).position).normalized();
      const Eigen::Vector2d fan = now.wrench(model.force("fan"), 0).force;
      const Eigen::Vector2d pull = 0.5 * (now.acceleration(bob).linear + Eigen::Vector2d(0, gravity)) - fan;
      EXPECT_NEAR(now.reported(rod, "tension"), -pull.dot(line), 1e-10);
      EXPECT_NEAR(now.reported(rod, "length"), 0.5, 1e-13);
      EXPECT_NEAR(fan.x(), std::sin(state.t), 1e-15);
      ++looks;
      return 0.0;
    });
  });
  EXPECT_EQ(looks, 9);
}

TEST(ElementQuantities, AreColumnsOnlyWhereTheyAreAskedFor) {
  Simulation simulation = simulation_of(slide());
  const Trajectory path = simulation.run(0, 0.1);
  const auto head = [&](const std::vector<std::string>& patterns) {
    std::ostringstream out;
    path.write_csv(out, 10, patterns);
    return out.str().substr(0, out.str().find('\n'));
  };
  EXPECT_FALSE(contains(head({}), "buffer"));
  EXPECT_FALSE(contains(head({}), "reaction"));
  EXPECT_EQ(head({"buffer: *"}), "t,buffer: length,buffer: rate,buffer: force,buffer: power,buffer: dissipation");
  EXPECT_EQ(head({"guide: *"}),
            "t,guide: coordinate 1,guide: velocity 1,guide: reaction force x,guide: reaction force y,"
            "guide: reaction torque");
  EXPECT_EQ(head({"rod: *"}),
            "t,rod: reaction force x,rod: reaction force y,rod: reaction torque,rod: length,rod: tension");
}

TEST(ElementQuantities, OfTheFormulationsOwnCoordinatesStandThereOnce) {
  Simulation simulation = simulation_of(slide(), Formulation::relative);
  const Trajectory path = simulation.run(0, 0.1);
  std::ostringstream out;
  path.write_csv(out, 10, {"guide: coordinate*"});
  EXPECT_EQ(out.str().substr(0, out.str().find('\n')), "t,guide: coordinate 1");
}

TEST(ElementQuantities, AreEventsAndConditions) {
  const PlanarModel model = slide();
  Simulation simulation = simulation_of(model);
  simulation.add_event({.observable = "buffer: force", .direction = Event::Direction::falling});
  const Trajectory path = simulation.run(0, 2);
  ASSERT_FALSE(path.events().empty());
  const double t = path.events().front().t;
  EXPECT_NEAR(path.values("buffer: force", OutputPoints::given({t})).values.front(), 0, 1e-7);
  EXPECT_TRUE(contains(error_of([&] { simulation.add_event({.observable = "buffer: farce"}); }),
                       "has no observable 'buffer: farce'"));

  Simulation started = simulation_of(model);
  InitialConditions start;
  start.fix("buffer: length", 0.7);
  started.set_initial_conditions(start);
  EXPECT_NEAR(started.run(0, 0).values("slider: x").values.front(), 0.7, 1e-9);
}

TEST(ElementQuantities, OfPlanarJointsCountFullTurns) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    PlanarModel model("wheel");
    auto turning = model.add_body("wheel", MassProperties::planar(1, 1)).place({0, 0}, 1).move({0, 0}, 3);
    model.add_joint<Revolute>("bearing", model.ground().origin(), turning.origin());
    Simulation simulation = simulation_of(model, formulation);
    simulation.add_event({.name = "zero", .observable = "bearing: coordinate 1"});
    const Trajectory done = simulation.run(0, 5);
    EXPECT_NEAR(done.values("bearing: coordinate 1", points).values.back(), 16, 1e-7) << name_of(formulation);
    EXPECT_TRUE(done.events().empty()) << name_of(formulation);
  }
}

// In space they are those nearest to zero: where they jump from half a turn to the other one is no zero.
TEST(ElementQuantities, OfSpatialJointsHaveZerosAtFullTurnsOnly) {
  SpatialModel model("wheel");
  auto turning = model.add_body("wheel", MassProperties::sphere(1, 1)).move({0, 0, 0}, {0, 0, 1});
  turning.place({0, 0, 0}, Eigen::Quaterniond(Eigen::AngleAxisd(1, Eigen::Vector3d::UnitZ())));
  model.add_joint<Revolute>("bearing", model.ground().origin(), turning.origin(), Axis::z());
  Simulation simulation(model, {.integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  simulation.add_event({.name = "zero", .observable = "bearing: coordinate 1"});
  const Trajectory done = simulation.run(0, 13);
  ASSERT_EQ(done.events().size(), 2u);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(done.events()[k].t, 2 * (k + 1) * std::numbers::pi - 1, 1e-7);
}

TEST(ElementQuantities, ThatNobodyWritesAreNoNumbers) {
  Simulation simulation = simulation_of(slide());
  const Trajectory path = simulation.run(0, 0.1);
  EXPECT_TRUE(std::isnan(path.values("fan: nothing").values.front()));
}

/// Reports under names that are given.
class Named final : public ForceElement<Planar> {
 public:
  Named(const Frame<Planar>& on, std::vector<ElementReport> reports)
      : ForceElement<Planar>({on}), reports_(std::move(reports)) {}
  std::string_view type() const override { return "named"; }
  std::vector<ElementReport> reports() const override { return reports_; }

 private:
  void do_add_to(const Motion<Planar>&, ForceSums<Planar>&) const override {}
  std::vector<ElementReport> reports_;
};

TEST(ElementQuantities, NeedNamesThatDiffer) {
  PlanarModel model("m");
  auto body = model.add_body("body", MassProperties::planar(1, 1));
  using Reports = std::vector<ElementReport>;
  EXPECT_EQ(error_of([&] {
              model.add_force<Named>("a", body.origin(), Reports{{"x", "m"}, {"x", "N"}});
            }),
            "add_force: force 'a' (named) has two reports of the name 'x'; give them names that differ.");
  EXPECT_EQ(error_of([&] {
              model.add_force<Named>("a", body.origin(), Reports{{"", "m"}});
            }),
            "add_force: force 'a' (named) has a report without a name; give each a name.");
}

TEST(ElementQuantities, AreAskedForByNamesThatAreThere) {
  const PlanarModel model = slide();
  const ForceRef<Planar> buffer = model.force("buffer");
  EXPECT_EQ(error_of([&] { report_of(buffer, "lenght"); }),
            "force 'buffer' (spring-damper) reports no 'lenght'; it reports length, rate, force, power, dissipation.");
  EXPECT_EQ(error_of([&] { reaction_component(model.constraint("rod"), 3); }),
            "'rod': component 3 of the reaction was asked for; expected 0 to 2, the torque first.");
  Simulation simulation = simulation_of(model);
  const Trajectory path = simulation.run(0, 0.1);
  EXPECT_TRUE(contains(error_of([&] { path.values("buffer: lenght"); }), "there is no 'buffer: lenght'"));
  const auto look = [&](const auto& read) {
    return error_of([&] {
      measure(simulation.equations(), path.final_state(), [&](const Snapshot<Planar>& now) { return read(now); });
    });
  };
  EXPECT_EQ(look([&](const auto& now) { return now.reported(buffer, "lenght"); }),
            "force 'buffer' reports no 'lenght'; it reports length, rate, force, power, dissipation.");
  EXPECT_EQ(look([&](const auto& now) { return now.reported(model.joint("guide"), "load"); }),
            "joint 'guide' reports nothing of its own, and no 'load'; read its coordinates and its reaction.");
  EXPECT_EQ(look([&](const auto& now) { return now.wrench(buffer, 2).force.x(); }),
            "force 'buffer' has no frame 2; it has 2, counted from 0.");
}

/// A model whose force elements all are reported beside what they put on their frames.
template <class Space>
struct Bench {
  Model<Space> model{"bench"};
  std::vector<ForceRef<Space>> forces;

  Bench() {
    const Vector<Space> x = Vector<Space>::Unit(0), y = Vector<Space>::Unit(1);
    auto first = model.add_body("first", properties()), second = model.add_body("second", properties());
    first.place(0.1 * y).move(0.3 * x, spin(0.4));
    second.place(x + 0.4 * y, turned(0.3)).move(0.2 * y - 0.1 * x, spin(-0.7));
    const Frame<Space> a = first.at(0.1 * x), b = second.at(-0.2 * y);
    const auto add = [&](const ForceRef<Space>& force) { forces.push_back(force); };
    add(model.template add_force<SpringDamper>("spring", a, b, {.stiffness = 3, .damping = 0.5, .free_length = 0.4}));
    add(model.template add_force<SeriesSpringDamper>("series", a, b,
                                                     {.stiffness = 5, .damping = 0.5, .free_length = 0.4}));
    add(model.template add_force<AirSpring>("air", a, b, {.force = 3, .length = 0.9, .gas_height = 1}));
    const auto command = [](const Motion<Space>&) { return 1.0; };
    using Motor = Actuator<Space>;
    typename Motor::Options motor{.command = command, .time_constant = 0.1, .initial = 2};
    if constexpr (Space::dimension == 3) motor.axis = x + 2 * y;
    add(model.template add_force<Actuator>("motor", a, b, motor));
    add(model.template add_force<Actuator>(
        "jack", a, b,
        {.command = command, .time_constant = 0.1, .initial = 2, .effort = Motor::Effort::force, .axis = x}));
    typename Bushing<Space>::Options soft;
    soft.stiffness = 4 * Bushing<Space>::Matrix::Identity();
    soft.damping = 0.3 * Bushing<Space>::Matrix::Identity();
    add(model.template add_force<Bushing>("bushing", a, b, soft));
    if constexpr (Space::dimension == 2)
      add(model.template add_force<TorsionSpringDamper>("torsion", a, b, {.stiffness = 3, .damping = 0.5}));
    else
      add(model.template add_force<TorsionSpringDamper<Space>>(
          "torsion", a, b, Axis::z(), typename TorsionSpringDamper<Space>::Options{.stiffness = 3, .damping = 0.5}));
    add(model.template add_force<AppliedForce>("push", a, Vector<Space>(2 * x - y), AppliedAxes::frame));
    add(model.template add_force<AppliedTorque>("twist", b, torque(), AppliedAxes::frame));
  }

  static MassProperties properties() {
    if constexpr (Space::dimension == 2)
      return MassProperties::planar(1, 0.2);
    else
      return MassProperties::box(1, {0.3, 0.2, 0.4});
  }
  static auto spin(double omega) {
    if constexpr (Space::dimension == 2)
      return omega;
    else
      return Eigen::Vector3d(0.2, -0.5 * omega, omega);
  }
  static auto turned(double angle) {
    if constexpr (Space::dimension == 2)
      return angle;
    else
      return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d(0.1, 0.3, 1).normalized()));
  }
  static auto torque() {
    if constexpr (Space::dimension == 2)
      return 1.5;
    else
      return Eigen::Vector3d(0.3, -0.2, 1.5);
  }
};

template <class Space>
void expect_power_of_wrenches() {
  Bench<Space> bench;
  Simulation simulation(bench.model);
  const Trajectory path = simulation.run(0, 0.2);
  for (const double t : {0.0, 0.1, 0.2})
    for (const ForceRef<Space>& force : bench.forces)
      measure(simulation.equations(), path.at(t), [&](const Snapshot<Space>& now) {
        const auto& element = *element_of(force).force;
        double power = 0;
        for (std::size_t k = 0; k < element.frames().size(); ++k) {
          const Wrench<Space> wrench = now.wrench(force, static_cast<int>(k));
          const Twist<Space> velocity = now.velocity(element.frames()[k]);
          power += wrench.force.dot(velocity.linear) + dot(wrench.torque, velocity.angular);
        }
        EXPECT_NEAR(now.reported(force, "power"), power, 1e-12) << element_of(force).name << " at " << t;
        for (const ElementReport& report : element.reports())
          EXPECT_TRUE(std::isfinite(now.reported(force, report.name))) << element_of(force).name << report.name;
        return 0.0;
      });
}

TEST(ElementQuantities, TellThePowerOfTheirWrenchesInThePlane) { expect_power_of_wrenches<Planar>(); }
TEST(ElementQuantities, TellThePowerOfTheirWrenchesInSpace) { expect_power_of_wrenches<Spatial>(); }

TEST(ElementQuantities, OfATyreAtRestCarryTheWheel) {
  SpatialModel model("wheel");
  model.set_gravity({0, 0, -gravity});
  const double load = mass * gravity;
  auto wheel = model.add_body("wheel", MassProperties::cylinder(mass, 0.3, 0.1, Axis::y()));
  wheel.place({0, 0, 0.3 - load / 1e4});
  model.add_joint<Prismatic>("guide", model.ground().origin(), wheel.origin(), Axis::z());
  model.add_force<Tyre>("tyre", model.ground().origin(), wheel.origin(),
                        Tyre::Options{.radius = 0.3, .stiffness = 1e4, .cornering = 1e3, .cornering_load = 20});
  Simulation simulation(model);
  const Trajectory path = simulation.run(0, 0.1);
  EXPECT_NEAR(path.values("tyre: load").values.back(), load, 1e-6);
  EXPECT_NEAR(path.values("tyre: deflection").values.back(), load / 1e4, 1e-10);
  EXPECT_EQ(path.values("tyre: side force").values.back(), 0);
}

TEST(ElementQuantities, OfADiscThatRollsCarryItsWeight) {
  SpatialModel model("disc");
  model.set_gravity({0, 0, -gravity});
  auto disc = model.add_body("disc", MassProperties::cylinder(mass, 0.3, 0.01, Axis::y()));
  disc.place({0, 0, 0.3}).move({0.6, 0, 0}, {0, 2, 0});  // upright, straight ahead
  model.add_constraint<DiscOnPlane>("touch", model.ground().origin(), disc.origin(), 0.3);
  model.add_constraint<RollingDisc>("roll", model.ground().origin(), disc.origin(), 0.3);
  Simulation simulation(model);
  const Trajectory path = simulation.run(0, 0.2);
  EXPECT_NEAR(path.values("touch: load").values.back(), mass * gravity, 1e-6);
  EXPECT_NEAR(path.values("roll: friction force x").values.back(), 0, 1e-6);
}

TEST(ElementQuantities, OfAPointOnACircleAreItsCentripetalForce) {
  PlanarModel model("bead");
  auto bead = model.add_body<PointMass>("bead", mass).place({0.5, 0}).move({0, 2});
  model.add_constraint<PointOnPlaneCurve>("wire", model.ground().origin(), PlaneCurve::circle(0.5), bead.origin(), 0.0);
  Simulation simulation(model);
  // The left normal of the circle points to its middle.
  for (const double force : simulation.run(0, 1).values("wire: normal force", points).values)
    EXPECT_NEAR(force, mass * 4 / 0.5, 1e-4);
}

TEST(Attempts, AreAllStepsThatWereTriedAndNoneWhereStepsAreNotKept) {
  const PlanarModel model = slide();
  Simulation simulation(model, {.integrator = BdfOptions{.rtol = 1e-5, .atol = 1e-5}});
  const Trajectory path = simulation.run(0, 2);
  std::int64_t accepted = 0, rejected = 0;
  for (const StepAttempt& attempt : path.attempts()) {
    ++(attempt.accepted ? accepted : rejected);
    EXPECT_GT(attempt.step, 0);
    EXPECT_GE(attempt.order, 1);
    EXPECT_LE(attempt.order, 5);
  }
  EXPECT_EQ(accepted, simulation.statistics().integrator.steps);
  EXPECT_EQ(rejected, simulation.statistics().integrator.rejected_steps);
  Simulation spare(model, {.keep_dense_output = false, .keep_steps = false});
  EXPECT_TRUE(spare.run(0, 1).attempts().empty());
}

}  // namespace element_quantities_test
