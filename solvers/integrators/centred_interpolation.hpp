#pragma once

#include <linkwork/solvers/integrators/basic_scheme.hpp>

#include <vector>

namespace linkwork {

/// Dense output of a step of the midpoint rule: the value and its derivatives in the middle of the step, from central
/// differences of the sub-steps extrapolated in h^2, joined with value and slope at both ends (Hairer, Norsett, Wanner,
/// Solving Ordinary Differential Equations I, II.9, dense output of GBS). With kappa lines p, v and r get degree
/// 2 kappa + 1 with an error O(H^(2 kappa)), a gets degree 2 kappa - 2 with an error O(H^(2 kappa - 1)). The error
/// estimate of the step is O(H^(2 kappa - 1)) too.
class CentredInterpolation {
 public:
  using Rate = Eigen::MatrixXd BasicScheme::History::*;
  /// What is known of a value inside the step.
  struct Value {
    Eigen::VectorXd BasicScheme::History::*gain;  ///< in the middle
    Rate rate;
  };

  /// @param lines  at least 2
  /// @param maximum_degree  of the polynomials for p, v and r; 0: no limit
  CentredInterpolation(const BasicScheme::Lines& lines, int maximum_degree);

  /// y with y' known at both ends.
  void differential(DensePolynomial::Group& group, const Value& value, const Eigen::VectorXd& y0,
                    const Eigen::VectorXd& y1, const Eigen::VectorXd& rate0, const Eigen::VectorXd& rate1) const;
  /// y' at the end, of all components, by the polynomial for y that is not told that slope.
  Eigen::VectorXd end_rate(const Value& value, const Eigen::VectorXd& y0, const Eigen::VectorXd& y1,
                           const Eigen::VectorXd& rate0) const;
  /// A rate itself.
  void algebraic(DensePolynomial::Group& group, Rate rate, const Eigen::VectorXd& z0, const Eigen::VectorXd& z1) const;

 private:
  /// H^order times a rate's derivative of the given order in the middle of the step; one entry per component.
  Eigen::VectorXd derivative(const std::vector<int>& components, Rate rate, int order) const;
  Eigen::VectorXd middle(const std::vector<int>& components, const Value& value, const Eigen::VectorXd& y0) const;
  /// y and H^k times its derivatives in the middle, orders k in columns.
  Eigen::MatrixXd inside(const std::vector<int>& components, const Value& value, const Eigen::VectorXd& y0) const;

  const std::vector<BasicScheme::History>& history_;
  int lines_;
  double H_;
  int orders_;  ///< of the highest derivative of p, v and r in the middle; -1: not even the value
};

}  // namespace linkwork
