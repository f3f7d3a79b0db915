#include "expect_error.hpp"

#include <linkwork/core/equations_of_motion.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace linkwork {
namespace equations_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double mass = 2, length = 0.5, gravity = 9.81, friction = 0.3;

/// A pendulum in Cartesian coordinates p = (x, y) with a state r' = x - r and a bearing whose friction force along x is
/// proportional to lambda: g = (x^2 + y^2 - l^2) / 2, G = (x, y), gamma = -|v|^2. The plane of the pendulum may be
/// lifted off at a given speed, which gives an offset.
class Pendulum : public EquationsOfMotion {
 public:
  Pendulum() : EquationsOfMotion({.p = 2, .v = 2, .r = 1, .lambda = 1}) {
    M_.add_block(0, 0, 2, 2);
    G_.add_block(0, 0, 1, 2);
    F_.add_block(0, 0, 2, 1);
  }
  std::string model_name() const override { return "pendulum"; }
  bool forces_read_multipliers() const override { return true; }

  int position_updates = 0, velocity_updates = 0;
  bool constant_mass = false;
  int mass_evaluations = 0;
  double extra_force = 0, extra_row = 0, extra_residual = 0, extra_mass = 0, extra_rate = 0, extra_gamma = 0,
         offset = 0;

 private:
  void do_position() override { ++position_updates; }
  void do_velocity() override { ++velocity_updates; }
  bool mass_is_constant() const override { return constant_mass; }
  void do_M(BlockMatrix& M) override {
    ++mass_evaluations;
    M.values(0)[0] = M.values(0)[3] = mass + extra_mass;
  }
  void do_G(BlockMatrix& G, Eigen::VectorXd& out) override {
    G.values(0)[0] = position()[0] + extra_row;
    G.values(0)[1] = position()[1];
    out[0] = offset;
  }
  void do_g(Eigen::VectorXd& g) override { g[0] = (position().squaredNorm() - length * length) / 2 + extra_residual; }
  void do_f(Eigen::VectorXd& f) override {
    f[0] = -friction * multipliers()[0] * multipliers()[0];
    f[1] = -mass * gravity + extra_force;
  }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma[0] = -velocity().squaredNorm() + extra_gamma; }
  void do_r_rate(Eigen::VectorXd& rate) override { rate[0] = position()[0] - states()[0] + extra_rate; }
};

State example_state() {
  State state;
  state.t = 1.5;
  state.p = Eigen::Vector2d(0.3, -0.4);
  state.v = Eigen::Vector2d(4, 3);
  state.r = Eigen::VectorXd::Constant(1, 0.1);
  state.lambda = Eigen::VectorXd::Constant(1, 7);
  return state;
}

struct EquationsOfMotionTest : testing::Test {
  EquationsOfMotionTest() { e.set(example_state()); }
  Pendulum e;
};

TEST_F(EquationsOfMotionTest, EvaluatesTheGeneralForm) {
  EXPECT_EQ(e.M().dense(), mass * Eigen::Matrix2d::Identity());
  EXPECT_EQ(e.G().dense(), Eigen::RowVector2d(0.3, -0.4));
  EXPECT_NEAR(e.g()[0], 0, 1e-16);  // rounding of 0.3^2 + 0.4^2
  EXPECT_EQ(e.gamma()[0], -25);
  EXPECT_EQ(e.f()[1], -mass * gravity);
  EXPECT_EQ(e.r_rate()[0], 0.3 - 0.1);
  EXPECT_EQ(e.velocity_offset()[0], 0);
  Eigen::VectorXd rate, moved;
  e.position_rate(rate);
  e.position_step(Eigen::Vector2d(1, 2), moved);
  EXPECT_EQ(rate, e.velocity());
  EXPECT_EQ(moved, e.position() + Eigen::Vector2d(1, 2));
}

