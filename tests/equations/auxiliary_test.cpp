// Auxiliary variables w of force elements and contact coordinates s of constraints: eliminated and carried.

#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/concat.hpp>
#include <linkwork/forces/applied_force.hpp>
#include <linkwork/joints/constraints/plane_curve_contact.hpp>
#include <linkwork/joints/prismatic.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>
#include "../messages.hpp"

#include "../random_mechanism.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {
namespace auxiliary_test {

using test::contains;
using test::error_of;

/// The constraint of the example own_constraint by its contact point: s is where on the parabola y = a x^2 + lift sin t
/// the bead is, c = 0 makes it the foot of the perpendicular. Gives g and c only.
class Wire : public Constraint<Planar> {
 public:
  Wire(const Frame<Planar>& bead, double curvature, double start, double lift = 0)
      : Constraint<Planar>({bead}), curvature_(curvature), start_(start), lift_(lift) {}
  std::string_view type() const override { return "wire"; }
  int rows() const override { return 1; }
  int contacts() const override { return 1; }
  double initial_contact(int) const override { return start_; }

 private:
  Eigen::Vector2d gap(const Motion<Planar>& m) const {
    const double s = m.contact(0);
    return m.frame(0).pose.position - Eigen::Vector2d(s, curvature_ * s * s + lift_ * std::sin(m.time()));
  }
  void do_residual(const Motion<Planar>& m, double* g) const override {
    const double slope = 2 * curvature_ * m.contact(0);
    g[0] = Eigen::Vector2d(-slope, 1).dot(gap(m)) / std::hypot(slope, 1);
  }
  void do_contact_residual(const Motion<Planar>& m, double* c) const override {
    c[0] = Eigen::Vector2d(1, 2 * curvature_ * m.contact(0)).dot(gap(m));
  }
  double curvature_, start_, lift_;
};

/// The same without s, scaled alike: g = (y - a x^2 - lift sin t) / |(2 a x, 1)|.
class PlainWire final : public Constraint<Planar> {
 public:
  PlainWire(const Frame<Planar>& bead, double curvature, double lift = 0)
      : Constraint<Planar>({bead}), curvature_(curvature), lift_(lift) {}
  std::string_view type() const override { return "plain wire"; }
  int rows() const override { return 1; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    const Eigen::Vector2d& x = m.frame(0).pose.position;
    g[0] = (x.y() - curvature_ * x.x() * x.x() - lift_ * std::sin(m.time())) / std::hypot(2 * curvature_ * x.x(), 1);
  }
  double curvature_, lift_;
};

/// A linear spring, and in series to it one with the force k w + h w^3 for its stretch w.
class SeriesSpring final : public ForceElement<Planar> {
 public:
  SeriesSpring(const Frame<Planar>& first, const Frame<Planar>& second, double hardening)
      : ForceElement<Planar>({first, second}), hardening_(hardening) {}
  std::string_view type() const override { return "series spring"; }
  int auxiliaries() const override { return 1; }
  double typical_auxiliary(int) const override { return 0.1; }
  static constexpr double stiffness = 300, second_stiffness = 200;

 private:
  Eigen::Vector2d span(const Motion<Planar>& m) const { return m.frame(1).pose.position - m.frame(0).pose.position; }
  void do_auxiliary(const Motion<Planar>& m, double* d) const override {
    const double w = m.auxiliary(0);
    d[0] = stiffness * (span(m).norm() - w) - second_stiffness * w - hardening_ * w * w * w;
  }
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    const Eigen::Vector2d x = span(m);
    const Eigen::Vector2d pull = stiffness * (x.norm() - m.auxiliary(0)) * x.normalized();
    sums.add_force(0, pull);
    sums.add_force(1, -pull);
  }
  double do_potential_energy(const Motion<Planar>& m) const override {
    const double w = m.auxiliary(0), u = span(m).norm() - w;
    return stiffness * u * u / 2 + second_stiffness * w * w / 2 + hardening_ * w * w * w * w / 4;
  }
  double hardening_;
};

constexpr double gravity = 9.81, curvature = 0.5, lift = 0.2;

