#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/residual_function.hpp>
#include <linkwork/solvers/jacobian/jacobian_options.hpp>

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace linkwork {

/// Increments of first differences are of this size, relative to what they are added to.
inline const double root_epsilon = std::sqrt(std::numeric_limits<double>::epsilon());

/// Where a Jacobian is wanted.
struct JacobianPoint {
  double t = 0;
  const Eigen::VectorXd& y;
  const Eigen::VectorXd& y_rate;
  double alpha = 0;                ///< dy'/dy of the integration formula [1/s]
  double step = 0;                 ///< step size h [s], with its sign
  const Eigen::VectorXd& weights;  ///< the error of each unknown that counts as one unit: rtol |y| + atol
};

/// Evaluates a residual function beside a point, with some unknowns shifted by their increments. An increment is what
/// remains of it in the sum: (y + d) - y. Allocates nothing after the constructor.
class DifferenceQuotients {
 public:
  /// @param rate_follows  y' moves with y by alpha: the quotients are those of the whole J
  DifferenceQuotients(ResidualFunction& function, Increments increments, bool rate_follows);

  /// Makes the point and its increments the current ones.
  void move_to(const JacobianPoint& point);

  /// Calls use(first, last) after F was evaluated with the unknowns [first, last) shifted, all of them together if that
  /// can be done: an increment that F can't be evaluated at is tried with the other sign, then the unknowns are shifted
  /// one by one, by less and less. Fails naming the unknown that F can't be evaluated beside.
  template <class Use>
  Outcome shift(const int* first, const int* last, Use&& use);

  /// Evaluates F with the unknowns [first, last) shifted by `factor` times their increments. @return whether it could
  /// be
  bool evaluate(const int* first, const int* last, double factor) {
    return evaluate_with(first, last, [factor](int) { return factor; });
  }
  /// The same with another factor for each unknown, of either sign and 0.5 to 1 in size, so that their effects on F do
  /// not cancel: one evaluation that tells whether quotients found earlier still hold.
  bool probe(const int* first, const int* last) { return evaluate_with(first, last, probing_factor); }
  /// F of the last evaluation.
  const Eigen::VectorXd& F() const { return F_; }
  /// What the last evaluation added to an unknown that it shifted.
  double shift_of(int unknown) const { return shifts_[unknown]; }

  double increment(int unknown) const { return increments_[unknown]; }
  /// Until the next move_to.
  void scale_increments(double factor) { increments_ *= factor; }
  /// y at the point.
  double value(int unknown) const { return y_[unknown]; }
  std::int64_t function_calls() const { return function_calls_; }
  std::int64_t retries() const { return retries_; }
  /// Why the last evaluation failed.
  const std::string& reason() const { return reason_; }

 private:
  template <class Factor>
  bool evaluate_with(const int* first, const int* last, Factor&& factor_of);
  bool evaluate_shifted();
  static double probing_factor(int unknown);
  Outcome failure(int unknown) const;

  ResidualFunction& function_;
  Increments rule_;
  bool rate_follows_;
  double t_ = 0, alpha_ = 0;
  Eigen::VectorXd y_, y_rate_, y_shifted_, rate_shifted_, increments_, shifts_, F_;
  std::int64_t function_calls_ = 0, retries_ = 0;
  std::string reason_;
};

template <class Use>
Outcome DifferenceQuotients::shift(const int* first, const int* last, Use&& use) {
  if (evaluate(first, last, 1)) {
    use(first, last);
    return {};
  }
  ++retries_;
  if (evaluate(first, last, -1)) {
    use(first, last);
    return {};
  }
  constexpr double smaller[] = {1, -1, 0.1, -0.1, 0.01, -0.01};
  for (const int* unknown = first; unknown != last; ++unknown) {
    bool done = false;
    for (double factor : smaller) {
      ++retries_;
      done = evaluate(unknown, unknown + 1, factor);
      if (done) break;
    }
    if (!done) return failure(*unknown);
    use(unknown, unknown + 1);
  }
  return {};
}

template <class Factor>
bool DifferenceQuotients::evaluate_with(const int* first, const int* last, Factor&& factor_of) {
  for (const int* j = first; j != last; ++j) {
    y_shifted_[*j] = y_[*j] + factor_of(*j) * increments_[*j];
    shifts_[*j] = y_shifted_[*j] - y_[*j];
    if (rate_follows_) rate_shifted_[*j] = y_rate_[*j] + alpha_ * shifts_[*j];
  }
  const bool evaluated = evaluate_shifted();
  for (const int* j = first; j != last; ++j) {
    y_shifted_[*j] = y_[*j];
    rate_shifted_[*j] = y_rate_[*j];
  }
  return evaluated;
}

}  // namespace linkwork
