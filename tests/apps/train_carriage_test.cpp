// The train carriage: structure of its Jacobian, agreement of formulations, and a ride that is stable and plausible.

#include "zoo/zoo.hpp"
#include "zoo_simulation.hpp"

#include <linkwork/solvers/analyses/declarations.hpp>
#include <linkwork/solvers/formulations/formulation.hpp>

#include <gtest/gtest.h>
#include <array>
#include <random>

namespace linkwork::apps {
namespace train_carriage_test {

std::unique_ptr<EquationsOfMotion> equations_of(const char* model, Formulation formulation) {
  const ZooModel& entry = find_model(model);
  return std::visit([&](const auto& built) { return make_equations(built, {formulation}); },
                    entry.build(entry.parameters_with({})));
}

/// F of the stabilised index-2 form (CORR 9) at y = (p, v, lambda, eta) with p' = v_given and v' = a.
Eigen::VectorXd stabilised_residual(EquationsOfMotion& equations, double t, const Eigen::VectorXd& y,
                                    const Eigen::VectorXd& y_rate) {
  const int n = equations.dimensions().v, m = equations.dimensions().lambda;
  const Eigen::VectorXd p = y.head(n), v = y.segment(n, n), lambda = y.segment(2 * n, m), eta = y.tail(m);
  equations.set_position(t, p);
  equations.set_velocity(v);
  Eigen::VectorXd projected = v, dynamics;
  equations.G().transpose_multiply_add(-1.0, eta, projected);
  equations.dynamic_residual(y_rate.segment(n, n), lambda, dynamics);
  Eigen::VectorXd out(y.size());
  out << y_rate.head(n) - projected, dynamics, equations.velocity_residual(), equations.g();
  return out;
}

/// dF/dy with y' = alpha y + beta, by central differences.
Eigen::MatrixXd stabilised_jacobian(EquationsOfMotion& equations, double t, const Eigen::VectorXd& y,
                                    const Eigen::VectorXd& y_rate, double alpha) {
  constexpr double step = 1e-6;
  Eigen::MatrixXd J(y.size(), y.size());
  for (int r = 0; r < y.size(); ++r) {
    const Eigen::VectorXd shift = step * std::max(1.0, std::abs(y[r])) * Eigen::VectorXd::Unit(y.size(), r);
    J.col(r) = (stabilised_residual(equations, t, y + shift, y_rate + alpha * shift) -
                stabilised_residual(equations, t, y - shift, y_rate - alpha * shift)) /
               (2 * shift[r]);
  }
  return J;
}

// What the topology says: the car body meets both bogies, a bogie the car body and its own wheelsets, a wheelset its
// bogie and its two rails. Unknowns: p, v, lambda, eta; rows: kinematics, dynamics, velocity and position constraints.
struct Expected {
  Eigen::MatrixXi pattern = Eigen::MatrixXi::Zero(98, 98);

