// What people get wrong at first when they compose a mechanism: each mistake ends in an exception that names the
// element or option and says what to do. Those of the command line: tests/apps/beginners_mistakes_test.cpp. Those that
// must not compile: tests/core/wrong_calls.cpp.

#include "../messages.hpp"

#include <linkwork/linkwork.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace linkwork::test {
namespace beginners_mistakes_test {

MassProperties rod() { return MassProperties::rod(1, 1); }
MassProperties cube() { return MassProperties::box(1, {1, 1, 1}); }

std::pair<JointRef<Planar>, JointRef<Planar>> two_pins(PlanarModel& m) {
  const auto a = m.add_body("a", rod()), b = m.add_body("b", rod());
  const auto first = m.add_joint<Revolute>("first pin", m.ground().origin(), a.origin());
  return {first, m.add_joint<Revolute>("second pin", m.ground().origin(), b.origin())};
}

/// @param gap  by which the last pin misses its bearing [m]
void four_bar(PlanarModel& m, double gap) {
  auto a = m.add_body("a", rod()), b = m.add_body("b", rod());
  b.place({1, 0});
  m.add_joint<Revolute>("left", m.ground().origin(), a.at({-0.5, 0}));
  m.add_joint<Revolute>("knee", a.at({0.5, 0}), b.at({-0.5, 0}));
  m.add_joint<Revolute>("right", m.ground().at({1.5 + gap, 0.2}), b.at({0.5, 0}));
}

PlanarModel pendulum() {
  PlanarModel model("pendulum");
  model.set_gravity({0, -9.81});
  auto body = model.add_body("rod", rod());
  body.place({0.5, 0});
  model.add_joint<Revolute>("pin", model.ground().origin(), body.at({-0.5, 0}));
  return model;
}

struct Mistake {
  const char* name;
  std::function<void()> make;
  const char *subject, *cure;
};

const std::vector<Mistake> mistakes = {
    {"a body twice",
     [] {
       PlanarModel m;
       m.add_body("rod", rod());
       m.add_body("rod", rod());
     },
     "body 'rod'", "names are unique"},
    {"a body without a name",
     [] {
       PlanarModel m;
       m.add_body("", rod());
     },
     "the name of a body is empty", "give it a name"},
    {"a body named ground",
     [] {
       PlanarModel m;
       m.add_body("ground", rod());
     },
     "named 'ground'", "choose another name"},
    {"no mass",
     [] {
       PlanarModel m;
       m.add_body("rod", MassProperties::rod(0, 1));
     },
     "'rod'", "expected > 0"},
    {"negative mass",
     [] {
       PlanarModel m;
       m.add_body("rod", MassProperties::rod(-1, 1));
     },
     "'rod'", "expected > 0"},
    {"no length",
     [] {
       PlanarModel m;
       m.add_body("rod", MassProperties::rod(1, 0));
     },
     "the length is 0 m", "expected > 0"},
    {"negative inertia",
     [] {
       PlanarModel m;
       m.add_body("rod", MassProperties::planar(1, -1));
     },
     "the inertia about z is -1 kg m^2", "is a PointMass"},
    {"mass nan",
     [] {
       PlanarModel m;
       m.add_body("rod", MassProperties::planar(std::nan(""), 1));
     },
     "the mass is nan kg", "is a MasslessNode"},
    {"negative radius",
     [] {
       SpatialModel m;
       m.add_body("ball", MassProperties::sphere(1, -0.1));
     },
     "'ball'", "expected > 0"},
    {"box without a side",
     [] {
       SpatialModel m;
       m.add_body("box", MassProperties::box(1, {1, 0, 1}));
     },
     "the length is 0 m", "expected > 0"},
    {"inertia not symmetric",
     [] {
       SpatialModel m;
       m.add_body("box", MassProperties::given(1, {0, 0, 0}, {{1, 0.5, 0}, {0, 1, 0}, {0, 0, 1}}));
     },
     "'box'", "give both halves"},
    {"inertia against the triangle",
     [] {
       SpatialModel m;
       m.add_body("box", MassProperties::given(1, {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 3}}));
     },
     "principal moments of inertia are 1, 1 and 3", "check units and signs"},
    {"gravity nan",
     [] {
       PlanarModel m;
       m.set_gravity({0, std::nan("")});
     },
     "the gravity is (0 nan)", "expected finite numbers"},
    {"axis zero",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_joint<Prismatic>("guide", m.ground().origin(), b.origin(), Axis({0, 0, 0}));
     },
     "the direction (0 0 0)", "give a direction such as"},
    {"axis out of the plane",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_joint<Prismatic>("guide", m.ground().origin(), b.origin(), Axis::z());
     },
     "'guide'", "give an axis such as Axis::x()"},
    {"a joint twice",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_joint<Revolute>("pin", m.ground().origin(), b.origin());
       m.add_joint<Revolute>("pin", m.ground().origin(), b.at({1, 0}));
     },
     "joint 'pin'", "names are unique"},
    {"a joint without a name",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_joint<Revolute>("", m.ground().origin(), b.origin());
     },
     "the name of a joint is empty", "give it a name"},
    {"a joint of one body",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_joint<Revolute>("pin", b.origin(), b.at({1, 0}));
     },
     "would connect body 'b' to itself", "must differ"},
    {"a joint of the ground",
     [] {
       PlanarModel m;
       m.add_joint<Revolute>("pin", m.ground().origin(), m.ground().at({1, 0}));
     },
     "would connect the ground to itself", "must differ"},
    {"a frame of another model",
     [] {
       PlanarModel m, n;
       auto b = m.add_body("b", rod());
       auto c = n.add_body("c", rod());
       m.add_joint<Revolute>("pin", b.origin(), c.origin());
     },
     "frame 2 belongs to another model", "take it from a body of model"},
    {"a place nan",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       b.place({0, std::nan("")});
     },
     "body 'b'", "expected finite numbers"},
    {"screw without pitch",
     [] {
       SpatialModel m;
       auto b = m.add_body("b", cube());
       m.add_joint<Screw>("screw", m.ground().origin(), b.origin(), Axis::x(), std::nan(""));
     },
     "pitch is nan m/rad", "use Revolute for no advance"},
    {"universal with parallel axes",
     [] {
       SpatialModel m;
       auto b = m.add_body("b", cube());
       m.add_joint<Universal>("cross", m.ground().origin(), b.origin(), Axis::x(), Axis::x());
     },
     "'cross'", "expected perpendicular axes"},
    {"gear without ratio",
     [] {
       PlanarModel m;
       auto [p, q] = two_pins(m);
       m.add_constraint<Gear>("gear", p, q, 0.0);
     },
     "ratio is 0", "other than zero"},
    {"gear of one joint",
     [] {
       PlanarModel m;
       auto [p, q] = two_pins(m);
       m.add_constraint<Gear>("gear", p, p, 2.0);
     },
     "both joints are 'first pin'", "give two joints"},
    {"rod of no length",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_constraint<Rod>("link", m.ground().origin(), b.origin(), 0.0);
     },
     "length is 0 m", "use Revolute or Spherical"},
    {"rod between one body",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_constraint<Rod>("link", b.at({1, 0}), b.origin(), 1.0);
     },
     "both of its frames are on one body", "give frames of two bodies"},
    {"spring negative",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_force<SpringDamper>("s", m.ground().origin(), b.origin(), {.stiffness = -1});
     },
     "stiffness is -1 N/m", ">= 0"},
    {"spring without anything",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_force<SpringDamper>("s", m.ground().origin(), b.origin(), {});
     },
     "'s'", "give one of them"},
    {"law beside stiffness",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_force<SpringDamper>("s", m.ground().origin(), b.origin(),
                                 {.stiffness = 1, .law = [](double, double) { return 0.0; }});
     },
     "a law is given besides stiffness 1 N/m", "leave these three at 0"},
    {"negative free length",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_force<SpringDamper>("s", m.ground().origin(), b.origin(), {.stiffness = 1, .free_length = -1});
     },
     "free length is -1 m", ">= 0"},
    {"spring of one point",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_joint<Revolute>("pin", m.ground().origin(), b.origin());
       m.add_force<SpringDamper>("s", m.ground().origin(), b.origin(), {.stiffness = 1, .free_length = 1});
       Simulation(m).run(0, 0.1);
     },
     "'s' at t = 0 s", "keep its ends apart"},
    {"torsion spring without anything",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_force<TorsionSpringDamper>("t", m.ground().origin(), b.origin(), {});
     },
     "'t'", "give one of them"},
    {"force nan",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_force<AppliedForce>("push", b.origin(), Eigen::Vector2d(std::nan(""), 0));
       Simulation(m).run(0, 0.1);
     },
     "'push'", "give finite values"},
    {"force law nan later",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_force<AppliedForce>("push", b.origin(), [](const Motion<Planar>& now) {
         return Eigen::Vector2d(std::sqrt(0.05 - now.time()), 0);
       });
       Simulation(m).run(0, 0.1);
     },
     "force 'push'", "check its function"},
    {"an observable twice",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       for (int i = 0; i < 2; ++i)
         m.add_observable("x", "m", [b](const Snapshot<Planar>& now) { return now.pose(b.origin()).position.x(); });
     },
     "observable 'x'", "choose another name"},
    {"no observable function",
     [] {
       PlanarModel m;
       m.add_observable("x", "m", nullptr);
     },
     "'x' has no function", "give one"},
    {"unknown body",
     [] {
       PlanarModel m;
       m.add_body("crank", rod());
       m.body("krank");
     },
     "no body 'krank'", "there are: 'crank'"},
    {"unknown joint",
     [] {
       PlanarModel m;
       two_pins(m);
       m.joint("pim");
     },
     "no joint 'pim'", "'first pin', 'second pin'"},
    {"unknown force",
     [] {
       PlanarModel m;
       m.force("spring");
     },
     "no force 'spring'", "there are: none"},
    {"an empty model",
     [] {
       PlanarModel m;
       Simulation(m).run(0, 1);
     },
     "the model has no body", "add one with add_body"},
    {"a massless end",
     [] {
       PlanarModel m;
       auto b = m.add_body<MasslessNode>("node");
       m.add_joint<PointOnLine>("slot", m.ground().origin(), b.origin(), Axis::x());
       Simulation(m).run(0, 1);
     },
     "node: x velocity", "give the body a mass or inertia"},
    {"joints apart",
     [] {
       PlanarModel m;
       four_bar(m, 0.3);
       Simulation(m).run(0, 1);
     },
     "left: row 1 is off by 0.5 m", "set_initial_conditions({})"},
    {"joints far apart",
     [] {
       PlanarModel m;
       four_bar(m, 5);
       Simulation(m).run(0, 1);
     },
     "right: row 1 is off by 5 m", "set_initial_conditions({})"},
    {"redundant rows by default solver",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_joint<Revolute>("pin", m.ground().origin(), b.origin());
       m.add_joint<Fixed>("weld", m.ground().origin(), b.origin());
       Simulation(m, {.linear_solver = "recursive"}).run(0, 1);
     },
     "weld, pin", "the solver 'redundant'"},
    {"contradicting drives",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_joint<DrivenRevolute>("one", m.ground().origin(), b.origin(), [](double t) {
         return InputValue{t, 1, 0};
       });
       m.add_joint<DrivenRevolute>("two", m.ground().origin(), b.origin(), [](double t) {
         return InputValue{2 * t, 2, 0};
       });
       Simulation(m).run(0, 1);
     },
     "the rate of two: row 3 is off by 2 rad/s", "give better velocities"},
    {"a drive with a false rate",
     [] {
       PlanarModel m;
       auto b = m.add_body("b", rod());
       m.add_joint<DrivenRevolute>("motor", m.ground().origin(), b.origin(), [](double t) {
         return InputValue{t * t, 1, 0};
       });
       Simulation(m).run(0, 1);
     },
     "drive 'motor'", "of one function of time"},
    {"unknown solver", [] { Simulation s(pendulum(), {.linear_solver = "umfpack"}); },
     "unknown linear solver 'umfpack'", "choose one of 'auto'"},
    {"rtol 1",
     [] {
       Simulation s(pendulum(), {.integrator = ExtrapolationOptions{.rtol = 1}});
       s.run(0, 1);
     },
     "ExtrapolationOptions: rtol = 1", "below 1"},
    {"negative atol",
     [] {
       Simulation s(pendulum(), {.integrator = BdfOptions{.atol = -1e-6}});
       s.run(0, 1);
     },
     "BdfOptions: atol = -1e-06", "expected 0 up to below 1"},
    {"tolerances below rounding",
     [] {
       Simulation s(pendulum(), {.integrator = RadauOptions{.rtol = 1e-20, .atol = 1e-20}});
       s.run(0, 1);
     },
     "RadauOptions: rtol = 1e-20", "(rounding)"},
    {"first step 0",
     [] {
       Simulation s(pendulum(), {.integrator = ExtrapolationOptions{.first_step = 0}});
       s.run(0, 1);
     },
     "first_step is 0 s", "expected > 0"},
    {"negative largest step",
     [] {
       Simulation s(pendulum(), {.integrator = BdfOptions{.maximum_step = -1}});
       s.run(0, 1);
     },
     "maximum_step is -1 s", "or 0 for no limit"},
    {"no steps",
     [] {
       Simulation s(pendulum(), {.integrator = RadauOptions{.maximum_steps = 0}});
       s.run(0, 1);
     },
     "maximum_steps is 0", "expected > 0"},
    {"few steps",
     [] {
       Simulation s(pendulum(), {.integrator = RadauOptions{.maximum_steps = 2}});
       s.run(0, 10);
     },
     "the limit of 2 steps", "raise maximum_steps"},
    {"order 20",
     [] {
       Simulation s(pendulum(), {.integrator = ExtrapolationOptions{.maximum_order = 20}});
       s.run(0, 1);
     },
     "maximum_order is 20", "expected 3 to 13"},
    {"bdf order 6",
     [] {
       Simulation s(pendulum(), {.integrator = BdfOptions{.maximum_order = 6}});
       s.run(0, 1);
     },
     "maximum_order is 6", "expected 1 to 5"},
    {"components that don't fit",
     [] {
       ExtrapolationOptions options;
       options.components.p_atol = {1e-6};
       Simulation s(pendulum(), {.integrator = options});
       s.run(0, 1);
     },
     "components.p_atol has 1 entries", "this system has 3"},
    {"end before the start",
     [] {
       Simulation s(pendulum());
       s.run(1, 0);
     },
     "from t = 1 s to 0 s", "the end not before the beginning"},
    {"end nan",
     [] {
       Simulation s(pendulum());
       s.run(0, std::nan(""));
     },
     "to nan s", "expected finite times"},
    {"end infinite",
     [] {
       Simulation s(pendulum());
       s.run(0, std::numeric_limits<double>::infinity());
     },
     "to inf s", "expected finite times"},
    {"read after the end",
     [] {
       Simulation s(pendulum());
       s.run(0, 1).at(2);
     },
     "t = 2 s is outside of [0, 1] s", "ask for a time of the run"},
    {"read before a run",
     [] {
       Simulation s(pendulum());
       s.trajectory().at(0);
     },
     "the trajectory is empty", "run a simulation first"},
    {"unknown series",
     [] {
       Simulation s(pendulum());
       s.run(0, 1).values("angel", OutputPoints::equidistant(3));
     },
     "there is no 'angel'", "there are: rod: angle"},
    {"no output points",
     [] {
       Simulation s(pendulum());
       s.on_output(OutputPoints::equidistant(-1), [](const State&) {});
     },
     "count is -1", "expected 0 or more"},
    {"no callback",
     [] {
       Simulation s(pendulum());
       s.on_output(OutputPoints::equidistant(3), nullptr);
     },
     "the callback is an empty function", "give one"},
    {"no event function",
     [] {
       Simulation s(pendulum());
       s.add_event({.name = "stop"});
     },
     "event 'stop'", "give `function`"},
    {"no dense output to read",
     [] {
       Simulation s(pendulum(), {.keep_dense_output = false});
       s.run(0, 1).at(0.5);
     },
     "kept no dense output", "set keep_dense_output"},
    {"csv where nothing can be written",
     [] {
       Simulation s(pendulum());
       s.run(0, 1).write_csv("/no/such/folder/a.csv", 100);
     },
     "'/no/such/folder/a.csv'", "make the folder"},
    {"csv with a negative rate",
     [] {
       Simulation s(pendulum());
       s.run(0, 1).write_csv("never.csv", -100);
     },
     "the rate is -100 samples per second", "expected a finite value above 0"},
    {"state of another size",
     [] {
       Simulation s(pendulum());
       State x = s.equations().initial_state();
       x.p.resize(1);
       s.set_initial_state(x);
       s.run(0, 1);
     },
     "p has 1 entries", "this model has 3"},
    {"state nan",
     [] {
       Simulation s(pendulum());
       State x = s.equations().initial_state();
       x.v[0] = std::nan("");
       s.set_initial_state(x);
       s.run(0, 1);
     },
     "v has an entry that is not finite", "give finite values"},
    {"fix an unknown name",
     [] {
       Simulation s(pendulum());
       s.set_initial_conditions(InitialConditions().fix("angel", 1));
       s.run(0, 1);
     },
     "nothing that is called 'angel'", "it has the observables"},
    {"fix what the joints forbid",
     [] {
       const PlanarModel model = pendulum();
       Simulation s(model);
       s.set_initial_conditions(InitialConditions().fix(position_of(model.body("rod").origin(), 0), 3));
       s.run(0, 1);
     },
     "condition 'rod: x = 3 m' contradicts the constraints of pin", "change it, drop one"},
    {"a midpoint rule with rows",
     [] {
       Simulation s(pendulum(), {.integrator = ExtrapolationOptions{.discretisation = Discretisation::midpoint}});
       s.run(0, 1);
     },
     "among them pin: row 1", "take discretisation automatic"},
    {"a callback that throws",
     [] {
       Simulation s(pendulum());
       s.on_output(OutputPoints::equidistant(3), [](const State&) { throw std::out_of_range("vector::at"); });
       s.run(0, 1);
     },
     "an output callback", "threw an exception: vector::at"},
    {"run inside a run",
     [] {
       Simulation s(pendulum());
       s.on_output(OutputPoints::equidistant(3), [&](const State&) { s.run(0, 1); });
       s.run(0, 1);
     },
     "called by a callback", "before or after the run"},
};

TEST(BeginnersMistakes, AreRefusedByNameAndWithACure) {
  for (const Mistake& mistake : mistakes) {
    const std::string message = error_of(mistake.make);
    EXPECT_TRUE(contains(message, mistake.subject)) << mistake.name << ": " << message;
    EXPECT_TRUE(contains(message, mistake.cure)) << mistake.name << ": " << message;
  }
}

}  // namespace beginners_mistakes_test
}  // namespace linkwork::test
