// What no choice of coordinates may decide: reactions that the equations leave open, angles of bodies that stand full
// turns apart, starts that joints do not allow, rows that do nothing.

#include <linkwork/linkwork.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "../messages.hpp"
#include "../system/observed.hpp"

namespace linkwork::test {
namespace one_answer_test {

using Eigen::Quaterniond;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double pi = std::numbers::pi;
constexpr Formulation all_formulations[] = {Formulation::absolute, Formulation::mixed, Formulation::relative};

/// Everything at the start, with accelerations.
template <class Space>
Observed<Space> at_start(Model<Space>& model, Formulation formulation) {
  Observed<Space> seen;
  observe_everything(model, seen);
  const auto equations = make_equations(model, {formulation});
  State state = equations->initial_state();
  const Outcome found = find_accelerations(*equations, state);
  EXPECT_TRUE(found) << found.reason();
  Eigen::VectorXd values;
  equations->observables(state, values);
  return seen;
}

// A door of 20 kg on two hinges, h above and below its middle, which hangs at x = 0.4 m. Its weight is half on either
// hinge; the moment M = m g x is taken by horizontal forces F and torques T with 2 h F + 2 T = M. The least of
// 2 F^2 + 2 T^2 / L^2 is F = h M / (2 (h^2 + L^2)), T = L^2 F / h; L^2 = x^2 + h^2 is the square of the arms from the
// centre of mass to the hinges. To rounding.
TEST(OneAnswer, ADoorOnTwoHingesHasReactionsOfLeastNorm) {
  const double m = 20, g = 9.81, x = 0.4, h = 0.8, L2 = x * x + h * h;
  const double F = h * m * g * x / (2 * (h * h + L2)), T = L2 * F / h;
  for (const Formulation formulation : all_formulations) {
    SpatialModel model("door");
    model.set_gravity({0, 0, -g});
    auto door = model.add_body("door", MassProperties::box(m, {2 * x, 0.04, 2}));
    door.place({x, 0, 1});
    model.add_joint<Revolute>("lower", model.ground().at({0, 0, 1 - h}), door.at({-x, 0, -h}), Axis::z());
    model.add_joint<Revolute>("upper", model.ground().at({0, 0, 1 + h}), door.at({-x, 0, h}), Axis::z());
    const Observed<Spatial> seen = at_start(model, formulation);
    const Wrench<Spatial>&lower = seen.reactions.at("lower"), &upper = seen.reactions.at("upper");
    EXPECT_LE((lower.force - Vector3d(F, 0, m * g / 2)).norm(), 1e-9 * m * g) << name_of(formulation);
    EXPECT_LE((upper.force - Vector3d(-F, 0, m * g / 2)).norm(), 1e-9 * m * g) << name_of(formulation);
    EXPECT_LE((lower.torque - Vector3d(0, -T, 0)).norm(), 1e-9 * m * g) << name_of(formulation);
    EXPECT_LE((upper.torque - Vector3d(0, -T, 0)).norm(), 1e-9 * m * g) << name_of(formulation);
  }
}

/// A planar four-bar in space, whose pins hold each other's axes: three rows are redundant.
void four_bar_in_space(SpatialModel& model) {
  model.set_gravity({0, -9.81, 0});
  auto crank = model.add_body("crank", MassProperties::box(1, {0.3, 0.05, 0.05}));
  auto coupler = model.add_body("coupler", MassProperties::box(2, {0.5, 0.05, 0.04}));
  auto rocker = model.add_body("rocker", MassProperties::box(1.5, {0.5, 0.06, 0.05}));
  crank.place({0, 0.15, 0}, Quaterniond(Eigen::AngleAxisd(pi / 2, Vector3d::UnitZ())));
  coupler.place({0.25, 0.3, 0.1});
  rocker.place({0.5, 0.05, 0}, Quaterniond(Eigen::AngleAxisd(-pi / 2, Vector3d::UnitZ())));
  model.add_joint<Revolute>("main", model.ground().origin(), crank.at({-0.15, 0, 0}), Axis::z());
  model.add_joint<Revolute>("big end", crank.at({0.15, 0, 0.05}), coupler.at({-0.25, 0, -0.05}), Axis::z());
  model.add_joint<Revolute>("small end", coupler.at({0.25, 0, -0.05}), rocker.at({-0.25, 0, 0.05}), Axis::z());
  model.add_joint<Revolute>("foot", model.ground().at({0.5, -0.2, 0}), rocker.at({0.25, 0, 0}), Axis::z());
}

// All methods at 1e-9; multipliers of the implicit ones are a few hundred times less exact than positions.
TEST(OneAnswer, RedundantLoopsHaveTheSameReactionsInAllFormulationsAndIntegrators) {
  const auto run = [](Formulation formulation, const IntegratorOptions& integrator) {
    SpatialModel model("four-bar");
    four_bar_in_space(model);
    return watch(model, {.formulation = formulation, .integrator = integrator}, {0.2}).at.back();
  };
  const Observed<Spatial> first = run(Formulation::absolute, ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9});
  for (const Formulation formulation : all_formulations)
    for (const IntegratorOptions& integrator : {IntegratorOptions(ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}),
                                                IntegratorOptions(BdfOptions{.rtol = 1e-9, .atol = 1e-9}),
                                                IntegratorOptions(RadauOptions{.rtol = 1e-9, .atol = 1e-9})}) {
      const Observed<Spatial> other = run(formulation, integrator);
      for (const auto& [name, reaction] : first.reactions) {
        EXPECT_LE((reaction.force - other.reactions.at(name).force).norm(), 2e-5) << name_of(formulation) << name;
        EXPECT_LE((reaction.torque - other.reactions.at(name).torque).norm(), 2e-5) << name_of(formulation) << name;
      }
    }
}

