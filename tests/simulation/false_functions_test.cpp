// What a run finds in elements and equations of one's own before it starts: functions that do not fit each other.
#include <linkwork/bodies/mass_properties.hpp>
#include <linkwork/bodies/point_mass.hpp>
#include <linkwork/core/conformance.hpp>
#include <linkwork/core/model.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/simulation/simulation.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "../integrators/pendulum_jacobian.hpp"
#include "../messages.hpp"

namespace linkwork {
namespace false_functions_test {

/// What a run of a model says, in every formulation.
template <class Build>
std::vector<std::string> errors_of(Build&& build) {
  std::vector<std::string> out;
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    PlanarModel model("m");
    model.set_gravity({0, -9.81});
    const auto body = model.add_body("a", MassProperties::planar(1, 1));
    build(model, body);
    out.push_back(test::error_of([&] { Simulation(model, {.formulation = formulation}).run(0, 0.1); }));
  }
  return out;
}

void expect_all(const std::vector<std::string>& errors, const std::string& part) {
  for (const std::string& error : errors) EXPECT_TRUE(test::contains(error, part)) << error << "\nwanted: " << part;
}

// X(q) = (q, q^2 / 2), the angle q: S = (1, own axes of (1, q)), and its faults.
enum class JointFault { none, S, bias, columns };
class Slope final : public Joint<Planar> {
 public:
  explicit Slope(JointFault fault) : fault_(fault) {}
  std::string_view type() const override { return "slope"; }
  int freedoms() const override { return 1; }

 private:
  void do_pose(Instant, const double* q, Pose<Planar>& X) const override {
    X.position = {q[0], 0.5 * q[0] * q[0]};
    X.rotation = rotation_matrix(q[0]);
    X.angle = q[0];
  }
  void do_motion(Instant t, const double* q, JointMotion<Planar>& out) const override {
    out.X = pose(t, q);
    out.S.resize(3, fault_ == JointFault::columns ? 2 : 1);
    out.S.setZero();
    out.S(0, 0) = fault_ == JointFault::S ? 2 : 1;
    out.S.col(0).tail<2>() = out.X.rotation.transpose() * Eigen::Vector2d(1, q[0]);
    out.drift.setZero();
  }
  void do_motion_bias(Instant, const double* q, const double* v, Components<Planar>& bias) const override {
    bias.setZero();
    if (fault_ == JointFault::bias) return;
    const Eigen::Matrix2d R = rotation_matrix(q[0]);
    const Eigen::Vector2d tangent(1, q[0]), turned(-tangent.y(), tangent.x());
    bias.tail<2>() = R.transpose() * (Eigen::Vector2d(0, 1) - turned) * v[0] * v[0];
  }
  JointFault fault_;
};

TEST(FalseFunctions, OfJointsAreNamedInEveryFormulation) {
  const auto of = [](JointFault fault) {
    return errors_of([&](PlanarModel& model, BodyRef<Planar> body) {
      body.place({0.5, 0.125}, 0.5);  // at q = 0 the bias is zero
      model.add_joint<Slope>("ramp", model.ground().origin(), body.origin(), fault);
    });
  };
  expect_all(of(JointFault::none), "nothing was thrown");
  expect_all(of(JointFault::S), "model 'm': joint 'ramp' (slope): do_motion: component of the twist S v + drift 0 is");
  expect_all(of(JointFault::bias), "model 'm': joint 'ramp' (slope): do_motion_bias: component 1 is 0");
}

// A point of the body stays on the line y = 0.
enum class RowFault { none, row, forgotten_frame, bias, more_residuals, no_residual };
class OnLine final : public Constraint<Planar> {
 public:
  OnLine(const Frame<Planar>& at, RowFault fault) : Constraint({at}), fault_(fault) {}
  std::string_view type() const override { return "on line"; }
  int rows() const override { return 1; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    if (fault_ == RowFault::no_residual) return;
    g[0] = m.frame(0).pose.position.y();
    if (fault_ == RowFault::more_residuals) g[1] = 0;
  }
  void do_rows(const Motion<Planar>&, ConstraintRows<Planar>& out) const override {
    out.add_linear(0, fault_ == RowFault::forgotten_frame ? 1 : 0, {0.0, fault_ == RowFault::row ? -1.0 : 1.0});
  }
  void do_bias(const Motion<Planar>&, double* bias) const override { bias[0] = fault_ == RowFault::bias ? 3 : 0; }
  RowFault fault_;
};

TEST(FalseFunctions, OfConstraintsAreNamed) {
  const auto of = [](RowFault fault) {
    return errors_of([&](PlanarModel& model, const BodyRef<Planar>& body) {
      model.add_constraint<OnLine>("line", body.origin(), fault);
    });
  };
  const std::string start = "model 'm': constraint 'line' (on line): ";
  expect_all(of(RowFault::none), "nothing was thrown");
  expect_all(of(RowFault::row), start + "do_rows: row 0 is");
  expect_all(of(RowFault::forgotten_frame), "'line' at t = 0 s: a constraint writes to its frame 1; it has 1");
  expect_all(of(RowFault::bias), start + "do_bias: row 0 is 3");
  expect_all(of(RowFault::more_residuals), start + "do_residual: writes beyond the 1 numbers");
  expect_all(of(RowFault::no_residual), start + "do_residual: leaves one of its 1 numbers unwritten");
}

// rows() that changes once the equations are there.
class Growing final : public Constraint<Planar> {
 public:
  Growing(const Frame<Planar>& at, const int* rows) : Constraint({at}), rows_(rows) {}
  std::string_view type() const override { return "growing"; }
  int rows() const override { return *rows_; }