/// A bead on the wire, pulled by a series spring.
PlanarModel bead_on_wire(bool with_contact, double lift_of_wire = lift) {
  PlanarModel model("bead");
  model.set_gravity({0, -gravity});
  auto bead = model.add_body<PointMass>("bead", 0.2);
  bead.place({1, curvature}).move({0, lift_of_wire});
  ConstraintRef<Planar> wire;
  if (with_contact) {
    wire = model.add_constraint<Wire>("wire", bead.origin(), curvature, 0.7, lift_of_wire);
    model.add_observable("s", "m", [wire](const Snapshot<Planar>& now) { return now.contact(wire, 0); });
  } else {
    wire = model.add_constraint<PlainWire>("wire", bead.origin(), curvature, lift_of_wire);
  }
  const auto spring = model.add_force<SeriesSpring>("spring", model.ground().at({0, 2}), bead.origin(), 0.0);
  model.add_observable("w", "m", [spring](const Snapshot<Planar>& now) { return now.auxiliary(spring, 0); });
  model.add_observable("force", "N", [wire](const Snapshot<Planar>& now) { return now.reaction(wire).force.norm(); });
  return model;
}

// Rows by sixth-order differences with step 0.005: about 1e-13; the bias by differences of those: 1e-13 / 0.005.
constexpr double row_tolerance = 1e-11, bias_tolerance = 1e-9;

TEST(AuxiliaryUnknowns, ContactsGiveTheRowsOfTheConstraintWithoutThem) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const auto with = make_equations(bead_on_wire(true), {.formulation = formulation});
    const auto without = make_equations(bead_on_wire(false), {.formulation = formulation});
    EXPECT_EQ(with->dimensions().s, 0);
    EXPECT_EQ(with->dimensions().w, 0);
    for (const double x : {1.0, 0.3, -0.8}) {
      const double t = 0.4, slope = 2 * curvature * x;
      const Eigen::Vector2d p(x, curvature * x * x + lift * std::sin(t));
      // Along the wire, so that the derivative of the length of the normal plays no part.
      const Eigen::Vector2d v = 2.0 * Eigen::Vector2d(1, slope) + Eigen::Vector2d(0, lift * std::cos(t));
      for (EquationsOfMotion* each : {with.get(), without.get()}) {
        each->set_position(t, p);
        each->set_velocity(v);
      }
      EXPECT_NEAR(with->solved_contacts()[0], x, 1e-12);
      EXPECT_NEAR(with->g()[0], 0, 1e-14);
      EXPECT_LT((with->G().dense() - without->G().dense()).norm(), row_tolerance);
      EXPECT_NEAR(with->velocity_offset()[0], without->velocity_offset()[0], row_tolerance);
      EXPECT_NEAR(with->gamma()[0], without->gamma()[0], bias_tolerance);
      EXPECT_LT((with->f() - without->f()).norm(), 1e-12);
    }
  }
}

TEST(AuxiliaryUnknowns, SeriesSpringActsAsOneWithTheStiffnessOfBoth) {
  const auto equations = make_equations(bead_on_wire(true));
  const double k1 = SeriesSpring::stiffness, k2 = SeriesSpring::second_stiffness;
  const double length = std::hypot(1, 1.5), force = k1 * k2 / (k1 + k2) * length;
  EXPECT_NEAR(equations->f()[0], -force * 1 / length, 1e-11);
  EXPECT_NEAR(equations->f()[1], force * 1.5 / length - 0.2 * gravity, 1e-11);
  EXPECT_NEAR(equations->energies().element_storage, 0.5 * force * length, 1e-11);
}

TEST(AuxiliaryUnknowns, MotionAndReactionsAreThoseWithoutContacts) {
  State ends[2];
  Eigen::VectorXd observed[2];
  for (const bool with : {true, false}) {
    Simulation simulation(bead_on_wire(with),
                          {.integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}, .energy_balance = true});
    ends[with] = simulation.run(0, 2).final_state();
    simulation.equations().observables(ends[with], observed[with]);
    EXPECT_LT(simulation.energy().balance, 1e-7);
  }
  // Some hundred steps with 1e-10 each.
  EXPECT_LT((ends[0].p - ends[1].p).norm(), 1e-8);
  EXPECT_LT((ends[0].v - ends[1].v).norm(), 1e-7);
  EXPECT_NEAR(observed[1][0], ends[1].p[0], 1e-10);   // s
  EXPECT_NEAR(observed[1][1], observed[0][0], 1e-8);  // w
  EXPECT_NEAR(observed[1][2], observed[0][1], 1e-6);  // reaction
  EXPECT_NEAR(ends[1].s[0], ends[1].p[0], 1e-10);
}

