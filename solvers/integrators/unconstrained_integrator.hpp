#pragma once

// Internal: what integrators from libraries have in common, which know equations without constraint rows only.

#include <linkwork/solvers/integrators/first_order_system.hpp>
#include <linkwork/solvers/integrators/stability_probe.hpp>
#include <linkwork/solvers/integrators/stepping_integrator.hpp>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace linkwork {

/// Errors of y = (p, v, r) in tolerances: the root mean square of error_i / (rtol |y_i| + atol). Components that follow
/// from others do not count.
class ErrorNorm {
 public:
  void renew(const ErrorWeights& weights);
  /// Of any range of as many numbers; keeps it, and which component is worst.
  template <class Numbers>
  double operator()(const Numbers& errors) {
    double squares = 0, largest = -1;
    for (Eigen::Index i = 0; i < inverse_weights_.size(); ++i) {
      const double size = std::abs(errors[static_cast<decltype(errors.size())>(i)]) * inverse_weights_[i];
      squares += size * size;
      if (size <= largest) continue;
      largest = std::isfinite(size) ? size : std::numeric_limits<double>::infinity();  // that is worst of all
      worst_ = i;
    }
    return last_ = counted_ > 0 ? std::sqrt(squares / counted_) : 0;
  }
  /// What was measured last.
  double last() const { return last_; }
  Eigen::Index worst() const { return worst_; }
  /// 1 over rtol |y| + atol; 0 for what does not count.
  const Eigen::VectorXd& inverse_weights() const { return inverse_weights_; }

 private:
  Eigen::VectorXd inverse_weights_;
  double counted_ = 0, last_ = 0;
  Eigen::Index worst_ = -1;
};

/// The base of methods for y' = f(t, y), y = (p, v, r): it refuses what has constraint rows, begins at a state, and
/// makes states of what a method has computed.
class UnconstrainedIntegrator : public SteppingIntegrator {
 public:
  Outcome initialize(EquationsOfMotion& equations, LinearSolver& solver, const State& start) final;

 protected:
  using SteppingIntegrator::SteppingIntegrator;

  /// From y_ and y_rate_, those of state_, on.
  virtual Outcome begin() = 0;
  /// A step is held by stability where it is about this long for the fastest rate 1 per second; 0: not looked at.
  virtual double stability_limit() const { return 0; }

  /// A first step by the sizes of y, y' and y'' in tolerances, at most a hundredth of the run where they say nothing
  /// (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4). One evaluation.
  /// @param order  of the method
  double starting_step(int order, double t_limit);

  /// Weights of errors over a step that begins at state_ and ends at a state.
  void renew_weights(const State& end);
  /// end_ at t from end_y_, its norms restored, on the solution invariants that are kept. Where this has changed it,
  /// end_y_ and end_rate_ follow. @throws RecoverableFailure
  Outcome settle_end(double t);
  /// end_ becomes state_, and with it y_ and y_rate_; looks at stability now and then.
  Outcome take_end(double h);

  bool has_stepped() const final { return has_stepped_; }
  std::string limiting_component() const override;
  std::string why_so_short() override;
  std::string explanation() override;

  /// dense_ with the polynomials of y over the last step, and a as the derivative of v.
  /// @param of_y  nodes and coefficients, one row for each entry of y
  void set_dense(const DensePolynomial::Group& of_y, bool all);

  std::optional<FirstOrderSystem> system_;
  ErrorNorm norm_;
  Eigen::VectorXd y_, y_rate_;            ///< at state_
  Eigen::VectorXd end_y_, end_rate_;      ///< at the end of an attempt
  Eigen::VectorXd begin_y_, begin_rate_;  ///< at previous_
  State end_;

 private:
  bool is_limited_by_stability() const;
  void look_at_stability();

  std::optional<StabilityProbe> probe_;
  bool has_stepped_ = false;
  double last_step_ = 0;
};

/// "" where a first step makes sense, else the reason: options of such methods have 0 for a choice by the rates.
std::string why_invalid_first_step(double first_step);

}  // namespace linkwork
