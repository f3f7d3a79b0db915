#include <linkwork/solvers/integrators/centred_interpolation.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace linkwork {

namespace {

constexpr int known_at_ends = 4;  // values and slopes

}  // namespace

CentredInterpolation::CentredInterpolation(const BasicScheme::Lines& lines, int maximum_degree)
    : history_(lines.history), lines_(lines.count), H_(lines.H), orders_(2 * lines.count - 3) {
  if (maximum_degree > 0) orders_ = std::min(orders_, maximum_degree - known_at_ends);
}

Eigen::VectorXd CentredInterpolation::derivative(const std::vector<int>& components, Rate rate, int order) const {
  // The difference reaches `order` sub-steps to either side of the middle, 2 line - 1 sub-steps from the ends; the rate
  // at the end is not known.
  const int first_line = (order + 3) / 2;
  ExtrapolationTableau tableau(midpoint_sequence, first_line);
  Eigen::VectorXd difference;
  for (int line = first_line; line <= lines_; ++line) {
    const Eigen::MatrixXd& values = history_[static_cast<std::size_t>(line - 1)].*rate;
    const int steps = midpoint_sequence.steps(line);
    double factor = std::pow(0.5 * steps, order);  // (H / 2h)^order, times binomial coefficients of changing sign
    difference.setZero(static_cast<Eigen::Index>(components.size()));
    for (int i = 0; i <= order; ++i) {
      difference += factor * values.col(steps / 2 + order - 2 * i)(components);
      factor *= -static_cast<double>(order - i) / (i + 1);
    }
    tableau.add(difference);
  }
  return tableau.value();
}

Eigen::VectorXd CentredInterpolation::middle(const std::vector<int>& components, const Value& value,
                                             const Eigen::VectorXd& y0) const {
  ExtrapolationTableau tableau(midpoint_sequence);
  for (int line = 1; line <= lines_; ++line) {
    Eigen::VectorXd gain = selected(components, history_[static_cast<std::size_t>(line - 1)].*value.gain);
    tableau.add(gain);
  }
  return selected(components, y0) + tableau.value();
}

Eigen::MatrixXd CentredInterpolation::inside(const std::vector<int>& components, const Value& value,
                                             const Eigen::VectorXd& y0) const {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(components.size()), orders_ + 1);
  if (orders_ >= 0) out.col(0) = middle(components, value, y0);
  for (int order = 1; order <= orders_; ++order) out.col(order) = H_ * derivative(components, value.rate, order - 1);
  return out;
}

Eigen::VectorXd CentredInterpolation::end_rate(const Value& value, const Eigen::VectorXd& y0, const Eigen::VectorXd& y1,
                                               const Eigen::VectorXd& rate0) const {
  std::vector<int> all(static_cast<std::size_t>(y0.size()));
  std::iota(all.begin(), all.end(), 0);
  Eigen::MatrixXd left(y0.size(), 2);
  left << y0, H_ * rate0;
  DensePolynomial::Group group;
  group.left_nodes = 2;
  group.middle_nodes = orders_ + 1;
  group.coefficients = hermite_coefficients(left, inside(all, value, y0), y1);
  return group.end_slope() / H_;
}

void CentredInterpolation::differential(DensePolynomial::Group& group, const Value& value, const Eigen::VectorXd& y0,
                                        const Eigen::VectorXd& y1, const Eigen::VectorXd& rate0,
                                        const Eigen::VectorXd& rate1) const {
  const std::vector<int>& components = group.components;
  const auto rows = static_cast<Eigen::Index>(components.size());
  Eigen::MatrixXd left(rows, 2), right(rows, 2);
  left << selected(components, y0), H_ * selected(components, rate0);
  right << selected(components, y1), H_ * selected(components, rate1);
  group.left_nodes = 2;
  group.middle_nodes = orders_ + 1;
  group.coefficients = hermite_coefficients(left, inside(components, value, y0), right);
}

void CentredInterpolation::algebraic(DensePolynomial::Group& group, Rate rate, const Eigen::VectorXd& z0,
                                     const Eigen::VectorXd& z1) const {
  const std::vector<int>& components = group.components;
  const auto rows = static_cast<Eigen::Index>(components.size());
  Eigen::MatrixXd inside(rows, std::max(orders_, 0));
  for (int order = 0; order < inside.cols(); ++order) inside.col(order) = derivative(components, rate, order);
  group.left_nodes = 1;
  group.middle_nodes = static_cast<int>(inside.cols());
  group.coefficients = hermite_coefficients(selected(components, z0), inside, selected(components, z1));
}

}  // namespace linkwork