 private:
  void do_residual(const Motion<Planar>& m, double* g) const override {
    for (int i = 0; i < *rows_; ++i) g[i] = m.frame(0).pose.position[i];
  }
  const int* rows_;
};

TEST(FalseFunctions, RowsThatChangeAreNamed) {
  int rows = 1;
  PlanarModel model("m");
  const auto body = model.add_body("a", MassProperties::planar(1, 1));
  model.add_constraint<Growing>("bar", body.origin(), &rows);
  Simulation simulation(model);
  simulation.run(0, 0.01);
  rows = 2;
  EXPECT_TRUE(test::contains(test::error_of([&] { simulation.run(0, 0.01); }),
                             "constraint 'bar' (growing): it has 2 rows and 0 contact coordinates, and had 1 and 0"));
}

// In the midst of a run, before anything is written where there is no room.
TEST(FalseFunctions, RowsThatChangeOnTheWayAreNamed) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative})
    for (const IntegratorOptions& integrator :
         {IntegratorOptions(ExtrapolationOptions{.maximum_step = 0.1}),
          IntegratorOptions(BdfOptions{.maximum_step = 0.1}), IntegratorOptions(RadauOptions{.maximum_step = 0.1})}) {
      int rows = 1;
      PlanarModel model("m");
      const auto body = model.add_body("a", MassProperties::planar(1, 1));
      model.add_constraint<Growing>("bar", body.origin(), &rows);
      Simulation simulation(model, {.formulation = formulation, .integrator = integrator});
      simulation.on_progress([&rows](double, double) { rows = 2; });
      EXPECT_TRUE(
          test::contains(test::error_of([&] { simulation.run(0, 1); }),
                         "model 'm': constraint 'bar' (growing): it has 2 rows and 0 contact coordinates, and had 1 "
                         "and 0 when the equations were made"));
    }
}

// A force whose number of states grows on the way.
class GrowingLag final : public ForceElement<Planar> {
 public:
  GrowingLag(const Frame<Planar>& at, const int* states) : ForceElement({at}), states_(states) {}
  std::string_view type() const override { return "growing lag"; }
  int states() const override { return *states_; }

 private:
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    sums.add_force(0, {m.state(0), 0.0});
  }
  void do_state_rates(const Motion<Planar>&, double* rates) const override { std::fill_n(rates, *states_, 1.0); }
  const int* states_;
};

TEST(FalseFunctions, StatesThatChangeOnTheWayAreNamed) {
  int states = 1;
  PlanarModel model("m");
  const auto body = model.add_body("a", MassProperties::planar(1, 1));
  model.add_force<GrowingLag>("filter", body.origin(), &states);
  Simulation simulation(model, {.integrator = ExtrapolationOptions{.maximum_step = 0.1}});
  simulation.on_progress([&states](double, double) { states = 2; });
  const std::string expected =
      "model 'm': force 'filter' (growing lag): it has 2 states and 0 auxiliary variables, and had 1 and 0";
  EXPECT_TRUE(test::contains(test::error_of([&] { simulation.run(0, 1); }), expected));
  EXPECT_TRUE(test::contains(test::error_of([&] { simulation.run(0, 1); }), expected));  // and before a run
}

class Lag final : public ForceElement<Planar> {
 public:
  Lag(const Frame<Planar>& at, int writes) : ForceElement({at}), writes_(writes) {}
  std::string_view type() const override { return "lag"; }
  int states() const override { return 1; }

 private:
  void do_add_to(const Motion<Planar>& m, ForceSums<Planar>& sums) const override {
    sums.add_force(0, {m.state(0), 0.0});
  }
  void do_state_rates(const Motion<Planar>& m, double* rates) const override {
    for (int i = 0; i < writes_; ++i) rates[i] = -m.state(0);
  }
  int writes_;
};

TEST(FalseFunctions, OfForcesAreNamed) {
  const auto of = [](int writes) {
    return errors_of([&](PlanarModel& model, const BodyRef<Planar>& body) {
      model.add_force<Lag>("filter", body.origin(), writes);
    });
  };
  expect_all(of(1), "nothing was thrown");
  expect_all(of(2), "model 'm': force 'filter' (lag): do_state_rates: writes beyond the 1 numbers");
  expect_all(of(0), "model 'm': force 'filter' (lag): do_state_rates: leaves one of its 1 numbers unwritten");
}

