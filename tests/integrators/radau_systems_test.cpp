// radau on systems with all kinds of unknowns, with redundant constraints, and at singular positions.

#include "../parallelogram.hpp"
#include "radau_run.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/linkwork.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

using namespace linkwork;
using namespace linkwork::test;

namespace radau_systems_test {

RadauOptions at_tolerance(double tolerance) {
  RadauOptions options;
  options.rtol = options.atol = tolerance;
  return options;
}

/// A skate on a plane that slopes by the acceleration g along x: p = (x, y, phi), no slip across the blade. From rest
/// with the spin omega: x = g / (2 omega^2) sin^2 omega t, y = g / (2 omega^2) (omega t - sin(2 omega t) / 2).
class Skate : public EquationsOfMotion {
 public:
  static constexpr double slope = 2, spin = 1.5;
  Skate() : EquationsOfMotion({.p = 3, .v = 3, .mu = 1}) {
    M_.add_block(0, 0, 3, 3);
    G_.add_block(0, 0, 1, 3);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.v << 0, 0, spin;
    return s;
  }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = M.data()[4] = M.data()[8] = 1; }
  bool mass_is_constant() const override { return true; }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    G.data()[0] = -std::sin(position()[2]);
    G.data()[1] = std::cos(position()[2]);
    G.data()[2] = 0;
    offset[0] = 0;
  }
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f << slope, 0, 0; }
  void do_gamma(Eigen::VectorXd& gamma) override {
    const double c = std::cos(position()[2]), s = std::sin(position()[2]);
    gamma[0] = velocity()[2] * (c * velocity()[0] + s * velocity()[1]);
  }
};

/// A point mass on the curve y = h(x), x = s found from 0 = c, pulled by a spring with a serial damper (r) and by a
/// force w that solves 0 = d = w + k w^3 + x. The curve is a parabola, y = x^2 / 2.
class AllUnknowns : public EquationsOfMotion {
 public:
  double c_slope = 1, d_slope = 1;
  /// From this time on 0 = c, or 0 = d, is satisfied by anything [s].
  double c_end = std::numeric_limits<double>::infinity(), d_end = c_end;
  AllUnknowns() : EquationsOfMotion({.p = 2, .v = 2, .r = 1, .w = 1, .s = 1, .lambda = 1}) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 1, 2);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 1, 0.5;
    s.s << 1;
    s.w << -0.7;
    return s;
  }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = M.data()[3] = 1; }
  bool mass_is_constant() const override { return true; }
  void do_c(Eigen::VectorXd& c) override { c[0] = slope(c_slope, c_end) * (contacts()[0] - position()[0]); }
  double slope(double start, double end) const { return time() < end ? start * (1 - time() / end) : 0.0; }
  void do_d(Eigen::VectorXd& d) override {
    const double w = auxiliary()[0];
    d[0] = slope(d_slope, d_end) * (w + 0.5 * w * w * w + position()[0]);
  }
  void do_g(Eigen::VectorXd& g) override { g[0] = position()[1] - 0.5 * contacts()[0] * contacts()[0]; }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    G.data()[0] = -contacts()[0];
    G.data()[1] = 1;
    offset[0] = 0;
  }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma[0] = velocity()[0] * velocity()[0]; }
  void do_f(Eigen::VectorXd& f) override { f << auxiliary()[0] - (position()[0] - states()[0]), -9.81; }
  void do_r_rate(Eigen::VectorXd& rate) override { rate[0] = 2 * (position()[0] - states()[0]); }
};