TEST(AuxiliaryUnknowns, CarriedUnknownsHaveResidualsAndTheSameRows) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const PlanarModel model = bead_on_wire(true);
    const auto carried = make_equations(model, {.formulation = formulation, .auxiliary = AuxiliaryUnknowns::carried});
    const auto eliminated = make_equations(model, {.formulation = formulation});
    ASSERT_EQ(carried->dimensions().s, 1);
    ASSERT_EQ(carried->dimensions().w, 1);
    EXPECT_EQ(carried->auxiliary_name(0), "spring: auxiliary variable 1");
    EXPECT_EQ(carried->contact_name(0), "wire: contact coordinate 1");
    State state = carried->initial_state();
    EXPECT_EQ(state.s[0], 0.7);
    carried->set(state);
    EXPECT_GT(std::abs(carried->c()[0]), 0.1);
    EXPECT_GT(std::abs(carried->d()[0]), 0.1);
    carried->solve_contacts();
    carried->solve_auxiliary();
    EXPECT_NEAR(carried->contacts()[0], 1, 1e-12);
    EXPECT_NEAR(carried->c()[0], 0, 1e-14);
    EXPECT_NEAR(carried->d()[0], 0, 1e-10);
    eliminated->set(state);
    EXPECT_LT((carried->f() - eliminated->f()).norm(), 1e-10);
    EXPECT_LT((carried->G().dense() - eliminated->G().dense()).norm(), row_tolerance);
    EXPECT_NEAR(carried->gamma()[0], eliminated->gamma()[0], bias_tolerance);
  }
}

// Branches, and what is found along a run.

/// The force w along x on a point, 0 = w^2 - square(x): two solutions, or none.
class Root final : public ForceElement<Planar> {
 public:
  Root(const Frame<Planar>& frame, double start, std::function<double(double x)> square)
      : ForceElement<Planar>({frame}), start_(start), square_(std::move(square)) {}
  std::string_view type() const override { return "root"; }
  int auxiliaries() const override { return 1; }
  double initial_auxiliary(int) const override { return start_; }

 private:
  void do_auxiliary(const Motion<Planar>& m, double* d) const override {
    d[0] = m.auxiliary(0) * m.auxiliary(0) - square_(m.frame(0).pose.position.x());
  }
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    sums.add_force(0, {m.auxiliary(0), 0});
  }
  double start_;
  std::function<double(double)> square_;
};

PlanarModel pushed_point(double start, std::function<double(double)> square) {
  PlanarModel model("pushed point");
  auto point = model.add_body<PointMass>("point", 1.0);
  point.move({1, 0});
  const auto root = model.add_force<Root>("root", point.origin(), start, std::move(square));
  model.add_observable("w", "N", [root](const Snapshot<Planar>& now) { return now.auxiliary(root, 0); });
  return model;
}

TEST(AuxiliaryUnknowns, SolutionsContinueTheBranchThatTheyStartOn) {
  Simulation simulation(pushed_point(0.5, [](double) { return 4.0; }));
  EXPECT_NEAR(simulation.run(0, 1).final_state().p[0], 1 + 0.5 * 2, 1e-12);
  State start = simulation.equations().initial_state();
  start.w[0] = -0.5;
  simulation.set_initial_state(start);
  EXPECT_NEAR(simulation.run(0, 1).final_state().p[0], 1 - 0.5 * 2, 1e-12);
  EXPECT_NEAR(simulation.trajectory().final_state().w[0], -2, 1e-14);
  start.w.resize(0);  // the elements' own again
  simulation.set_initial_state(start);
  EXPECT_NEAR(simulation.run(0, 1).final_state().p[0], 1 + 0.5 * 2, 1e-12);
}

