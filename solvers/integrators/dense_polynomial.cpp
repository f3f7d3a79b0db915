#include <linkwork/solvers/integrators/dense_polynomial.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

double node(Eigen::Index index, Eigen::Index left, Eigen::Index middle) {
  return index < left ? 0.0 : index < left + middle ? 0.5 : 1.0;
}

}  // namespace

void DenseSelection::expect_fit(const Dimensions& n, std::string_view options) const {
  const auto check = [&](const std::optional<std::vector<int>>& chosen, int count, const char* what) {
    if (!chosen) return;
    for (int i : *chosen)
      if (i < 0 || i >= count)
        throw ModelError(concat(options, ": dense.", what, " selects component ", i, "; this system has ",
                                count > 0 ? concat("0 to ", count - 1) : "none", "."));
  };
  check(p, n.p, "p");
  check(v, n.v, "v");
  check(r, n.r, "r");
  check(w, n.w, "w");
  check(s, n.s, "s");
  check(a, n.v, "a");
  check(lambda, n.constraints(), "lambda");
}

Eigen::VectorXd DensePolynomial::Group::value(double theta) const {
  Eigen::Index k = coefficients.cols() - 1;
  Eigen::VectorXd value = coefficients.col(k);
  for (--k; k >= 0; --k) value = (theta - node(k, left_nodes, middle_nodes)) * value + coefficients.col(k);
  return value;
}

Eigen::VectorXd DensePolynomial::Group::end_slope() const {
  Eigen::Index k = coefficients.cols() - 1;
  Eigen::VectorXd value = coefficients.col(k), slope = Eigen::VectorXd::Zero(coefficients.rows());
  for (--k; k >= 0; --k) {
    const double distance = 1 - node(k, left_nodes, middle_nodes);
    slope = distance * slope + value;
    value = distance * value + coefficients.col(k);
  }
  return slope;
}

Eigen::VectorXd DensePolynomial::Group::last_term() const {
  constexpr int samples = 16;
  constexpr double usual_ratio = 0.25;  // of terms that follow each other, in steps of usual errors
  const Eigen::Index degree = coefficients.cols() - 1;
  const auto largest = [&](Eigen::Index term) -> Eigen::VectorXd {
    double largest_product = 0;
    for (int k = 0; k <= samples; ++k) {
      const double theta = static_cast<double>(k) / samples;
      double product = 1;
      for (Eigen::Index i = 0; i < term; ++i) product *= theta - node(i, left_nodes, middle_nodes);
      largest_product = std::max(largest_product, std::abs(product));
    }
    return largest_product * coefficients.col(term).cwiseAbs();
  };
  if (middle_nodes < 2) return largest(degree);
  return largest(degree).cwiseMax(usual_ratio * largest(degree - 1));
}

DensePolynomial::Group DensePolynomial::Group::derivative(double h) const {
  const Eigen::Index degree = coefficients.cols() - 1;
  Eigen::MatrixXd powers = coefficients;  // of the distance from the middle, in the end
  std::vector<double> nodes(static_cast<std::size_t>(degree));
  for (Eigen::Index k = 0; k < degree; ++k) nodes[static_cast<std::size_t>(k)] = node(k, left_nodes, middle_nodes);
  // Puts the middle before the other nodes, the last one falls out; the polynomial stays the same.
  for (Eigen::Index k = 0; k < degree; ++k) {
    for (Eigen::Index i = degree - 1; i >= 0; --i)
      powers.col(i) += (0.5 - nodes[static_cast<std::size_t>(i)]) * powers.col(i + 1);
    std::copy_backward(nodes.begin(), nodes.end() - 1, nodes.end());
    nodes.front() = 0.5;
  }
  Group out{components, 0, Eigen::MatrixXd::Zero(coefficients.rows(), std::max<Eigen::Index>(degree, 1)), 0};
  for (Eigen::Index k = 0; k < degree; ++k)
    out.coefficients.col(k) = static_cast<double>(k + 1) / h * powers.col(k + 1);
  out.middle_nodes = static_cast<int>(out.coefficients.cols()) - 1;
  return out;
}

void DensePolynomial::evaluate(const Group& group, double t, Eigen::VectorXd& out) const {
  const double theta = (t - t_begin) / (t_end - t_begin);
  const Eigen::Index degree = group.coefficients.cols() - 1;
  for (std::size_t row = 0; row < group.components.size(); ++row) {
    const auto i = static_cast<Eigen::Index>(row);
    double value = group.coefficients(i, degree);
    for (Eigen::Index k = degree - 1; k >= 0; --k)
      value = value * (theta - node(k, group.left_nodes, group.middle_nodes)) + group.coefficients(i, k);
    out[group.components[row]] = value;
  }
}

void DensePolynomial::evaluate(double t, State& out) const {
  out.t = t;
  evaluate(p, t, out.p);
  evaluate(v, t, out.v);
  evaluate(r, t, out.r);
  evaluate(w, t, out.w);
  evaluate(s, t, out.s);
  evaluate(a, t, out.a);
  evaluate(lambda, t, out.lambda);
}

Eigen::MatrixXd hermite_coefficients(const Eigen::MatrixXd& left, const Eigen::MatrixXd& middle,
                                     const Eigen::MatrixXd& right) {
  const Eigen::Index nodes = left.cols() + middle.cols() + right.cols();
  const auto place = [&](Eigen::Index i) { return node(i, left.cols(), middle.cols()); };
  const auto given = [&](Eigen::Index i) -> const Eigen::MatrixXd& {
    return i < left.cols() ? left : i < left.cols() + middle.cols() ? middle : right;
  };
  // Divided differences, order by order, in place: column i holds the one that ends at node i.
  Eigen::MatrixXd table(left.rows(), nodes);
  for (Eigen::Index i = 0; i < nodes; ++i) table.col(i) = given(i).col(0);
  double factorial = 1;
  for (Eigen::Index order = 1; order < nodes; ++order) {
    factorial *= static_cast<double>(order);
    for (Eigen::Index i = nodes - 1; i >= order; --i) {
      const double distance = place(i) - place(i - order);
      if (distance > 0)
        table.col(i) = (table.col(i) - table.col(i - 1)) / distance;
      else
        table.col(i) = given(i).col(order) / factorial;
    }
  }
  return table;
}

Eigen::MatrixXd hermite_coefficients(const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
  return hermite_coefficients(left, Eigen::MatrixXd(left.rows(), 0), right);
}

}  // namespace linkwork
