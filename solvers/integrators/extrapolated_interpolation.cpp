#include <linkwork/solvers/integrators/extrapolated_interpolation.hpp>

#include <linkwork/solvers/integrators/extrapolation_tableau.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

/// Coefficients of the difference of the given order: sum_i (-1)^(order - i) binomial(order, i) x_i.
std::vector<double> difference_coefficients(int order) {
  std::vector<double> out;
  double binomial = 1;
  for (int i = 0; i <= order; ++i) {
    out.push_back((order - i) % 2 == 0 ? binomial : -binomial);
    binomial = binomial * (order - i) / (i + 1);
  }
  return out;
}

Eigen::VectorXd selected(const DensePolynomial::Group& group, const Eigen::VectorXd& from) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(group.components.size()));
  for (std::size_t i = 0; i < group.components.size(); ++i)
    out[static_cast<Eigen::Index>(i)] = from[group.components[i]];
  return out;
}

}  // namespace

ExtrapolatedInterpolation::ExtrapolatedInterpolation(const std::vector<HalfExplicitEuler::History>& history, int lines,
                                                     double H, int maximum_degree)
    : history_(history), lines_(lines), H_(H) {
  // kappa - 1 derivatives beyond the known ones, shared between the ends; values and slopes make degree 3.
  int beyond = lines - 1;
  if (maximum_degree > 0) beyond = std::min(beyond, maximum_degree - 3);
  right_orders_ = (beyond + 1) / 2;
  left_orders_ = beyond - right_orders_;
}

Eigen::VectorXd ExtrapolatedInterpolation::derivative(const DensePolynomial::Group& group, Sequence sequence, int order,
                                                      End end) const {
  const std::vector<double> coefficients = difference_coefficients(order);
  ExtrapolationTableau tableau(order);
  Eigen::VectorXd difference;
  for (int line = order; line <= lines_; ++line) {
    const Eigen::MatrixXd& values = history_[static_cast<std::size_t>(line - 1)].*sequence;
    const int count = steps_of_line(line);
    const Eigen::Index first = end == End::left ? 0 : count - 1 - order;
    const double scale = std::pow(static_cast<double>(count), order);  // (H / h)^order
    difference.setZero(static_cast<Eigen::Index>(group.components.size()));
    for (int i = 0; i <= order; ++i) {
      const double factor = scale * coefficients[static_cast<std::size_t>(i)];
      for (std::size_t row = 0; row < group.components.size(); ++row)
        difference[static_cast<Eigen::Index>(row)] += factor * values(group.components[row], first + i);
    }
    tableau.add(difference);
  }
  return tableau.value();
}

void ExtrapolatedInterpolation::differential(DensePolynomial::Group& group, Sequence rates, const Eigen::VectorXd& y0,
                                             const Eigen::VectorXd& y1, const Eigen::VectorXd& rate0,
                                             const Eigen::VectorXd& rate1) const {
  const auto rows = static_cast<Eigen::Index>(group.components.size());
  Eigen::MatrixXd left(rows, 2 + left_orders_), right(rows, 2 + right_orders_);
  left.col(0) = selected(group, y0);
  right.col(0) = selected(group, y1);
  left.col(1) = H_ * selected(group, rate0);
  right.col(1) = H_ * selected(group, rate1);
  for (int k = 1; k <= left_orders_; ++k) left.col(k + 1) = H_ * derivative(group, rates, k, End::left);
  for (int k = 1; k <= right_orders_; ++k) right.col(k + 1) = H_ * derivative(group, rates, k, End::right);
  group.left_nodes = static_cast<int>(left.cols());
  group.coefficients = hermite_coefficients(left, right);
}

void ExtrapolatedInterpolation::algebraic(DensePolynomial::Group& group, Sequence values, const Eigen::VectorXd& z0,
                                          const Eigen::VectorXd& z1) const {
  const auto rows = static_cast<Eigen::Index>(group.components.size());
  Eigen::MatrixXd left(rows, 1 + left_orders_), right(rows, 1 + right_orders_);
  left.col(0) = selected(group, z0);
  right.col(0) = selected(group, z1);
  for (int k = 1; k <= left_orders_; ++k) left.col(k) = derivative(group, values, k, End::left);
  for (int k = 1; k <= right_orders_; ++k) right.col(k) = derivative(group, values, k, End::right);
  group.left_nodes = static_cast<int>(left.cols());
  group.coefficients = hermite_coefficients(left, right);
}

}  // namespace linkwork