// The torque of a spring is the angle that the bodies stand at, -pi to pi or not.
TEST(OneAnswer, BodiesThatArePlacedFullTurnsApartKeepTheirAngles) {
  const auto angle_of = [](int joint, double placed, Formulation formulation, bool reversed) {
    PlanarModel model("turned");
    auto a = model.add_body("a", MassProperties::planar(1, 1)), b = model.add_body("b", MassProperties::planar(1, 1));
    a.place({0, 0}, 3.0);
    b.place({0, 0}, placed);
    model.add_joint<Revolute>("pin", model.ground().origin(), a.origin());
    const Frame<Planar> first = reversed ? b.origin() : a.at({0, 0}, 0.5);
    const Frame<Planar> second = reversed ? a.at({0, 0}, 0.5) : b.origin();
    if (joint == 0) model.add_joint<Fixed>("weld", first, second);
    if (joint == 1) model.add_joint<Prismatic>("slide", first, second, Axis::x());
    if (joint == 2) model.add_joint<FreeTranslation>("slide", first, second);
    if (joint == 3) model.add_joint<Revolute>("second pin", first, second);
    const Observed<Planar> seen = at_start(model, formulation);
    return seen.bodies.at("b").pose.angle;
  };
  for (int joint = 0; joint < 4; ++joint)
    for (const double placed : {3.5, 3.5 - 2 * pi, 3.5 + 6 * pi})
      for (const bool reversed : {false, true})
        for (const Formulation formulation : all_formulations)
          EXPECT_NEAR(angle_of(joint, placed, formulation, reversed), placed, 1e-13) << joint << name_of(formulation);
}

/// A rod whose end should be on a pivot about the y axis.
struct Rod {
  SpatialModel model{"rod"};
  BodyRef<Spatial> body = model.add_body("bob", MassProperties::box(1, {1, 0.1, 0.1}));
  Frame<Spatial> end = body.at({-0.5, 0, 0});
  void hang() {
    model.set_gravity({0, 0, -9.81});
    model.add_joint<Revolute>("pivot", model.ground().origin(), end, Axis::y());
  }
};

template <class Space>
Observed<Space> found_start(Model<Space>& model, Formulation formulation) {
  Observed<Space> seen;
  observe_everything(model, seen);
  Simulation simulation(model, {.formulation = formulation, .rough_placement = true});
  simulation.set_initial_conditions({});
  const InitialValues found = simulation.find_initial_values(0);
  EXPECT_TRUE(found.consistent) << name_of(formulation) << found.reason;
  Eigen::VectorXd values;
  simulation.equations().observables(found.state, values);
  return seen;
}