TEST(AuxiliaryUnknowns, FailuresNameTheElementTheValueAndTheTime) {
  // x reaches 1 after about 0.7 s; there the solutions end.
  Simulation ending(pushed_point(0.5, [](double x) { return 1 - x; }));
  const std::string stopped = error_of([&] { ending.run(0, 2); });
  EXPECT_TRUE(contains(stopped, "'root' at t = 0.")) << stopped;
  EXPECT_TRUE(contains(stopped, "its auxiliary equations d = 0 have no solution for w: ")) << stopped;
  EXPECT_NEAR(ending.trajectory().final_state().p[0], 1, 1e-3);
  const std::string at_start = error_of([&] { make_equations(pushed_point(0.5, [](double) { return -1.0; })); });
  EXPECT_TRUE(contains(at_start,
                       "model 'pushed point' can't be evaluated where its bodies are placed: 'root' at t = 0 "
                       "s: its auxiliary equations d = 0 have no solution for w: no convergence in "))
      << at_start;
  EXPECT_TRUE(contains(at_start, "; place or move them otherwise, or start its elements elsewhere.")) << at_start;
}

/// A bead turns round and round: s counts the turns.
TEST(AuxiliaryUnknowns, TrajectoriesKeepTheContactOfTheirTime) {
  const double radius = 0.5, speed = 6, t_end = 4;
  PlanarModel model;
  auto bead = model.add_body<PointMass>("bead", 1.0);
  bead.place({radius, 0}).move({0, speed});
  const auto wire = model.add_constraint<PointOnPlaneCurve>("wire", model.ground().origin(), PlaneCurve::circle(radius),
                                                            bead.origin(), 0.1);
  model.add_observable("s", "rad", [wire](const Snapshot<Planar>& now) { return now.contact(wire, 0); });
  Simulation simulation(model, {.integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  int seen = 0;
  const auto expect_contact = [&](const State& state) {
    ASSERT_EQ(state.s.size(), 1);
    EXPECT_NEAR(state.s[0], speed / radius * state.t, 1e-5);
    ++seen;
  };
  simulation.observe([&](const State& state, EquationsOfMotion&) {
    expect_contact(state);
    return true;
  });
  simulation.on_output(OutputPoints::given({0.5, 1.5, 3.5}), expect_contact);
  simulation.run(0, t_end);
  EXPECT_GT(seen, 10);
  EXPECT_TRUE(contains(simulation.summary(), " residuals, ") && contains(simulation.summary(), " for w and s\n"));
  Eigen::VectorXd values;
  for (const double t : {0.0, 0.3, 1.7, 3.1, 3.9, t_end}) {
    simulation.equations().observables(simulation.trajectory().at(t), values);
    EXPECT_NEAR(values[0], speed / radius * t, 1e-5) << t;  // 50 rad; relative error of the integration 1e-7
  }
  std::ostringstream csv;
  simulation.trajectory().write_csv(csv, 10);
  std::istringstream lines(csv.str());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "t,bead: x,bead: y,bead: x velocity,bead: y velocity,wire: contact coordinate 1,s");
  while (std::getline(lines, line)) {
    std::vector<double> columns;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) columns.push_back(std::stod(field));
    ASSERT_EQ(columns.size(), 7u);
    EXPECT_NEAR(columns[5], speed / radius * columns[0], 1e-5);
    EXPECT_NEAR(columns[5], columns[6], 1e-13);  // one more step of Newton's method: rounding of 50 rad
  }
}

/// A spring of the third power whose force w is the solution of 0 = w + stiffness x^3.
class CubicSpring final : public ForceElement<Planar> {
 public:
  CubicSpring(const Frame<Planar>& block, double stiffness) : ForceElement<Planar>({block}), stiffness_(stiffness) {}
  std::string_view type() const override { return "cubic spring"; }
  int auxiliaries() const override { return 1; }

 private:
  void do_auxiliary(const Motion<Planar>& m, double* d) const override {
    d[0] = m.auxiliary(0) + stiffness_ * std::pow(m.frame(0).pose.position.x(), 3);
  }
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    sums.add_force(0, {m.auxiliary(0), 0});
  }
  double stiffness_;
};

constexpr double cubic_stiffness = 20;

