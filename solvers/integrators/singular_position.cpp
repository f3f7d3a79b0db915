#include <linkwork/solvers/integrators/singular_position.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/residual_text.hpp>
#include <linkwork/solvers/dae/unit_sizes.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

constexpr int most_singular_values = 500;
constexpr double least_member = 0.1;  // of the largest weight: a row with less has little part in a dependency

/// Of the rows that have a part in the dependencies, each once.
std::vector<std::string> elements_of(const EquationsOfMotion& equations, const Redundancy& redundancy,
                                     const Eigen::VectorXd& scales) {
  std::vector<std::string> names;
  for (int j = 0; j < redundancy.combinations.cols(); ++j)
    for (const int row : redundancy.members(j, scales, least_member))
      for (std::string& name : equations.elements_of_row(row))
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  return names;
}

}  // namespace

double independence_of_rows(EquationsOfMotion& equations, int rank) {
  if (rank == 0) return 1;
  const Eigen::MatrixXd rows = constraint_sizes(equations).cwiseInverse().asDiagonal() * equations.G().dense() *
                               velocity_sizes(equations).asDiagonal();
  const Eigen::VectorXd squares = symmetric_eigenvalues(rows * rows.transpose());
  return std::sqrt(std::max(squares[squares.size() - rank], 0.0) / squares.tail<1>()[0]);
}

bool is_near_singular_position(EquationsOfMotion& equations, int rank, double ratio) {
  const int rows = equations.dimensions().constraints();
  return rows > 0 && rows <= most_singular_values && independence_of_rows(equations, rank) <= ratio;
}

std::vector<std::string> dependent_elements(EquationsOfMotion& equations, int rank) {
  const Eigen::VectorXd scales = row_scales(equations);
  return elements_of(equations,
                     find_redundancy(equations.G().dense(), scales, equations.characteristic_length(), rank,
                                     /*force_known*/ rank >= 0),
                     scales);
}

std::vector<std::string> elements_that_meet(EquationsOfMotion& equations, int rank) {
  constexpr double nearly = 1e-3;  // of pivots
  const Eigen::VectorXd scales = row_scales(equations);
  const Redundancy found = find_redundancy(equations.G().dense(), scales, equations.characteristic_length(), rank,
                                           /*force_known*/ true);
  return found.pivots[rank] > nearly ? std::vector<std::string>() : elements_of(equations, found, scales);
}

std::string why_near_singular_position(EquationsOfMotion& equations, const State& state, int rank, const char* remedy) {
  try {
    equations.set(state);
    if (!is_near_singular_position(equations, rank)) return "";
    return concat(" The mechanism is near a singular position: rows of ",
                  listed(dependent_elements(equations, rank - 1)), " nearly depend on each other", remedy);
  } catch (const RecoverableFailure&) {  // nor can be said what is wrong there
    return "";
  }
}

}  // namespace linkwork