// Velocities change with least kinetic energy: m r v is the moment of momentum that the pivot leaves. Positions are
// nearest to the placed ones: the derivative of the distance along what the pivot allows vanishes, of the centre of
// mass at r (cos, -sin) and 4 L sin(angle / 4); here with the same solution in all formulations.
TEST(OneAnswer, AVelocityThatTheJointDoesNotAllowBecomesThatOfLeastChange) {
  const double inertia = (1 + 0.01) / 12, r = 0.5;
  for (const Formulation formulation : all_formulations) {
    Rod rod;
    rod.body.place({r, 0, 0});
    rod.body.move({0, 0, 3});
    rod.hang();
    const Observed<Spatial> seen = found_start(rod.model, formulation);
    const Vector3d omega = seen.bodies.at("bob").velocity.angular;
    EXPECT_LE((omega - Vector3d(0, -3 * r / (inertia + r * r), 0)).norm(), 1e-9) << name_of(formulation);
  }
}

TEST(OneAnswer, BodiesThatArePlacedRoughlyAreAssembledAlike) {
  for (int placement = 0; placement < 3; ++placement) {
    std::vector<Observed<Spatial>> seen;
    for (const Formulation formulation : all_formulations) {
      Rod rod;
      if (placement == 0) rod.body.place({0.55, 0.01, 0.1});
      if (placement == 1)
        rod.body.place({0.5, 0.3, 0.2}, Quaterniond(Eigen::AngleAxisd(1, Vector3d(1, 1, 1) / std::sqrt(3))));
      if (placement == 2) {  // the son's axis points the other way
        rod.body.place({0.5, 0, 0.1});
        rod.end = rod.body.at({-0.5, 0, 0}, Quaterniond(Eigen::AngleAxisd(pi - 0.2, Vector3d::UnitX())));
      }
      rod.hang();
      seen.push_back(found_start(rod.model, formulation));
    }
    for (const Observed<Spatial>& other : seen) {
      const Pose<Spatial>&a = seen[0].bodies.at("bob").pose, &b = other.bodies.at("bob").pose;
      EXPECT_LE((a.position - b.position).norm(), 1e-7) << placement;  // the search ends at 1e-9 of the length
      EXPECT_LE((a.rotation - b.rotation).norm(), 1e-7) << placement;
    }
  }
}

// What mass does not tell is told by metres and radians: a massless rod between two carts, of which one is pushed.
TEST(OneAnswer, MasslessBodiesTakePartInTheLeastChange) {
  std::vector<Observed<Planar>> seen;
  for (const Formulation formulation : all_formulations) {
    PlanarModel model("carts");
    auto cart = model.add_body("cart", MassProperties::planar(2, 1));
    auto link = model.add_body<MasslessFrame>("link");
    auto arm = model.add_body<MasslessFrame>("arm");
    cart.move({1, 0}, 0);
    link.place({0.5, 0});
    arm.place({1, 0});
    arm.move({0, 3}, 0);
    model.add_joint<Prismatic>("rail", model.ground().origin(), cart.origin(), Axis::x());
    model.add_joint<Revolute>("pin", cart.origin(), link.at({-0.5, 0}));
    model.add_joint<Revolute>("end", link.at({0.5, 0}), arm.origin());
    Observed<Planar> now;
    observe_everything(model, now);
    Simulation simulation(model, {.formulation = formulation, .rough_placement = true});
    InitialConditions start;
    const auto equations = make_equations(model, {.formulation = formulation, .rough_placement = true});
    const InitialValues found = find_initial_values(*equations, equations->initial_state(), start);
    Eigen::VectorXd values;
    State state = found.state;
    state.a.setZero(equations->dimensions().v);
    state.lambda.setZero(equations->dimensions().constraints());
    equations->observables(state, values);
    seen.push_back(now);
  }
  for (const Observed<Planar>& other : seen)
    for (const char* name : {"cart", "link", "arm"}) {
      const Twist<Planar>&a = seen[0].bodies.at(name).velocity, &b = other.bodies.at(name).velocity;
      EXPECT_LE((a.linear - b.linear).norm(), 1e-6) << name;  // 1e-10 of mass is 1e-5 of its root, squared in the sum
      EXPECT_LE(std::abs(a.angular - b.angular), 1e-6) << name;
    }
}