/// A block on that spring, and a pendulum that is a bead on a circle; both swing.
PlanarModel swinging_pair() {
  PlanarModel model;
  model.set_gravity({0, -gravity});
  auto block = model.add_body("block", MassProperties::planar(1, 0.1));
  block.place({0.7, 0});
  model.add_joint<Prismatic>("guide", model.ground().origin(), block.origin(), Axis::x());
  model.add_force<CubicSpring>("spring", block.origin(), cubic_stiffness);
  auto bead = model.add_body<PointMass>("bead", 1.0);
  bead.place({0.5, 0});
  model.add_constraint<PointOnPlaneCurve>("wire", model.ground().origin(), PlaneCurve::circle(0.5), bead.origin(), 0.0);
  return model;
}

int component(const Simulation& simulation, const std::string& name) {
  const EquationsOfMotion& equations = simulation.equations();
  for (int i = 0; i < equations.dimensions().p; ++i)
    if (equations.position_name(i) == name) return i;
  ADD_FAILURE() << name;
  return 0;
}

/// The largest errors of w and s against the positions at times between the steps.
std::pair<double, double> errors_between_steps(const Simulation& simulation, double t_end) {
  const int x = component(simulation, "block: x"), bead = component(simulation, "bead: x");
  std::pair<double, double> worst = {0, 0};
  for (int k = 1; k < 200; ++k) {
    const State at = simulation.trajectory().at(t_end * k / 200.0 + 1e-5);
    worst.first = std::max(worst.first, std::abs(at.w[0] + cubic_stiffness * std::pow(at.p[x], 3)));
    worst.second = std::max(worst.second, std::abs(at.s[0] - std::atan2(at.p[bead + 1], at.p[bead])));
  }
  return worst;
}

// Between steps what is eliminated is solved at the point: Newton's method leaves rounding of 7 N and 2 rad. The line
// between both ends of a step misses it by 1e-3 and more. What is carried has a polynomial of its own, as good as those
// of the positions: of the order of the tolerance.
TEST(AuxiliaryUnknowns, AreRightBetweenStepsToo) {
  const double t_end = 0.8;
  Simulation eliminated(swinging_pair(), {.integrator = ExtrapolationOptions{.rtol = 1e-9, .atol = 1e-9}});
  eliminated.run(0, t_end);
  const auto [w, s] = errors_between_steps(eliminated, t_end);
  EXPECT_LT(w, 1e-11);
  EXPECT_LT(s, 1e-9);  // the bead is off the circle by the error of the positions

  Simulation carried(swinging_pair(), {.integrator = BdfOptions{.rtol = 1e-7, .atol = 1e-7}});
  carried.run(0, t_end);
  const auto [carried_w, carried_s] = errors_between_steps(carried, t_end);
  EXPECT_LT(carried_w, 1e-5);
  EXPECT_LT(carried_s, 1e-5);
}

TEST(AuxiliaryUnknowns, DenseOutputHasWhatWasSelected) {
  BdfOptions some;
  some.dense.w = std::vector<int>{};
  Simulation carried(swinging_pair(), {.integrator = some});
  carried.run(0, 0.1);
  const State between = carried.trajectory().at(0.0543);
  EXPECT_TRUE(std::isnan(between.w[0]));
  EXPECT_FALSE(std::isnan(between.s[0]));

  ExtrapolationOptions positions;
  positions.dense.v = std::vector<int>{};
  Simulation eliminated(swinging_pair(), {.integrator = positions});
  eliminated.run(0, 0.1);
  const State partial = eliminated.trajectory().at(0.0543);
  EXPECT_FALSE(partial.p.hasNaN());
  EXPECT_TRUE(std::isnan(partial.w[0]) && std::isnan(partial.s[0]));  // forces read velocities
}

TEST(AuxiliaryUnknowns, DenseOutputRefusesComponentsThatThereAreNot) {
  BdfOptions beyond;
  beyond.dense.s = std::vector<int>{1};
  Simulation carried(swinging_pair(), {.integrator = beyond});
  const std::string message = error_of([&] { carried.run(0, 0.1); });
  EXPECT_TRUE(contains(message, "BdfOptions: dense.s selects component 1; this system has 0 to 0.")) << message;
  ExtrapolationOptions none;
  none.dense.w = std::vector<int>{0};
  Simulation eliminated(swinging_pair(), {.integrator = none});
  const std::string of_eliminated = error_of([&] { eliminated.run(0, 0.1); });
  EXPECT_TRUE(contains(of_eliminated, "ExtrapolationOptions: dense.w selects component 0; this system has none."))
      << of_eliminated;
}

