#include <linkwork/solvers/integrators/collocation_polynomial.hpp>

#include <linkwork/solvers/integrators/radau_coefficients.hpp>

namespace linkwork {

double CollocationPolynomial::node(Eigen::Index i) const { return i == 0 ? 0.0 : radau_coefficients().nodes[i - 1]; }

void CollocationPolynomial::set(const Eigen::VectorXd& start, const Eigen::Matrix<double, Eigen::Dynamic, 3>& stages) {
  coefficients_.resize(start.size(), 4);
  coefficients_.col(0) = start;
  for (Eigen::Index i = 1; i < 4; ++i) coefficients_.col(i) = start + stages.col(i - 1);
  for (Eigen::Index order = 1; order < 4; ++order)
    for (Eigen::Index i = 3; i >= order; --i)
      coefficients_.col(i) = (coefficients_.col(i) - coefficients_.col(i - 1)) / (node(i) - node(i - order));
}

void CollocationPolynomial::evaluate(double theta, Eigen::VectorXd& y) const {
  y = coefficients_.col(3);
  for (Eigen::Index i = 2; i >= 0; --i) y = coefficients_.col(i) + (theta - node(i)) * y;
}

void CollocationPolynomial::slope(double theta, Eigen::VectorXd& slope) const {
  const double a = theta - node(0), b = theta - node(1), c = theta - node(2);
  slope = coefficients_.col(1) + (a + b) * coefficients_.col(2) + (a * b + a * c + b * c) * coefficients_.col(3);
}

DensePolynomial::Group CollocationPolynomial::group(int first, const std::vector<int>& chosen) const {
  const auto count = static_cast<Eigen::Index>(chosen.size());
  Eigen::MatrixXd c(count, 4);
  for (Eigen::Index row = 0; row < count; ++row)
    c.row(row) = coefficients_.row(first + chosen[static_cast<std::size_t>(row)]);
  const auto value = [&](double theta) {
    Eigen::VectorXd y = c.col(3);
    for (Eigen::Index i = 2; i >= 0; --i) y = c.col(i) + (theta - node(i)) * y;
    return y;
  };
  Eigen::MatrixXd left(count, 2), right(count, 1), middle(count, 1);
  left.col(0) = c.col(0);
  left.col(1) = c.col(1) - node(1) * (c.col(2) - node(2) * c.col(3));  // derivative at 0
  middle.col(0) = value(0.5);
  right.col(0) = value(1.0);
  DensePolynomial::Group group;
  group.components = chosen;
  group.left_nodes = 2;
  group.middle_nodes = 1;
  group.coefficients = hermite_coefficients(left, middle, right);
  return group;
}

}  // namespace linkwork