/// Two links; a second pin stands where one is already.
struct Pinned {
  PlanarModel model{"pinned"};
  explicit Pinned(int again) {
    model.set_gravity({0.3, -9.81});
    auto a = model.add_body("a", MassProperties::planar(1, 0.1, {0.1, 0.05}));
    auto b = model.add_body("b", MassProperties::planar(1.3, 0.2, {-0.2, 0.1}));
    const Vector2d at_a(0.5, 0.1), at_b(1.4, 0.7), pin(0.9, 0.4);
    a.place(at_a, 0.3);
    b.place(at_b, -0.4);
    const auto on_a = [&](const Vector2d& p) { return a.at(Eigen::Rotation2Dd(-0.3) * (p - at_a)); };
    const auto on_b = [&](const Vector2d& p) { return b.at(Eigen::Rotation2Dd(0.4) * (p - at_b)); };
    model.add_joint<Revolute>("pin a", model.ground().origin(), on_a({0, 0}));
    model.add_joint<Revolute>("pin b", on_a(pin), on_b(pin));
    if (again == 0) model.add_joint<Revolute>("again", on_a(pin), on_b(pin));
    if (again == 1) model.add_joint<Revolute>("again", model.ground().origin(), on_a({0, 0}));
    if (again == 2) model.add_joint<PointOnLine>("again", on_a(pin), on_b(pin), Axis(Vector3d(0.3, 0.8, 0)));
    model.add_force<SpringDamper>("spring", model.ground().at({2, 2}), on_b({1.9, 1.1}),
                                  {.stiffness = 30, .damping = 1, .free_length = 0.3});
  }
};

// Without "again" the joints accelerate as dense-lu says; refusals name the pin that does nothing.
TEST(OneAnswer, RowsThatVanishAreRefusedByNameOrSolved) {
  for (int again = 0; again < 3; ++again)
    for (const Formulation formulation : all_formulations) {
      const auto alone = [&](const std::string& name) {
        Pinned pinned(name.empty() ? 3 : again);
        const auto equations = make_equations(pinned.model, {formulation});
        const auto solver = make_linear_solver(name.empty() ? "dense-lu" : name, *equations);
        equations->set(equations->initial_state());
        Eigen::VectorXd a, lambda;
        Outcome solved = solver->analyze(*equations);
        if (solved) solved = solver->accelerations(a, lambda);
        if (solved) solved = solver->accelerations(a, lambda);  // what was refused stays so
        if (!solved) {
          EXPECT_TRUE(contains(solved.reason(), "again")) << solved.reason();
          a.resize(0);
        }
        return a;
      };
      const Eigen::VectorXd expected = alone("");
      for (const std::string& name : linear_solver_names()) {
        if (name == "cholesky-qr" && formulation == Formulation::mixed) continue;  // M is semidefinite there
        const Eigen::VectorXd a = alone(name);
        if (name == "auto" || name == "redundant") {
          ASSERT_GT(a.size(), 0) << name << name_of(formulation) << again;
        }
        if (a.size() == 0) continue;
        // Mixed coordinates have those of the second pin too, last but for a bead's two.
        EXPECT_LE((a.head(expected.size()) - expected).norm(), 1e-9 * expected.norm())
            << name << name_of(formulation) << again;
      }
    }
}

// A wheel of 1 kg m^2 on a torsion spring of 0.04 N m/rad, 3 rad/s at the start: it turns up to 15 rad, and steps of
// more than half a turn would lose a turn. w = 3 cos(0.2 t). Bounds are a thousand tolerances, as for other
// oscillators; a turn that is lost is 1 rad/s.
TEST(OneAnswer, ATorsionSpringInSpaceCountsItsTurns) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8})
    for (const Formulation formulation : all_formulations)
      for (const IntegratorOptions& integrator :
           {IntegratorOptions(ExtrapolationOptions{.rtol = tolerance, .atol = tolerance}),
            IntegratorOptions(BdfOptions{.rtol = tolerance, .atol = tolerance}),
            IntegratorOptions(RadauOptions{.rtol = tolerance, .atol = tolerance})}) {
        SpatialModel model("wheel");
        auto wheel = model.add_body("wheel", MassProperties::sphere(1, std::sqrt(2.5)));
        wheel.move({0, 0, 0}, {0, 0, 3});
        model.add_joint<Revolute>("axle", model.ground().origin(), wheel.origin(), Axis::z());
        model.add_force<TorsionSpringDamper>("spring", model.ground().origin(), wheel.origin(), Axis::z(),
                                             TorsionSpringDamper<Spatial>::Options{.stiffness = 0.04});
        const Observed<Spatial> end =
            watch(model, {.formulation = formulation, .integrator = integrator}, {20}).at.back();
        EXPECT_NEAR(end.bodies.at("wheel").velocity.angular.z(), 3 * std::cos(4.0), 1e3 * tolerance)
            << name_of(formulation) << tolerance;
      }
}