// Forces that depend on multipliers by way of w.

/// The friction force w on a block, 0 = w + w^3 / stiffening + mu N, N the joint's reaction.
class ImplicitFriction final : public ForceElement<Planar> {
 public:
  ImplicitFriction(const Frame<Planar>& block, const ConstraintRef<Planar>& joint, double mu, double cubic)
      : ForceElement<Planar>({block}, {joint}), mu_(mu), cubic_(cubic) {}
  std::string_view type() const override { return "implicit friction"; }
  int auxiliaries() const override { return 1; }

 private:
  void do_auxiliary(const Motion<Planar>& m, double* d) const override {
    const double w = m.auxiliary(0);
    d[0] = w + cubic_ * w * w * w + mu_ * m.reaction(0).force.y();
  }
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    sums.add_force(0, {m.auxiliary(0), 0});
  }
  double mu_, cubic_;
};

constexpr double slope = 0.6, mu = 0.3, mass = 2;

PlanarModel sliding_block(double cubic) {
  PlanarModel model;
  model.set_gravity({gravity * std::sin(slope), -gravity * std::cos(slope)});
  auto block = model.add_body("block", MassProperties::planar(mass, 0.1));
  const auto joint = model.add_joint<Prismatic>("guide", model.ground().origin(), block.origin(), Axis::x());
  model.add_force<ImplicitFriction>("friction", block.origin(), joint, mu, cubic);
  return model;
}

TEST(AuxiliaryUnknowns, FrictionThatIsSolvedForTakesPartInTheSystem) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    Simulation simulation(sliding_block(0), {.formulation = formulation,
                                             .integrator = ExtrapolationOptions{.rtol = 1e-10, .atol = 1e-10}});
    const State end = simulation.run(0, 1).final_state();
    const double a = gravity * (std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR(end.v.cwiseAbs().maxCoeff(), a, 1e-8);
    EXPECT_NEAR(end.w[0], -mu * mass * gravity * std::cos(slope), 1e-7);
  }
}

TEST(AuxiliaryUnknowns, ForceJacobianFollowsWInBothModes) {
  const PlanarModel model = sliding_block(1e-3);
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const auto eliminated = make_equations(model, {.formulation = formulation});
    const auto carried = make_equations(model, {.formulation = formulation, .auxiliary = AuxiliaryUnknowns::carried});
    const Eigen::VectorXd lambda = Eigen::VectorXd::LinSpaced(eliminated->dimensions().lambda, -20, 10);
    Eigen::MatrixXd F[2];
    for (const bool is_carried : {false, true}) {
      EquationsOfMotion& equations = is_carried ? *carried : *eliminated;
      equations.set_multipliers(lambda);
      F[is_carried] = equations.force_jacobian().dense();
      EXPECT_EQ(equations.multipliers(), lambda);
    }
    EXPECT_EQ(carried->auxiliary()[0], 0);  // as it was
    EXPECT_LT((F[0] - F[1]).norm(), 1e-8);
    // f_w d_w^-1 d_lambda = -mu dN/dlambda / (1 + 3 cubic w^2), with rows of unit size; a difference's error is 1e-6.
    const double w = eliminated->solved_auxiliary()[0];
    EXPECT_NEAR(F[0].cwiseAbs().maxCoeff(), mu / (1 + 3e-3 * w * w), 1e-6);
  }
}

/// The force -k s along x.
class ContactSpring final : public ForceElement<Planar> {
 public:
  ContactSpring(const Frame<Planar>& frame, const ConstraintRef<Planar>& source, double stiffness)
      : ForceElement<Planar>({frame}, {}, {source}), stiffness_(stiffness) {}
  std::string_view type() const override { return "contact spring"; }

 private:
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    sums.add_force(0, {-stiffness_ * m.contact(0), 0});
  }
  double stiffness_;
};

