#include <linkwork/solvers/integrators/singular_position.hpp>

#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/solvers/newton/unit_sizes.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

void add_once(std::vector<std::string>& names, std::string name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

}  // namespace

double independence_of_rows(EquationsOfMotion& equations, int rank) {
  if (rank == 0) return 1;
  const Eigen::MatrixXd rows = constraint_sizes(equations).cwiseInverse().asDiagonal() * equations.G().dense() *
                               velocity_sizes(equations).asDiagonal();
  const Eigen::VectorXd squares = symmetric_eigenvalues(rows * rows.transpose());
  return std::sqrt(std::max(squares[squares.size() - rank], 0.0) / squares.tail<1>()[0]);
}

std::vector<std::string> dependent_elements(EquationsOfMotion& equations, int rank) {
  const Eigen::VectorXd scales = row_scales(equations);
  const Redundancy redundancy = find_redundancy(equations.G().dense(), scales, equations.characteristic_length(), rank,
                                                /*force_known*/ rank >= 0);
  std::vector<std::string> elements;
  for (int j = 0; j < static_cast<int>(redundancy.redundant_rows.size()); ++j)
    for (const int row : redundancy.members(j, scales)) add_once(elements, equations.constraint_element(row));
  return elements;
}

std::vector<std::string> rows_that_meet(EquationsOfMotion& equations, int rank) {
  constexpr double nearly = 1e-3, share = 0.1;
  const Eigen::VectorXd scales = row_scales(equations);
  const Redundancy found = find_redundancy(equations.G().dense(), scales, equations.characteristic_length(), rank,
                                           /*force_known*/ true);
  std::vector<std::string> names;
  if (found.pivots[rank] > nearly) return names;
  for (int j = 0; j < found.combinations.cols(); ++j)
    for (const int row : found.members(j, scales, share)) add_once(names, equations.constraint_name(row));
  return names;
}

}  // namespace linkwork