TEST_F(EquationsOfMotionTest, ComputesAQuantityOnceForEachPoint) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    e.M(), e.G(), e.velocity_offset(), e.C(), e.g(), e.f(), e.gamma(), e.r_rate();
  }
  EXPECT_EQ(e.counters().matrix, 1);
  EXPECT_EQ(e.counters().position_matrix, 1);
  EXPECT_EQ(e.counters().residual, 1);
  EXPECT_EQ(e.counters().force, 1);
  EXPECT_EQ(e.counters().state_rate, 1);
  EXPECT_EQ(e.mass_evaluations, 1);
  EXPECT_EQ(e.position_updates, 1);
  EXPECT_EQ(e.velocity_updates, 1);
}

TEST_F(EquationsOfMotionTest, ANewPositionMakesEverythingStale) {
  e.M(), e.G(), e.C(), e.g(), e.f(), e.r_rate();
  e.set_position(2, Eigen::Vector2d(0.4, 0.3));
  e.M(), e.C(), e.g(), e.f(), e.r_rate();
  EXPECT_EQ(e.G().dense(), Eigen::RowVector2d(0.4, 0.3));
  EXPECT_EQ(e.counters().matrix, 2);
  EXPECT_EQ(e.counters().position_matrix, 2);
  EXPECT_EQ(e.counters().residual, 2);
  EXPECT_EQ(e.counters().force, 2);
  EXPECT_EQ(e.counters().state_rate, 2);
  EXPECT_EQ(e.mass_evaluations, 2);
  EXPECT_EQ(e.time(), 2);
}

TEST_F(EquationsOfMotionTest, ANewVelocityLeavesThePositionLevelAlone) {
  e.M(), e.G(), e.g(), e.f(), e.gamma();
  e.set_velocity(Eigen::Vector2d(1, 0));
  e.M(), e.G(), e.g(), e.f();
  EXPECT_EQ(e.gamma()[0], -1);
  EXPECT_EQ(e.counters().matrix, 1);
  EXPECT_EQ(e.counters().residual, 1);
  EXPECT_EQ(e.counters().force, 2);
  EXPECT_EQ(e.position_updates, 1);
  EXPECT_EQ(e.velocity_updates, 2);
}

TEST_F(EquationsOfMotionTest, NewStatesAndMultipliersTouchForcesAndStateRatesOnly) {
  e.M(), e.G(), e.f(), e.gamma(), e.r_rate();
  e.set_states(Eigen::VectorXd::Constant(1, 0.3));
  EXPECT_EQ(e.r_rate()[0], 0);
  e.f();
  e.set_multipliers(Eigen::VectorXd::Constant(1, 2));
  EXPECT_EQ(e.f()[0], -friction * 4);
  e.M(), e.G(), e.gamma();
  EXPECT_EQ(e.counters().force, 3);
  EXPECT_EQ(e.counters().state_rate, 2);
  EXPECT_EQ(e.counters().matrix, 1);
  EXPECT_EQ(e.velocity_updates, 1);
}

TEST_F(EquationsOfMotionTest, AConstantMassIsComputedOnce) {
  e.constant_mass = true;
  e.M();
  e.set_position(2, Eigen::Vector2d(0.4, 0.3));
  e.M();
  EXPECT_EQ(e.mass_evaluations, 1);
}

TEST_F(EquationsOfMotionTest, PositionRowsAreTheHolonomicRowsOfGByDefault) {
  EXPECT_EQ(e.C().dense(), e.G().dense());
  e.set_position(2, Eigen::Vector2d(0.4, 0.3));
  EXPECT_EQ(e.C().dense(), Eigen::RowVector2d(0.4, 0.3));
}

/// One holonomic and one nonholonomic row, in one block as a formulation may store them, and an unrelated block.
class TwoKindsOfRows : public EquationsOfMotion {
 public:
  TwoKindsOfRows() : EquationsOfMotion({.p = 3, .v = 3, .lambda = 1, .mu = 1}) {
    G_.add_block(0, 0, 2, 2);
    G_.add_block(1, 2, 1, 1);
  }