// A rocker that is too short to reach: the gap is 0.2 m, and all four joints hold each other.
TEST(OneAnswer, ALoopThatCannotCloseIsExplainedByItsJoints) {
  for (const Formulation formulation : all_formulations) {
    PlanarModel model("cannot close");
    auto crank = model.add_body("crank", MassProperties::rod(1, 0.3));
    auto coupler = model.add_body("coupler", MassProperties::rod(1, 0.4));
    auto rocker = model.add_body("rocker", MassProperties::rod(1, 0.2));
    crank.place({0.15, 0.0});
    coupler.place({0.5, 0.0});
    rocker.place({0.8, 0.0});
    model.add_joint<Revolute>("O", model.ground().origin(), crank.at({-0.15, 0.0}));
    model.add_joint<Revolute>("A", crank.at({0.15, 0.0}), coupler.at({-0.2, 0.0}));
    model.add_joint<Revolute>("B", coupler.at({0.2, 0.0}), rocker.at({-0.1, 0.0}));
    model.add_joint<Revolute>("C", model.ground().at({1.2, 0.0}), rocker.at({0.1, 0.0}));
    Simulation simulation(model, {.formulation = formulation, .rough_placement = true});
    simulation.set_initial_conditions({});
    const InitialValues found = simulation.find_initial_values(0);
    EXPECT_FALSE(found.consistent);
    EXPECT_EQ(found.reason.find("the constraints of "), 0u) << found.reason;
    for (const char* joint : {"O", "A", "B", "C"})
      EXPECT_TRUE(contains(found.reason.substr(0, found.reason.find("can't")), joint)) << found.reason;
  }
}

/// Bodies that nothing can move in joint coordinates.
void nothing_moves(PlanarModel& model, int kind) {
  auto wheel = model.add_body("wheel", MassProperties::planar(1, 1));
  wheel.move({0.0, 0.0}, kind == 0 ? 1.0 : 0.0);
  const Input turning([](double t) { return InputValue{t, 1, 0}; });
  if (kind == 0) model.add_joint<DrivenRevolute>("motor", model.ground().origin(), wheel.origin(), turning);
  if (kind >= 1) model.add_joint<Fixed>("weld", model.ground().origin(), wheel.origin());
  if (kind == 2) model.add_joint<Fixed>("weld again", model.ground().origin(), wheel.origin());
}

TEST(OneAnswer, WhereNothingMovesEverythingIsFoundAllTheSame) {
  for (int kind = 0; kind < 3; ++kind)
    for (const Formulation formulation : all_formulations) {
      PlanarModel model("still");
      nothing_moves(model, kind);
      const auto equations = make_equations(model, {formulation});
      const InitialValues found = find_initial_values(*equations, equations->initial_state(), {});
      EXPECT_TRUE(found.consistent) << found.reason;
      EXPECT_EQ(found.free_positions, 0);
      EXPECT_TRUE(check_initial_values(*equations, found.state, {}).consistent);
      EXPECT_EQ(assembly_branches(*equations, found.state, {}, 3).size(), 1u);
      equations->set(found.state);
      InverseDynamicsResult efforts;
      const Outcome known = inverse_dynamics(*equations, Actuators{{}, Eigen::MatrixXd(equations->dimensions().v, 0)},
                                             found.state.a, efforts);
      EXPECT_TRUE(known) << known.reason();
      for (const std::string& name : linear_solver_names()) {
        const auto solver = make_linear_solver(name, *equations);
        Eigen::VectorXd a, lambda;
        Outcome solved = solver->analyze(*equations);
        if (solved) solved = solver->accelerations(a, lambda);
        if (name == "auto" || kind < 2) {
          EXPECT_TRUE(solved) << name << name_of(formulation) << solved.reason();
        } else if (!solved) {
          EXPECT_TRUE(contains(solved.reason(), "weld")) << name << solved.reason();
        }
      }
      InitialConditions impossible;
      impossible.require("one", [](const State&, EquationsOfMotion&) { return 1.0; });
      const InitialValues none = find_initial_values(*equations, equations->initial_state(), impossible);
      EXPECT_TRUE(contains(none.reason, "condition 'one' can't be met, because nothing that may move changes it"))
          << none.reason;
    }
}

}  // namespace one_answer_test
}  // namespace linkwork::test