TEST(AuxiliaryUnknowns, ForcesReadContactsOfConstraints) {
  for (const AuxiliaryUnknowns mode : {AuxiliaryUnknowns::eliminated, AuxiliaryUnknowns::carried}) {
    PlanarModel model;
    auto other = model.add_body<PointMass>("other", 1.0);
    other.place({-2, 2});
    auto bead = model.add_body<PointMass>("bead", 1.0);
    bead.place({1, curvature});
    model.add_constraint<Wire>("first", other.origin(), curvature, -1.9);
    const auto wire = model.add_constraint<Wire>("second", bead.origin(), curvature, 0.9);
    model.add_force<ContactSpring>("spring", bead.origin(), wire, 7.0);
    const auto equations = make_equations(model, {.auxiliary = mode});
    if (mode == AuxiliaryUnknowns::carried) {
      equations->set_contacts(equations->initial_state().s);
      equations->solve_contacts();
    }
    EXPECT_NEAR(equations->f().norm(), 7 * 1, 1e-11);
    if (mode == AuxiliaryUnknowns::eliminated) continue;
    equations->set_contacts(Eigen::Vector2d(-3, 2));
    EXPECT_NEAR(equations->f().norm(), 7 * 2, 1e-14);
  }
}

TEST(AuxiliaryUnknowns, IntegratorsThatDoNotSolveForThemAreRefused) {
  auto carried = make_equations(bead_on_wire(true), {.auxiliary = AuxiliaryUnknowns::carried});
  EXPECT_EQ(
      error_of([&] { Simulation(std::move(carried)); }),
      "Simulation: model 'bead' has 1 auxiliary variables w and 1 contact-point coordinates s among its unknowns, "
      "which integrator 'extrapolation' does not solve for; make equations that eliminate them "
      "(AuxiliaryUnknowns::eliminated), or take an integrator that carries them.");
}

TEST(AuxiliaryUnknowns, SizesOfStatesAreChecked) {
  Simulation simulation(bead_on_wire(true));
  State state = simulation.equations().initial_state();
  state.w = Eigen::VectorXd::Zero(2);
  EXPECT_EQ(error_of([&] { simulation.set_initial_state(state); }),
            "Simulation::set_initial_state: w has 2 entries; this model has 1.");
  state.w.resize(0);
  state.s = Eigen::VectorXd::Constant(1, NAN);
  EXPECT_EQ(error_of([&] { simulation.set_initial_state(state); }),
            "Simulation::set_initial_state: s has an entry that is not finite; give finite values.");
  EXPECT_EQ(error_of([&] { simulation.equations().set_contacts(Eigen::VectorXd::Zero(3)); }),
            "EquationsOfMotion: s has 3 entries; this system has 1.");
}

TEST(AuxiliaryUnknowns, ObservablesAskForWhatThereIs) {
  const auto message = [](bool about_contact) {
    PlanarModel model;
    auto bead = model.add_body<PointMass>("bead", 1.0);
    bead.place({1, curvature});
    const auto wire = model.add_constraint<Wire>("wire", bead.origin(), curvature, 1.0);
    const auto spring = model.add_force<SeriesSpring>("spring", model.ground().at({0, 2}), bead.origin(), 0.0);
    model.add_observable("asked", "", [=](const Snapshot<Planar>& now) {
      return about_contact ? now.contact(wire, -1) : now.auxiliary(spring, 1);
    });
    const auto equations = make_equations(model);
    Eigen::VectorXd values;
    return error_of([&] { equations->observables(equations->initial_state(), values); });
  };
  EXPECT_EQ(message(false),
            "observable 'asked': force 'spring' has no auxiliary variable 1; it has 1, counted from 0.");
  EXPECT_EQ(message(true),
            "observable 'asked': constraint 'wire' has no contact coordinate -1; it has 1, counted from 0.");
}

// Equations posed directly.

/// A particle with 0 = c(t, s) = s^2 - t and 0 = d = w^3 + w - s - shift, both unknowns.
class Posed final : public EquationsOfMotion {
 public:
  explicit Posed(double shift) : EquationsOfMotion({.p = 1, .v = 1, .w = 1, .s = 1}), shift_(shift) {
    M_.add_block(0, 0, 1, 1);
  }

