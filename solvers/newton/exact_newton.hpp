#pragma once

#include <linkwork/solvers/newton/simplified_newton.hpp>

namespace linkwork {

/// Newton's method itself: all columns are differenced and the matrix is factored at every iterate, whatever
/// partitioned updates could do. For comparisons: errors are squared from iterate to iterate, and each costs a whole
/// Jacobian.
class ExactNewton final : public SimplifiedNewton {
 public:
  using SimplifiedNewton::SimplifiedNewton;
  std::string_view name() const override { return "newton"; }

  /// Takes no matrix, as the next correction does; looks for entries that the pattern lacks where the iteration is
  /// slow.
  Outcome refresh(const JacobianPoint& point, const Eigen::VectorXd& F, JacobianCause cause) override {
    return cause == JacobianCause::convergence ? jacobian_.renew(point, F, cause) : Outcome();
  }
  bool renews(double, bool) override { return false; }
  bool updates_in_parts() const override { return false; }
  Outcome correct(const JacobianPoint& point, const Eigen::VectorXd& F, Eigen::VectorXd& delta) override;
};

}  // namespace linkwork
