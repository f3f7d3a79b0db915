#pragma once

#include <linkwork/solvers/integrators/basic_scheme.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>

#include <vector>

namespace linkwork {

/// Dense output of a step of the half-explicit Euler method (MEXX 2.4): derivatives at both ends of the step from
/// extrapolated divided differences of the sub-steps, joined by a Hermite polynomial. With kappa lines p, v and r get
/// degree kappa + 2, a and lambda degree kappa.
class ExtrapolatedInterpolation {
 public:
  using Sequence = Eigen::MatrixXd BasicScheme::History::*;

  /// @param maximum_degree  of the polynomials for p, v and r; 0: no limit
  ExtrapolatedInterpolation(const BasicScheme::Lines& lines, int maximum_degree);

  /// Derivatives of a sequence at both ends of the step with respect to theta = (t - t_begin) / H, orders 1, 2, ... in
  /// columns; one row per component.
  struct Derivatives {
    Eigen::MatrixXd left, right;
  };
  Derivatives derivatives(const std::vector<int>& components, Sequence sequence) const;

  /// y with y' known at both ends; `of_rate`: derivatives of y', from the difference quotients of y.
  void differential(DensePolynomial::Group& group, const Derivatives& of_rate, const Eigen::VectorXd& y0,
                    const Eigen::VectorXd& y1, const Eigen::VectorXd& rate0, const Eigen::VectorXd& rate1) const;
  /// z, of which only values along the sub-steps are known.
  void algebraic(DensePolynomial::Group& group, const Derivatives& of_value, const Eigen::VectorXd& z0,
                 const Eigen::VectorXd& z1) const;

 private:
  enum class End { left, right };
  /// H^order times the derivative of the given order of a sequence at one end; one entry per component.
  Eigen::VectorXd derivative(const std::vector<int>& components, Sequence sequence, int order, End end) const;

  const std::vector<BasicScheme::History>& history_;
  int lines_;
  double H_;
  int left_orders_, right_orders_;  ///< derivatives beyond the known ones at each end
};

}  // namespace linkwork