 private:
  void do_M(BlockMatrix& M) override { M.values(0)[0] = 1; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f[0] = auxiliary()[0]; }
  void do_gamma(Eigen::VectorXd&) override {}
  void do_d(Eigen::VectorXd& d) override {
    d[0] = std::pow(auxiliary()[0], 3) + auxiliary()[0] - contacts()[0] - shift_;
  }
  void do_c(Eigen::VectorXd& c) override { c[0] = contacts()[0] * contacts()[0] - time(); }
  double shift_;
};

TEST(AuxiliaryUnknowns, PosedEquationsFindConsistentStarts) {
  Posed posed(8);
  posed.set_position(4, Eigen::VectorXd::Zero(1));
  posed.set_contacts(Eigen::VectorXd::Constant(1, 1.0));
  posed.solve_contacts();
  EXPECT_NEAR(posed.contacts()[0], 2, 1e-14);
  posed.solve_auxiliary();  // w^3 + w = 10
  EXPECT_NEAR(posed.auxiliary()[0], 2, 1e-14);
  EXPECT_NEAR(posed.f()[0], 2, 1e-14);
  posed.set_position(-1, Eigen::VectorXd::Zero(1));
  const std::string contact = error_of([&] { posed.solve_contacts(); });
  EXPECT_TRUE(contains(contact,
                       "model 'equations': the contact equations 0 = c have no solution at t = -1 s: no "
                       "convergence"))
      << contact;
  Posed bad(NAN);
  EXPECT_TRUE(contains(error_of([&] { bad.solve_auxiliary(); }),
                       "the equation of auxiliary variable w[0] is not finite at t = 0 s"));
}

template <class Space>
void expect_modes_agree(const Model<Space>& model) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const auto eliminated = make_equations(model, {.formulation = formulation});
    const auto carried = make_equations(model, {.formulation = formulation, .auxiliary = AuxiliaryUnknowns::carried});
    EXPECT_EQ(carried->dimensions().w, 1);
    State state = eliminated->initial_state();
    state.v = Eigen::VectorXd::LinSpaced(state.v.size(), -1, 2);
    eliminated->set(state);
    carried->set(state);
    carried->solve_auxiliary();
    EXPECT_GT(std::abs(carried->auxiliary()[0]), 1e-3);
    EXPECT_NEAR(carried->auxiliary()[0], eliminated->solved_auxiliary()[0], 1e-12);
    EXPECT_LT((carried->f() - eliminated->f()).norm(), 1e-12 * (1 + eliminated->f().norm()));
    EXPECT_NEAR(carried->r_rate()[0], eliminated->r_rate()[0], 1e-12);
    EXPECT_NEAR(carried->d()[0], 0, 1e-10);
    EXPECT_NEAR(carried->energies().potential, eliminated->energies().potential,
                1e-10 * (1 + std::abs(eliminated->energies().potential)));
  }
}

TEST(AuxiliaryUnknowns, ModesAgreeInRandomMechanisms) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const test::RandomMechanism options{.seed = seed, .loops = 1, .auxiliary = true};
    SCOPED_TRACE(testing::Message() << options);
    expect_modes_agree(test::random_mechanism<Planar>(options));
    expect_modes_agree(test::random_mechanism<Spatial>(options));
  }
}

TEST(AuxiliaryUnknowns, AllLinearSolversGiveOneAcceleration) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::relative}) {
    const auto equations = make_equations(bead_on_wire(true), {.formulation = formulation});
    Eigen::VectorXd first, a, lambda;
    for (const std::string& name : linear_solver_names()) {
      const auto solver = make_linear_solver(name, *equations, false);
      ASSERT_TRUE(solver->analyze(*equations)) << name;
      ASSERT_TRUE(solver->factor(MatrixKind::velocity)) << name;
      ASSERT_TRUE(solver->accelerations(a, lambda)) << name;
      if (first.size() == 0) first = a;
      EXPECT_LT((a - first).norm(), 1e-9 * first.norm()) << name;  // cg stops at 1e-10
    }
  }
}

}  // namespace auxiliary_test
}  // namespace linkwork