// Posed equations: a pendulum in x and y, and what can be wrong with it.
enum class Fault { none, gamma, M, G, offset, size_of_f, size_of_g, reads_multipliers, block };
class Pendulum final : public EquationsOfMotion {
 public:
  explicit Pendulum(Fault fault) : EquationsOfMotion({.p = 2, .v = 2, .lambda = 1}), fault_(fault) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 1, fault == Fault::block ? 3 : 2);
  }
  State initial_state() const override {
    State s = EquationsOfMotion::initial_state();
    s.p << 1, 0;
    return s;
  }

 private:
  void do_M(BlockMatrix& M) override {
    M.values(0)[0] = M.values(0)[3] = 1;
    if (fault_ == Fault::M) M.values(0)[1] = 0.5;
  }
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    G.values(0)[0] = 2 * position()[0];
    G.values(0)[1] = 2 * position()[1] + (fault_ == Fault::G ? 0.4 : 0);
    offset[0] = fault_ == Fault::offset ? 0.1 : 0;
  }
  void do_g(Eigen::VectorXd& g) override {
    if (fault_ == Fault::size_of_g) g = Eigen::VectorXd::Zero(3);
    g[0] = position().squaredNorm() - 1;
  }
  void do_f(Eigen::VectorXd& f) override {
    if (fault_ == Fault::size_of_f) f = Eigen::VectorXd::Zero(1);
    if (fault_ == Fault::size_of_f) return;
    f << 0, -9.81;
    if (fault_ == Fault::reads_multipliers) f[0] = 0.3 * multipliers()[0];
  }
  void do_gamma(Eigen::VectorXd& gamma) override {
    gamma[0] = (fault_ == Fault::gamma ? 2 : -2) * velocity().squaredNorm();
  }
  Fault fault_;
};

TEST(FalseFunctions, OfPosedEquationsAreFoundByTheKitAndBeforeARun) {
  struct Case {
    Fault fault;
    std::string function;
  };
  for (const auto& [fault, function] :
       {Case{Fault::gamma, "do_gamma"}, Case{Fault::M, "do_M"}, Case{Fault::G, "do_G"}, Case{Fault::offset, "do_G"},
        Case{Fault::reads_multipliers, "forces_read_multipliers"}}) {
    Pendulum pendulum(fault);
    const ConformanceReport report = check_equations(pendulum);
    ASSERT_FALSE(report) << function;
    EXPECT_EQ(report.failures().front().function, function) << report.summary();
    for (const IntegratorOptions& integrator : {IntegratorOptions(ExtrapolationOptions{}),
                                                IntegratorOptions(BdfOptions{}), IntegratorOptions(RadauOptions{})}) {
      const std::string error = test::error_of(
          [&, fault = fault] { Simulation(std::make_unique<Pendulum>(fault), {.integrator = integrator}).run(0, 1); });
      EXPECT_TRUE(test::contains(error, "model 'equations': " + function + ": ")) << error;
      EXPECT_TRUE(test::contains(error, "check_equations (conformance.hpp) tells more.")) << error;
    }
  }
  Pendulum right(Fault::none);
  const ConformanceReport report = check_equations(right);
  EXPECT_TRUE(report) << report.summary();
  EXPECT_GT(report.comparisons(), 100);
}

TEST(FalseFunctions, SizesAreCheckedAtEveryCall) {
  const auto error = [](Fault fault, auto&& ask) {
    return test::error_of([&] {
      Pendulum pendulum(fault);
      pendulum.set(pendulum.initial_state());
      ask(pendulum);
    });
  };
  EXPECT_EQ(
      error(Fault::size_of_f, [](EquationsOfMotion& e) { e.f(); }),
      "model 'equations': do_f left 1 entries; this system has 2. Write the entries, and leave the size as it is.");
  EXPECT_EQ(
      error(Fault::size_of_g, [](EquationsOfMotion& e) { e.g(); }),
      "model 'equations': do_g left 3 entries; this system has 1. Write the entries, and leave the size as it is.");
  EXPECT_EQ(error(Fault::block, [](EquationsOfMotion&) {}),
            "BlockMatrix: a block of 1 x 3 entries at row 0, column 0 leaves the matrix, which has 1 x 2; keep it "
            "inside.");
}

// A given Jacobian with a wrong entry ends the run by name; see also Radau.TakesAGivenJacobian.
TEST(FalseFunctions, AGivenJacobianIsComparedWithDifferences) {
  RadauOptions options;
  options.given_jacobian = test::pendulum_jacobian(1.5);
  const std::string error =
      test::error_of([&] { Simulation(std::make_unique<Pendulum>(Fault::none), {.integrator = options}).run(0, 0.1); });
  EXPECT_TRUE(test::contains(error, "the Jacobian that was given is not the derivative of the equations: the entry of"))
      << error;
  EXPECT_TRUE(test::contains(error, "is 1.5, and differences give 1")) << error;
}

}  // namespace false_functions_test
}  // namespace linkwork