/// The same in the coordinate x alone, with w by Newton's method: (1 + x^2) x'' = w - (x - r) - (x'^2 + 9.81) x.
Eigen::Vector3d all_unknowns_at(double t) {
  const auto rate = [](const Eigen::Vector3d& y) {
    double w = -y[0];
    for (int k = 0; k < 50; ++k) w -= (w + 0.5 * w * w * w + y[0]) / (1 + 1.5 * w * w);
    const double force = w - (y[0] - y[2]) - (y[1] * y[1] + 9.81) * y[0];
    return Eigen::Vector3d(y[1], force / (1 + y[0] * y[0]), 2 * (y[0] - y[2]));
  };
  Eigen::Vector3d y(1, 0, 0);
  const int n = 20000;
  const double h = t / n;
  for (int i = 0; i < n; ++i) {
    const Eigen::Vector3d a = rate(y), b = rate(y + h / 2 * a), c = rate(y + h / 2 * b), d = rate(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

/// The pendulum whose circle is given twice.
class TwiceConstrained : public EquationsOfMotion {
 public:
  TwiceConstrained() : EquationsOfMotion({.p = 2, .v = 2, .lambda = 2}) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 2, 2);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 0, -1;
    s.v << 2.9, 0;
    return s;
  }
  std::string constraint_name(int row) const override { return row == 0 ? "circle" : "second circle"; }

 private:
  void do_M(BlockMatrix& M) override { M.data()[0] = M.data()[3] = 1; }
  bool mass_is_constant() const override { return true; }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    for (int i = 0; i < 2; ++i) {
      G.data()[i] = 2 * position()[i];
      G.data()[2 + i] = position()[i];
    }
    offset.setZero();
  }
  void do_g(Eigen::VectorXd& g) override {
    g[0] = position().squaredNorm() - 1;
    g[1] = 0.5 * g[0];
  }
  void do_f(Eigen::VectorXd& f) override { f << 0, -PaperPendulum::gravity; }
  void do_gamma(Eigen::VectorXd& gamma) override {
    gamma[0] = -2 * velocity().squaredNorm();
    gamma[1] = 0.5 * gamma[0];
  }
};

TEST(RadauSystems, RollsWithoutSlip) {
  for (const StageSolver solver : {StageSolver::dense, StageSolver::sparse}) {
    Skate skate;
    RadauOptions options = at_tolerance(1e-9);
    options.solver = solver;
    double slip = 0;
    const RadauRun run = run_radau(skate, options, 3, [&](Integrator& i) {
      skate.set(i.state());
      slip = std::max(slip, std::abs(skate.velocity_residual()[0]));
    });
    ASSERT_EQ(run.failure, "");
    const double turn = Skate::spin * 3, size = Skate::slope / (2 * Skate::spin * Skate::spin);
    EXPECT_NEAR(run.end.p[0], size * std::sin(turn) * std::sin(turn), 1e-8);  // ten tolerances
    EXPECT_NEAR(run.end.p[1], size * (turn - std::sin(2 * turn) / 2), 1e-8);
    EXPECT_LT(slip, 1e-14);  // rounding of velocities of about 1
  }
}

TEST(RadauSystems, SolvesForStatesAuxiliaryVariablesAndContacts) {
  for (const StageSolver solver : {StageSolver::dense, StageSolver::sparse}) {
    AllUnknowns system;
    RadauOptions options = at_tolerance(1e-9);
    options.solver = solver;
    double worst = 0;
    const RadauRun run = run_radau(system, options, 2, [&](Integrator& i) {
      worst = std::max(worst, constraint_levels(system, i.state()));
      worst = std::max({worst, std::abs(system.c()[0]), std::abs(system.d()[0])});
    });
    ASSERT_EQ(run.failure, "");
    const Eigen::Vector3d exact = all_unknowns_at(2);
    EXPECT_NEAR(run.end.p[0], exact[0], 1e-8);  // ten tolerances
    EXPECT_NEAR(run.end.v[0], exact[1], 1e-8);
    EXPECT_NEAR(run.end.r[0], exact[2], 1e-8);
    EXPECT_LT(worst, 1e-13);  // rounding of numbers of about 10
  }
}

TEST(RadauSystems, NamesSingularAuxiliaryAndContactEquations) {
  AllUnknowns no_s;
  no_s.c_slope = 0;
  EXPECT_EQ(run_radau(no_s, at_tolerance(1e-6), 1).failure.find("equations depend on others"), std::string::npos);
  const std::string contact = run_radau(no_s, at_tolerance(1e-6), 1).failure;
  EXPECT_NE(contact.find("contact equations"), std::string::npos) << contact;
  AllUnknowns no_w;
  no_w.d_slope = 0;
  const std::string auxiliary = run_radau(no_w, at_tolerance(1e-6), 1).failure;
  EXPECT_NE(auxiliary.find("auxiliary equations"), std::string::npos) << auxiliary;
}