 private:
  void do_M(BlockMatrix&) override {}
  void do_G(BlockMatrix& G, Eigen::VectorXd& offset) override {
    for (int k = 0; k < 4; ++k) G.values(0)[k] = k + 1;
    G.values(1)[0] = 9;
    offset.setZero();
  }
  void do_g(Eigen::VectorXd& g) override { g.setZero(); }
  void do_f(Eigen::VectorXd& f) override { f.setZero(); }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma.setZero(); }
};

TEST(EquationsOfMotion, PositionRowsLeaveNonholonomicRowsOut) {
  TwoKindsOfRows e;
  EXPECT_EQ(e.C().dense(), Eigen::RowVector3d(1, 2, 0));
  EXPECT_EQ(e.G().dense().row(1), Eigen::RowVector3d(3, 4, 9));
}

// f is quadratic in lambda, so that one-sided differences of step h = 1e-6 * 7 err by friction h = 2e-6; rounding adds
// eps |f| / h = 5e-10. A missing factor gives 4 or more.
TEST_F(EquationsOfMotionTest, ForceJacobianComesFromDifferences) {
  const Eigen::MatrixXd F = e.force_jacobian().dense();
  EXPECT_NEAR(F(0, 0), -2 * friction * 7, 1e-5);
  EXPECT_EQ(F(1, 0), 0);
  EXPECT_EQ(e.multipliers()[0], 7);
  EXPECT_DOUBLE_EQ(e.f()[0], -friction * 49);
  e.force_jacobian();
  EXPECT_EQ(e.counters().force_jacobian, 1);
  e.set_multipliers(Eigen::VectorXd::Constant(1, -1));
  EXPECT_NEAR(e.force_jacobian().dense()(0, 0), 2 * friction, 1e-5);
}

TEST_F(EquationsOfMotionTest, ReportsEnergyAndResiduals) {
  e.offset = 0.25;
  e.set(example_state());
  EXPECT_EQ(e.energies().kinetic, 0.5 * mass * 25);
  // f v and the power of the moving constraint, -lambda G v with G v = -offset.
  EXPECT_DOUBLE_EQ(e.element_power(), -friction * 49 * 4 - mass * gravity * 3 + 7 * 0.25);
  e.set_position(1.5, Eigen::Vector2d(0.6, -0.8));
  EXPECT_DOUBLE_EQ(e.constraint_residual().position_m, 0.375);
  EXPECT_NEAR(e.constraint_residual().velocity_m_per_s, 0.25, 1e-15);  // G v = 0 up to rounding
}

TEST_F(EquationsOfMotionTest, RefusesVectorsOfAnotherSize) {
  const Eigen::VectorXd wrong = Eigen::VectorXd::Zero(5);
  expect_error<ModelError>("EquationsOfMotion: p has 5 entries; this system has 2.", [&] { e.set_position(0, wrong); });
  expect_error<ModelError>("EquationsOfMotion: v has 5 entries; this system has 2.", [&] { e.set_velocity(wrong); });
  expect_error<ModelError>("EquationsOfMotion: r has 5 entries; this system has 1.", [&] { e.set_states(wrong); });
  expect_error<ModelError>("EquationsOfMotion: lambda has 5 entries; this system has 1.",
                           [&] { e.set_multipliers(wrong); });
}

TEST_F(EquationsOfMotionTest, NamesWhatIsNotFiniteAndWhen) {
  const auto message = [](const std::string& what, const std::string& entry) {
    return "model 'pendulum': " + what + " is not finite at t = 1.5 s, in " + entry +
           "; check the elements that act there.";
  };
  e.extra_force = nan;
  expect_error<NonFiniteValue>(message("the generalised force", "the entry of v[1]"), [&] { e.f(); });
  e.extra_gamma = std::numeric_limits<double>::infinity();
  expect_error<NonFiniteValue>(message("the acceleration term gamma", "the entry of constraint row 0"),
                               [&] { e.gamma(); });
  e.extra_residual = nan;
  expect_error<NonFiniteValue>(message("the position residual", "the entry of constraint row 0"), [&] { e.g(); });
  e.extra_mass = nan;
  expect_error<NonFiniteValue>(message("the mass matrix", "the rows of v[0]"), [&] { e.M(); });
  e.extra_row = nan;
  expect_error<NonFiniteValue>(message("the constraint matrix", "the rows of constraint row 0"), [&] { e.G(); });
  e.extra_row = 0;
  e.offset = nan;
  expect_error<NonFiniteValue>(message("the velocity offset", "the entry of constraint row 0"), [&] { e.G(); });
  e.extra_rate = nan;
  expect_error<NonFiniteValue>(
      "model 'pendulum': the rate of state r[0] is not finite at t = 1.5 s; check its element.", [&] { e.r_rate(); });
}

