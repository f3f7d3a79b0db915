#pragma once

#include <linkwork/solvers/integrators/dense_polynomial.hpp>

#include <Eigen/Core>
#include <vector>

namespace linkwork {

/// The polynomial of degree 3 through the start and the three stages of a Radau IIA step: extrapolated, it starts the
/// next step's iteration; inside the step it is a continuous solution of order 3, for what is not interpolated better.
class CollocationPolynomial {
 public:
  bool is_empty() const { return coefficients_.rows() == 0; }
  void clear() { coefficients_.resize(0, 4); }
  /// @param start   y at theta = 0
  /// @param stages  columns: y_i - start at the nodes
  void set(const Eigen::VectorXd& start, const Eigen::Matrix<double, Eigen::Dynamic, 3>& stages);
  /// y at theta = (t - start) / h.
  void evaluate(double theta, Eigen::VectorXd& y) const;
  /// Its derivative by theta.
  void slope(double theta, Eigen::VectorXd& slope) const;
  /// The components first + chosen[k], as a group of a dense solution.
  DensePolynomial::Group group(int first, const std::vector<int>& chosen) const;

 private:
  double node(Eigen::Index i) const;
  Eigen::Matrix<double, Eigen::Dynamic, 4> coefficients_;  // of Newton's form on 0 and the nodes
};

}  // namespace linkwork