TEST(RadauSystems, NamesEquationsThatBecomeSingularOnTheWay) {
  for (const StageSolver solver : {StageSolver::dense, StageSolver::sparse}) {
    RadauOptions options = at_tolerance(1e-6);
    options.solver = solver;
    AllUnknowns no_s;
    no_s.c_end = 0.5;
    const std::string contact = run_radau(no_s, options, 2).failure;
    EXPECT_NE(contact.find("c_s is singular, so that 0 = c does not determine s: the equation of s[0]"),
              std::string::npos)
        << contact;
    EXPECT_EQ(contact.find("at t = 0.5"), 0u) << contact;
    AllUnknowns no_w;
    no_w.d_end = 0.5;
    const std::string auxiliary = run_radau(no_w, options, 2).failure;
    EXPECT_NE(auxiliary.find("d_w is singular, so that 0 = d does not determine w: the equation of w[0]"),
              std::string::npos)
        << auxiliary;
  }
}

// The motion is that of a single circle, to the errors of both runs, and multipliers have the least norm: the second
// row is half the first one, and so is its multiplier.
TEST(RadauSystems, RedundantConstraintsLeaveTheMotion) {
  TwiceConstrained twice;
  PaperPendulum once(2.9);
  const RadauRun redundant = run_radau(twice, at_tolerance(1e-11), 2);
  const RadauRun single = run_radau(once, at_tolerance(1e-11), 2);
  ASSERT_EQ(redundant.failure, "");
  EXPECT_LT((redundant.end.p - single.end.p).norm(), 1e-9);
  EXPECT_NEAR(redundant.end.lambda[1], 0.5 * redundant.end.lambda[0], 1e-10);
  EXPECT_NEAR(redundant.end.lambda[0] + 0.5 * redundant.end.lambda[1], single.end.lambda[0], 1e-8);
}

TEST(RadauSystems, RefusesRedundantConstraintsWithoutSingularValues) {
  TwiceConstrained twice;
  for (const AlgebraicDecomposition algebraic : {AlgebraicDecomposition::lu, AlgebraicDecomposition::qr}) {
    RadauOptions options = at_tolerance(1e-6);
    options.algebraic = algebraic;
    const std::string failure = run_radau(twice, options, 1).failure;
    EXPECT_NE(failure.find("constraints are redundant"), std::string::npos) << failure;
    EXPECT_NE(failure.find("circle depends on others"), std::string::npos) << failure;
    EXPECT_NE(failure.find("set algebraic to svd"), std::string::npos) << failure;
  }
}

/// A bar on three parallel cranks of 1 m at an angle from the vertical: one of them is redundant. Without gravity it
/// goes round uniformly at 1 rad/s; where all bars lie in one line, at pi / 2, the rank falls.
PlanarModel three_cranks(double angle) {
  PlanarModel model("three cranks");
  auto bar = model.add_body("bar", MassProperties::rod(2, 2));
  bar.place({std::sin(angle), std::cos(angle)});
  bar.move({std::cos(angle), -std::sin(angle)});
  for (const double x : {-1.0, 0.0, 1.0})
    model.add_constraint<Rod>(concat("crank ", x), model.ground().at({x, 0}), bar.at({x, 0}), 1.0);
  return model;
}