/// Gives the derivative F itself, and wrongly.
class WithoutSlope : public Pendulum {
  void do_force_jacobian(BlockMatrix& F) override { F.values(0)[1] = nan; }
};

TEST(EquationsOfMotion, NamesADerivativeOfForcesThatIsNotFinite) {
  WithoutSlope e;
  e.set(example_state());
  expect_error<NonFiniteValue>(
      "model 'pendulum': the derivative of the forces with respect to the multipliers is not finite at t = 1.5 s, in "
      "the rows of v[0]; check the elements that act there.",
      [&] { e.force_jacobian(); });
}

TEST_F(EquationsOfMotionTest, WhatFailedIsComputedAgain) {
  e.extra_force = nan;
  EXPECT_THROW(e.f(), NonFiniteValue);
  EXPECT_THROW(e.f(), NonFiniteValue);
  e.extra_force = 0;
  EXPECT_EQ(e.f()[1], -mass * gravity);
  EXPECT_EQ(e.counters().force, 3);
}

/// A mass that is free in the plane, with energy, angular momentum and a quantity that time changes; nothing is derived
/// in closed form unless asked for.
class Planet : public EquationsOfMotion {
 public:
  Planet() : EquationsOfMotion({.p = 2, .v = 2, .e = 3}) { M_.add_block(0, 0, 2, 2); }
  std::string model_name() const override { return "planet"; }
  std::string invariant_name(int i) const override { return i == 0 ? "energy" : i == 1 ? "momentum" : "drift"; }
  std::string invariant_unit(int i) const override { return i == 0 ? "J" : ""; }
  double extra = 0;

 private:
  void do_M(BlockMatrix& M) override { M.values(0)[0] = M.values(0)[3] = mass; }
  void do_G(BlockMatrix&, Eigen::VectorXd&) override {}
  void do_g(Eigen::VectorXd&) override {}
  void do_f(Eigen::VectorXd& f) override { f = -position() / std::pow(position().norm(), 3); }
  void do_gamma(Eigen::VectorXd&) override {}
  void do_invariants(Eigen::VectorXd& values) override {
    const Eigen::VectorXd &p = position(), &v = velocity();
    values[0] = 0.5 * mass * v.squaredNorm() - 1 / p.norm() + extra;
    values[1] = mass * (p[0] * v[1] - p[1] * v[0]);
    values[2] = time() * time();
  }
};

/// Gives the derivatives.
class GivenPlanet : public Planet {
  void do_invariant_jacobian(InvariantJacobian& jacobian) override {
    const Eigen::VectorXd &p = position(), &v = velocity();
    jacobian.p << p[0] / std::pow(p.norm(), 3), p[1] / std::pow(p.norm(), 3), mass * v[1], -mass * v[0], 0, 0;
    jacobian.v << mass * v[0], mass * v[1], -mass * p[1], mass * p[0], 0, 0;
    jacobian.t << 0, 0, 2 * time();
  }
};

struct InvariantsTest : testing::Test {
  InvariantsTest() {
    planet.set_position(1.5, Eigen::Vector2d(0.6, 0.8));
    planet.set_velocity(Eigen::Vector2d(1, -2));
  }
  Planet planet;
};

