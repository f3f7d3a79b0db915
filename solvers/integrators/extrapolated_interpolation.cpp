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

}  // namespace

ExtrapolatedInterpolation::ExtrapolatedInterpolation(const BasicScheme::Lines& lines, int maximum_degree)
    : history_(lines.history), lines_(lines.count), H_(lines.H) {
  // kappa - 1 derivatives beyond the known ones, shared between the ends; values and slopes make degree 3.
  int beyond = lines_ - 1;
  if (maximum_degree > 0) beyond = std::min(beyond, maximum_degree - 3);
  right_orders_ = (beyond + 1) / 2;
  left_orders_ = beyond - right_orders_;
}

Eigen::VectorXd ExtrapolatedInterpolation::derivative(const std::vector<int>& components, Sequence sequence, int order,
                                                      End end) const {
  const std::vector<double> coefficients = difference_coefficients(order);
  const auto rows = static_cast<Eigen::Index>(components.size());
  ExtrapolationTableau tableau(half_explicit_sequence, order);
  Eigen::VectorXd difference;
  for (int line = order; line <= lines_; ++line) {
    const Eigen::MatrixXd& values = history_[static_cast<std::size_t>(line - 1)].*sequence;
    const bool all = rows == values.rows();
    const int count = half_explicit_sequence.steps(line);
    const Eigen::Index first = end == End::left ? 0 : count - 1 - order;
    const double scale = std::pow(static_cast<double>(count), order);  // (H / h)^order
    difference.setZero(rows);
    for (int i = 0; i <= order; ++i) {
      const double factor = scale * coefficients[static_cast<std::size_t>(i)];
      const auto column = values.col(first + i);
      if (all)
        difference += factor * column;
      else
        difference += factor * column(components);
    }
    tableau.add(difference);
  }
  return tableau.value();
}

ExtrapolatedInterpolation::Derivatives ExtrapolatedInterpolation::derivatives(const std::vector<int>& components,
                                                                              Sequence sequence) const {
  const auto rows = static_cast<Eigen::Index>(components.size());
  Derivatives out{Eigen::MatrixXd(rows, left_orders_), Eigen::MatrixXd(rows, right_orders_)};
  for (int k = 1; k <= left_orders_; ++k) out.left.col(k - 1) = derivative(components, sequence, k, End::left);
  for (int k = 1; k <= right_orders_; ++k) out.right.col(k - 1) = derivative(components, sequence, k, End::right);
  return out;
}

void ExtrapolatedInterpolation::differential(DensePolynomial::Group& group, const Derivatives& of_rate,
                                             const Eigen::VectorXd& y0, const Eigen::VectorXd& y1,
                                             const Eigen::VectorXd& rate0, const Eigen::VectorXd& rate1) const {
  const auto rows = static_cast<Eigen::Index>(group.components.size());
  Eigen::MatrixXd left(rows, 2 + left_orders_), right(rows, 2 + right_orders_);
  left << selected(group.components, y0), H_ * selected(group.components, rate0), H_ * of_rate.left;
  right << selected(group.components, y1), H_ * selected(group.components, rate1), H_ * of_rate.right;
  group.left_nodes = static_cast<int>(left.cols());
  group.coefficients = hermite_coefficients(left, right);
}

void ExtrapolatedInterpolation::algebraic(DensePolynomial::Group& group, const Derivatives& of_value,
                                          const Eigen::VectorXd& z0, const Eigen::VectorXd& z1) const {
  const auto rows = static_cast<Eigen::Index>(group.components.size());
  Eigen::MatrixXd left(rows, 1 + left_orders_), right(rows, 1 + right_orders_);
  left << selected(group.components, z0), of_value.left;
  right << selected(group.components, z1), of_value.right;
  group.left_nodes = static_cast<int>(left.cols());
  group.coefficients = hermite_coefficients(left, right);
}

}  // namespace linkwork
