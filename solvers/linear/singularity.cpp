#include <linkwork/solvers/linear/singularity.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/residual_text.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

int order(const AugmentedMatrix& matrix) { return matrix.M->rows() + matrix.G->rows(); }

using Start = Equilibration::Start;

FullyPivotedLu rank_revealing_factors(const AugmentedMatrix& matrix, Start start) {
  const Equilibration scaling(matrix, start);
  Eigen::MatrixXd A(order(matrix), order(matrix));
  scaling.write_scaled(matrix, A);
  FullyPivotedLu factors;
  factors.compute(A);
  return factors;
}

void add_name(std::string name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

}  // namespace

std::vector<int> members_of_columns(const Eigen::MatrixXd& vectors) {
  constexpr double share = 0.1;
  std::vector<int> out;
  std::vector<char> is_known(static_cast<std::size_t>(vectors.rows()), 0);
  for (Eigen::Index column = 0; column < vectors.cols(); ++column) {
    const double threshold = share * vectors.col(column).cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < vectors.rows(); ++i) {
      char& known = is_known[static_cast<std::size_t>(i)];
      if (known != 0 || !(std::abs(vectors(i, column)) > threshold)) continue;
      known = 1;
      out.push_back(static_cast<int>(i));
    }
  }
  return out;
}

std::vector<int> members_of_null_space(FullyPivotedLu& factors) {
  factors.set_threshold(std::max(10 * singular_pivot, 2 * factors.pivot_ratio()));
  return members_of_columns(factors.kernel());
}

bool is_known_singular(const AugmentedMatrix& matrix) {
  const auto is_singular = [&](Start start) {
    return !(rank_revealing_factors(matrix, start).pivot_ratio() >= singular_pivot);
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
      for (std::string& element : equations.elements_of_row(i - nv)) add_name(std::move(element), constraints);
  };
  if (order(matrix) <= largest_dense_diagnosis) {
    FullyPivotedLu factors = rank_revealing_factors(matrix, Start::units);
    for (const int i : members_of_null_space(factors)) add(i);
  } else {
    add(unknown);
  }
  std::string reason = concat(solver, ": the matrix of accelerations and constraint forces of model '",
                              equations.model_name(), "' is singular at t = ", equations.time(), " s.");
  if (!constraints.empty())
    reason +=
        concat(constraints.size() == 1 ? " Rows of one constraint, which depend on each other or are held already: "
                                       : " Constraints that depend on each other: ",
               listed_up_to(most_names, constraints),
               "; take a redundant one away, use joints with more freedoms, or the solver 'redundant'.");
  if (!velocities.empty())
    reason += concat(" Neither mass nor constraints determine ", listed_up_to(most_names, velocities),
                     "; give the body a mass or inertia, or hold it by a joint.");
  return Outcome::failure(std::move(reason), Failure::singular);
}

}  // namespace linkwork