std::string run_cranks(double angle, double t_end) {
  Simulation simulation(three_cranks(angle), {.integrator = RadauOptions{.rtol = 1e-6, .atol = 1e-6}});
  try {
    simulation.run(0, t_end);
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

TEST(RadauSystems, RunsBesideSingularPositions) { EXPECT_EQ(run_cranks(0, 1.5), ""); }

TEST(RadauSystems, StopsWhereTheRankChangesAndNamesTheJoints) {
  const std::string failure = run_cranks(0, std::numbers::pi / 2);
  EXPECT_NE(failure.find("the rank of the constraints changes at t = 1.57"), std::string::npos) << failure;
  for (const char* crank : {"crank -1", "crank 0", "crank 1"})
    EXPECT_NE(failure.find(crank), std::string::npos) << failure;
}

// From the singular position on there are more independent rows than at the start.
TEST(RadauSystems, StopsWhereItLeavesASingularPosition) {
  const std::string failure = run_cranks(std::numbers::pi / 2, 1);
  EXPECT_NE(failure.find("the rank of the constraints changes"), std::string::npos) << failure;
}

// Spatial bodies: norms of quaternions are algebraic equations, so that they hold to rounding.
TEST(RadauSystems, KeepsQuaternions) {
  for (const StageSolver solver : {StageSolver::dense, StageSolver::sparse}) {
    SpatialModel model("top");
    model.set_gravity({0, 0, -9.81});
    auto body = model.add_body("top", MassProperties::box(1, {0.1, 0.2, 0.3}));
    body.place({0, 0, 0.3});
    body.move({0.3, 0, 0}, {0, 1, 8});
    model.add_joint<Spherical>("foot", model.ground().origin(), body.at({0, 0, -0.3}));
    RadauOptions options = at_tolerance(1e-9);
    options.solver = solver;
    Simulation simulation(model, {.integrator = options});
    simulation.run(0, 1);
    EXPECT_LT(simulation.constraint_residual().normalisation, 1e-15 * 4);
    EXPECT_LT(simulation.constraint_residual().position_m, 1e-14);
    EXPECT_LT(simulation.energy().max_drift, 1e-7);  // a hundred tolerances
  }
}

// In joint coordinates a body on a drive leaves nothing to solve for; its reactions and events are there all the same.
TEST(RadauSystems, RunsWithNothingUnknown) {
  PlanarModel model("driven");
  auto wheel = model.add_body("wheel", MassProperties::planar(1, 1));
  wheel.move({0, 0}, 1);
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), wheel.origin(), Input([](double t) {
                                    return InputValue{t, 1, 0};
                                  }));
  model.add_observable("angle", "rad", [=](const Snapshot<Planar>& s) { return s.pose(wheel.origin()).angle; });
  for (const bool searches : {false, true}) {
    Simulation simulation(model, {.formulation = Formulation::relative, .integrator = at_tolerance(1e-6)});
    if (searches) simulation.set_initial_conditions({});
    const Trajectory& path = simulation.run(0, 1);
    Eigen::VectorXd angle;
    simulation.equations().observables(path.at(0.7), angle);
    EXPECT_NEAR(angle[0], 0.7, 1e-15);
  }
}

/// Two drives turn one wheel, the second one faster and faster.
PlanarModel contradicting_drives() {
  PlanarModel model("two drives");
  auto wheel = model.add_body("wheel", MassProperties::planar(1, 1));
  wheel.move({0, 0}, 3);
  model.add_joint<DrivenRevolute>("first", model.ground().origin(), wheel.origin(), Input([](double t) {
                                    return InputValue{3 * t, 3, 0};
                                  }));
  model.add_joint<DrivenRevolute>("second", model.ground().origin(), wheel.origin(), Input([](double t) {
                                    return InputValue{3 * t + 0.1 * t * t, 3 + 0.2 * t, 0.2};
                                  }));
  return model;
}

TEST(RadauSystems, NamesRowsThatStopAgreeing) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    SCOPED_TRACE(name_of(formulation));
    Simulation simulation(contradicting_drives(),
                          {.formulation = formulation, .integrator = RadauOptions{.rtol = 1e-6, .atol = 1e-6}});
    std::string message;
    double time = 1;
    try {
      simulation.run(0, 1);
    } catch (const RunError& error) {
      message = error.what();
      time = error.time_reached();
    }
    EXPECT_NE(message.find("constraints of model 'two drives' contradict each other"), std::string::npos) << message;
    EXPECT_NE(message.find("second"), std::string::npos) << message;
    EXPECT_NE(message.find("correct the geometry or the drives, or take one of them away"), std::string::npos);
    // 0.2 t is more than a millionth of the speeds from the first steps on.
    EXPECT_LT(time, 0.1);
  }
}

// Copies of one element agree on the whole way, near singular positions of the chosen rows too.
TEST(RadauSystems, KeepsRowsThatAgree) {
  EXPECT_EQ(run_cranks(0, 1.5), "");
  PlanarModel model("twice driven");
  auto wheel = model.add_body("wheel", MassProperties::planar(1, 1));
  wheel.move({0, 0}, 3);
  for (const char* name : {"first", "second"})
    model.add_joint<DrivenRevolute>(name, model.ground().origin(), wheel.origin(), Input([](double t) {
                                      return InputValue{3 * t + 50 * t * t, 3 + 100 * t, 100};
                                    }));
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
    for (const double tolerance : {1e-3, 1e-10}) {
      Simulation simulation(
          model, {.formulation = formulation, .integrator = RadauOptions{.rtol = tolerance, .atol = tolerance}});
      simulation.run(0, 3);
      EXPECT_LT(simulation.constraint_residual().position_rad, 1e-12);
    }
}

