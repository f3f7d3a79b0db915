// Once the pattern is known, Jacobians, the factors of the iteration matrix and solutions allocate nothing.

#include "../allocations.hpp"
#include "test_functions.hpp"

#include <linkwork/solvers/jacobian/jacobian.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <gtest/gtest.h>

namespace linkwork {
namespace allocation_test {

TEST(HotPaths, OfJacobiansAndIterationMatricesAllocateNothing) {
  if (!test::allocations_are_counted) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  DrivenSystem system(6);
  system.declares_all = true;
  JacobianOptions options;
  options.partitioned = PartitionedUpdates::extended;
  options.renew_input_derivatives = true;
  options.refresh = JacobianRefresh::blocks;
  Jacobian jacobian(system, options);
  Eigen::VectorXd y = Eigen::VectorXd::Ones(6), y_rate = y, weights = 1e-4 * y, F = y, x = y;
  double t = 0, alpha = 10;
  const auto point = [&] { return JacobianPoint{t, y, y_rate, alpha, 0.1, weights}; };
  system.evaluate(t, y, y_rate, F);
  ASSERT_TRUE(jacobian.renew(point(), F, JacobianCause::start));
  auto dense = make_iteration_matrix(IterationSolver::dense, jacobian.matrix());
  auto klu = make_iteration_matrix(IterationSolver::klu, jacobian.matrix());
  bool fine = true;
  const auto compute = [&] {
    t += 0.3;
    alpha *= 1.5;
    system.evaluate(t, y, y_rate, F);
    for (int i = 0; i < 4; ++i) fine = fine && jacobian.renew(point(), F, JacobianCause::convergence);
    for (IterationMatrix* matrix : {dense.get(), klu.get()}) {
      fine = fine && matrix->factor(jacobian.matrix(), alpha, jacobian.pattern_version(), system);
      matrix->solve(x);
    }
  };
  compute();
  const long before = test::allocations;
  ASSERT_GT(before, 0) << "the counter does not count";
  for (int i = 0; i < 3; ++i) compute();
  EXPECT_EQ(test::allocations, before);
  EXPECT_TRUE(fine);
  EXPECT_GT(jacobian.statistics().refreshed, 0);
  EXPECT_GT(jacobian.statistics().updates, 0);
}

}  // namespace allocation_test
}  // namespace linkwork