  explicit Expected(bool with_derivative_of_correction) {
    struct Part {
      int first, size;
    };
    const Part car{0, 5};
    const std::array<Part, 2> bogies{Part{5, 6}, Part{23, 6}};
    const auto fill = [&](int row, int rows, int column, int columns) {
      pattern.block(row, column, rows, columns).setOnes();
    };
    const auto dynamics = [&](const Part& of, const Part& by) {
      for (const int column : {by.first, 41 + by.first}) fill(41 + of.first, of.size, column, by.size);
    };
    const auto couple = [&](const Part& a, const Part& b) {
      dynamics(a, b);
      dynamics(b, a);
    };
    for (int i = 0; i < 41; ++i) pattern(i, i) = pattern(i, 41 + i) = 1;
    dynamics(car, car);
    for (int b = 0; b < 2; ++b) {
      const Part& bogie = bogies[static_cast<std::size_t>(b)];
      dynamics(bogie, bogie);
      couple(car, bogie);
      for (int w = 0; w < 2; ++w) {
        const Part wheelset{bogie.first + 6 + 6 * w, 6};
        const int contact = 4 * b + 2 * w;  // of its left wheel
        dynamics(wheelset, wheelset);
        couple(bogie, wheelset);
        fill(41 + wheelset.first, 6, 82 + contact, 2);                                  // G^T lambda
        fill(wheelset.first, 6, 90 + contact, 2);                                       // G^T eta
        fill(82 + contact, 2, wheelset.first, 6);                                       // G v by p
        fill(82 + contact, 2, 41 + wheelset.first, 6);                                  // and by v
        fill(90 + contact, 2, wheelset.first, 6);                                       // g
        if (with_derivative_of_correction) fill(wheelset.first, 6, wheelset.first, 6);  // of G^T eta by p
      }
    }
  }
};

TEST(TrainCarriage, HasThePublishedNumberOfNonzeros) {
  EXPECT_EQ(Expected(false).pattern.sum(), 1620);
  EXPECT_EQ(Expected(true).pattern.sum(), 1740);
}

/// The Jacobian's structure as the equations know it from the graph and its elements.
Eigen::MatrixXi structure(const EquationsOfMotion& equations, bool with_derivative_of_correction) {
  const int n = equations.dimensions().v, m = equations.dimensions().lambda;
  Eigen::MatrixXi out = Eigen::MatrixXi::Zero(2 * (n + m), 2 * (n + m));
  const auto add = [&](EquationPart part, Unknown unknown, int row, int column) {
    const Dependencies dependencies = equations.dependencies(part, unknown);
    EXPECT_TRUE(dependencies.complete);
    for (std::size_t i = 0; i < dependencies.pattern.rows.size(); ++i)
      for (const int j : dependencies.pattern.rows[i]) out(row + static_cast<int>(i), column + j) = 1;
  };
  for (int i = 0; i < n; ++i) out(i, i) = 1;  // p'
  add(EquationPart::position_rate, Unknown::factor, 0, n);
  add(EquationPart::constraint_force, Unknown::factor, 0, 2 * n + m);
  if (with_derivative_of_correction) add(EquationPart::constraint_force, Unknown::p, 0, 0);
  add(EquationPart::dynamics, Unknown::p, n, 0);
  add(EquationPart::dynamics, Unknown::v, n, n);
  add(EquationPart::dynamics, Unknown::a, n, n);
  add(EquationPart::dynamics, Unknown::lambda, n, 2 * n);
  add(EquationPart::velocity_constraint, Unknown::p, 2 * n, 0);
  add(EquationPart::velocity_constraint, Unknown::v, 2 * n, n);
  add(EquationPart::position_constraint, Unknown::p, 2 * n + m, 0);
  return out;
}

TEST(TrainCarriage, TheGraphKnowsThePublishedStructure) {
  const auto equations = equations_of("train_carriage", Formulation::relative);
  EXPECT_EQ(structure(*equations, false).sum(), 1620);
  EXPECT_EQ(structure(*equations, false), Expected(false).pattern);
  EXPECT_EQ(structure(*equations, true).sum(), 1740);
  EXPECT_EQ(structure(*equations, true), Expected(true).pattern);
}

TEST(TrainCarriage, ElementsUseWhatTheyDeclareInAllFormulations) {
  for (const Formulation formulation : {Formulation::absolute, Formulation::mixed, Formulation::relative}) {
    const auto equations = equations_of("train_carriage", formulation);
    State state = equations->initial_state();
    state.t = 4;
    equations->set(state);
    EXPECT_TRUE(undeclared_uses(*equations).empty()) << name_of(formulation);
    for (const UndeclaredDependence& each : undeclared_dependences(*equations, state))
      ADD_FAILURE() << name_of(formulation) << ": " << describe(*equations, each);
  }
}

// Random states, far from symmetry: what does not depend on an unknown gives differences that are zero to the last bit,
// and every claimed entry shows. Smallest seen: 2e-6 in the derivative of G^T eta (eta is up to 1e-3), 2e-3 among the
// others (a rail's slope, by which a contact pushes a wheelset along the track) and 0.9 in the forces' dependence on
// positions and velocities. Rounding of differences: eps 1e6 N / 1e-6 = 2e-4 in the latter, below 1e-9 in the others.
TEST(TrainCarriage, EveryEntryOfItsJacobianIsTrue) {
  const auto equations = equations_of("train_carriage", Formulation::relative);
  const int n = equations->dimensions().v, m = equations->dimensions().lambda;
  ASSERT_EQ(n, 41);
  ASSERT_EQ(equations->dimensions().p, 41);
  ASSERT_EQ(m, 8);
  const State start = equations->initial_state();
  equations->set(start);
  equations->remember(true, -1);
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random = [&](int size, double reach) {
    return Eigen::VectorXd(Eigen::VectorXd::NullaryExpr(size, [&] { return reach * uniform(generator); }));
  };
  Eigen::MatrixXd largest = Eigen::MatrixXd::Zero(98, 98);
  for (int sample = 0; sample < 20; ++sample) {
    const double t = 7.5 + 7.5 * uniform(generator);
    Eigen::VectorXd y(98), y_rate(98);
    y << start.p + random(n, 0.02), random(n, 0.5), 5e4 * Eigen::VectorXd::Ones(m) + random(m, 1e4), random(m, 1e-3);
    y_rate << random(n, 0.5), random(n, 1), Eigen::VectorXd::Zero(2 * m);
    largest = largest.cwiseMax(stabilised_jacobian(*equations, t, y, y_rate, 100).cwiseAbs());
  }
  const Eigen::MatrixXi expected = Expected(true).pattern;
  for (int i = 0; i < 98; ++i)
    for (int j = 0; j < 98; ++j) {
      const bool of_forces = i >= 41 && i < 82 && j < 82;
      if (expected(i, j))
        EXPECT_GT(largest(i, j), of_forces ? 0.1 : 1e-7) << i << ", " << j;
      else
        EXPECT_EQ(largest(i, j), 0) << i << ", " << j;
    }
}

}  // namespace train_carriage_test
}  // namespace linkwork::apps