/// Differences, as a user's function would give them.
void give_differences(MotionResidual& own, double t, const Eigen::VectorXd& y, Eigen::MatrixXd& J) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(y.size());
  Eigen::VectorXd below(own.equations()), above = below, moved = y;
  for (int j = 0; j < y.size(); ++j) {
    const double increment = 1e-6 * std::max(1.0, std::abs(y[j]));
    moved[j] = y[j] - increment;
    own.evaluate(t, moved, zero, below);
    moved[j] = y[j] + increment;
    own.evaluate(t, moved, zero, above);
    moved[j] = y[j];
    J.col(j) = (above - below) / (2 * increment);
  }
}

/// The left crank alone, driven.
PlanarModel without_freedoms() {
  PlanarModel model("without freedoms");
  auto crank = model.add_body("crank", MassProperties::rod(1, 1));
  crank.place({0.5, 0}, 0);
  crank.move({0, 1}, 2);
  const Input turning([](double t) { return InputValue{2 * t, 2, 0}; });
  model.add_joint<DrivenRevolute>("motor", model.ground().origin(), crank.at({-0.5, 0}), turning);
  return model;
}

TEST(RadauSystems, RunWithNothingUnknownByEveryCorrector) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
    for (const CorrectorMethod method : {CorrectorMethod::simplified, CorrectorMethod::newton,
                                         CorrectorMethod::dropped_lu, CorrectorMethod::krylov, CorrectorMethod::cycle})
      for (const StageSolver solver : {StageSolver::automatic, StageSolver::sparse}) {
        SCOPED_TRACE(concat(name_of(formulation), ", ", name_of(method)));
        if (formulation == Formulation::relative && method == CorrectorMethod::krylov) continue;
        RadauOptions options = at_tolerance(1e-6);
        options.newton.method = method;
        options.solver = solver;
        Simulation simulation(without_freedoms(), {.formulation = formulation, .integrator = options});
        EXPECT_EQ(simulation.run(0, 1).final_state().t, 1);
      }
}

// From 0.7 rad at -3 rad/s, through six such positions, by every solver of the stages. Worst seen: 10 tolerances.
TEST(RadauSystems, PassSingularPositionsWithMatricesOfAllStages) {
  constexpr double tolerance = 1e-7, angle = 0.7, rate = -3, t_end = 6;
  const PlanarModel model = parallelogram(angle, rate);
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const auto equations = make_equations(model, {.formulation = formulation});
    equations->set(equations->initial_state());
    MotionResidual own(*equations,
                       MotionResidual::Options{.form = EquationForm::strangeness_free, .acceleration_unknowns = true});
    const RadauOptions usual = at_tolerance(tolerance);
    RadauOptions dense = usual, sparse = usual, svd = usual, given = usual, newton = usual;
    dense.solver = StageSolver::dense;
    sparse.solver = StageSolver::sparse;
    svd.algebraic = AlgebraicDecomposition::svd;
    given.given_jacobian = [&own](const MotionResidual&, double t, const Eigen::VectorXd& y, Eigen::MatrixXd& J) {
      give_differences(own, t, y, J);
    };
    newton.newton.method = CorrectorMethod::newton;
    for (const auto& [name, options] :
         {std::pair("dense", dense), {"sparse", sparse}, {"svd", svd}, {"given", given}, {"newton", newton}}) {
      SCOPED_TRACE(concat(name_of(formulation), ", ", name));
      Simulation simulation(model, {.formulation = formulation, .integrator = options});
      const Trajectory path = simulation.run(0, t_end);
      const OutputPoints end = OutputPoints::given({t_end});
      for (const char* crank : {"left", "right"})
        EXPECT_NEAR(path.values(crank, end).values.front(), angle + rate * t_end, 50 * tolerance) << crank;
      const IntegratorStatistics& counts = simulation.statistics().integrator;
      if (formulation == Formulation::relative) continue;  // simplified Newton may do
      EXPECT_GT(counts.corrector.iterations[static_cast<std::size_t>(CorrectorPhase::newton)], 0);
    }
  }
}

}  // namespace radau_systems_test
