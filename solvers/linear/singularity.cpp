#include <linkwork/solvers/linear/singularity.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/row_elements.hpp>

#include <Eigen/LU>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

constexpr std::size_t most_names = 8;

int order(const AugmentedMatrix& matrix) { return matrix.M->rows() + matrix.G->rows(); }

using Start = Equilibration::Start;

Eigen::FullPivLU<Eigen::MatrixXd> rank_revealing_factors(const AugmentedMatrix& matrix, Start start) {
  Equilibration scaling;
  scaling.resize(order(matrix));
  scaling.compute(matrix, start);
  Eigen::MatrixXd A(order(matrix), order(matrix));
  scaling.write_scaled(matrix, A);
  return Eigen::FullPivLU<Eigen::MatrixXd>(A);
}

double smallest_pivot_ratio(const Eigen::FullPivLU<Eigen::MatrixXd>& factors) {
  const double largest = factors.maxPivot();
  return largest > 0 ? factors.matrixLU().diagonal().cwiseAbs().minCoeff() / largest : 0.0;
}

/// A basis of the null space, at least one vector: the smallest pivot is taken for zero.
Eigen::MatrixXd null_space(const AugmentedMatrix& matrix) {
  Eigen::FullPivLU<Eigen::MatrixXd> factors = rank_revealing_factors(matrix, Start::units);
  factors.setThreshold(std::max(10 * singular_pivot, 2 * smallest_pivot_ratio(factors)));
  return factors.kernel();
}

void add_name(std::string name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i) out += (i > 0 ? ", " : "") + names[i];
  if (names.size() > most_names) out += concat(" and ", names.size() - most_names, " more");
  return out;
}

}  // namespace

bool is_known_singular(const AugmentedMatrix& matrix) {
  const auto is_singular = [&](Start start) {
    return !(smallest_pivot_ratio(rank_revealing_factors(matrix, start)) >= singular_pivot);
  };
  return order(matrix) <= largest_dense_diagnosis && is_singular(Start::units) && is_singular(Start::masses);
}

Outcome singular_matrix(std::string_view solver, EquationsOfMotion& equations, const AugmentedMatrix& matrix,
                        int unknown) {
  const int nv = matrix.M->rows();
  std::vector<std::string> velocities, constraints;
  const auto add = [&](int i) {
    if (i < nv)
      add_name(equations.velocity_name(i), velocities);
    else
      for (std::string& element : elements_of_row(equations, i - nv)) add_name(std::move(element), constraints);
  };
  if (order(matrix) <= largest_dense_diagnosis) {
    const Eigen::MatrixXd vectors = null_space(matrix);
    for (Eigen::Index column = 0; column < vectors.cols(); ++column) {
      const double threshold = 0.1 * vectors.col(column).cwiseAbs().maxCoeff();
      for (Eigen::Index i = 0; i < vectors.rows(); ++i)
        if (std::abs(vectors(i, column)) > threshold) add(static_cast<int>(i));
    }
  } else {
    add(unknown);
  }
  std::string reason = concat(solver, ": the matrix of accelerations and constraint forces of model '",
                              equations.model_name(), "' is singular at t = ", equations.time(), " s.");
  if (!constraints.empty())
    reason += concat(
        constraints.size() == 1 ? " Rows of one constraint, which depend on each other or are held already: "
                                : " Constraints that depend on each other: ",
        joined(constraints), "; take a redundant one away, use joints with more freedoms, or the solver 'redundant'.");
  if (!velocities.empty())
    reason += concat(" Neither mass nor constraints determine ", joined(velocities),
                     "; give the body a mass or inertia, or hold it by a joint.");
  return Outcome::failure(std::move(reason));
}

}  // namespace linkwork