TEST_F(InvariantsTest, AreValuesLessTheirLevels) {
  const Eigen::Vector3d values(5 - 1, -4, 2.25);
  EXPECT_TRUE(planet.invariants().isApprox(values, 1e-15));
  EXPECT_FALSE(planet.holds_invariants());
  expect_error<ModelError>(
      "model 'planet': invariant 'energy' has no level yet; call hold_invariants at a consistent state, or give its "
      "level.",
      [&] { planet.e(); });
  planet.set_invariant_level(0, 3);
  planet.hold_invariants();
  EXPECT_TRUE(planet.holds_invariants());
  EXPECT_TRUE(planet.e().isApprox(Eigen::Vector3d(1, 0, 0), 1e-15));
  planet.set_velocity(Eigen::Vector2d(1, -1));
  EXPECT_TRUE(planet.e().isApprox(Eigen::Vector3d(-2, 1.2, 0), 1e-15));
  planet.renew_invariants();
  EXPECT_EQ(planet.e(), Eigen::Vector3d::Zero());
  planet.release_invariants();  // the one that was given stays
  EXPECT_FALSE(planet.holds_invariants());
  planet.hold_invariants();
  EXPECT_TRUE(planet.e().isApprox(Eigen::Vector3d(-2, 0, 0), 1e-15));
}

TEST_F(InvariantsTest, HaveDerivativesByDifferencesOrGiven) {
  const InvariantJacobian differenced = planet.invariant_jacobian();
  EXPECT_EQ(planet.position(), Eigen::Vector2d(0.6, 0.8));
  EXPECT_EQ(planet.velocity(), Eigen::Vector2d(1, -2));
  EXPECT_EQ(planet.time(), 1.5);
  GivenPlanet given;
  given.set_position(1.5, Eigen::Vector2d(0.6, 0.8));
  given.set_velocity(Eigen::Vector2d(1, -2));
  const InvariantJacobian& exact = given.invariant_jacobian();
  constexpr double error = 1e-9;  // step squared times third derivatives, and rounding over the step
  EXPECT_LT((differenced.p - exact.p).cwiseAbs().maxCoeff(), error);
  EXPECT_LT((differenced.v - exact.v).cwiseAbs().maxCoeff(), error);
  EXPECT_LT((differenced.t - exact.t).cwiseAbs().maxCoeff(), error);
}

TEST_F(InvariantsTest, AreEvaluatedOnceForEachPoint) {
  planet.invariants(), planet.invariants();
  EXPECT_EQ(planet.counters().invariant, 1);
  planet.invariant_jacobian();
  const auto after = planet.counters().invariant;
  EXPECT_EQ(after, 1 + 2 * (2 + 2 + 1));  // up and down: v, p and t
  planet.invariant_jacobian();
  EXPECT_EQ(planet.counters().invariant, after);
}

TEST_F(InvariantsTest, RefuseLevelsThatMakeNoSense) {
  expect_error<ModelError>(
      "EquationsOfMotion: there is no invariant 3; model 'planet' has 3 invariants, counted from 0.",
      [&] { planet.set_invariant_level(3, 1); });
  expect_error<ModelError>("model 'planet': the level of invariant 'energy' is nan J; expected a finite number.",
                           [&] { planet.set_invariant_level(0, nan); });
  planet.extra = nan;
  expect_error<NonFiniteValue>("model 'planet': the invariant energy is not finite at t = 1.5 s; check its element.",
                               [&] { planet.invariants(); });
  GivenPlanet given;
  given.set_position(1.5, Eigen::Vector2d::Zero());
  expect_error<NonFiniteValue>(
      "model 'planet': the derivatives of the invariants are not finite at t = 1.5 s; check their functions.",
      [&] { given.invariant_jacobian(); });
}

TEST_F(EquationsOfMotionTest, StartsFromZeroUnlessToldOtherwise) {
  const State start = e.initial_state();
  EXPECT_EQ(start.p, Eigen::Vector2d::Zero());
  EXPECT_EQ(start.v.size(), 2);
  EXPECT_EQ(start.a.size(), 2);
  EXPECT_EQ(start.r.size(), 1);
  EXPECT_EQ(start.lambda.size(), 1);
}

}  // namespace equations_test
}  // namespace linkwork
