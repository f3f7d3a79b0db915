#pragma once

#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>
#include <cstddef>
#include <string_view>
#include <vector>

namespace linkwork {

/// An augmented matrix counts as singular when a pivot of its equilibrated form is smaller than this times the largest
/// pivot, from either start of Equilibration: some hundred rounding errors. Redundant rows leave a pivot of a few
/// rounding errors.
inline constexpr double singular_pivot = 1e-13;

/// Below this ratio of what is left of a pivot to what it came from, three digits are lost or more: then solutions take
/// a step of iterative refinement.
inline constexpr double delicate_pivot = 1e-3;

/// Number of unknowns up to which a singular matrix is looked at as a whole.
inline constexpr int largest_dense_diagnosis = 300;
/// Names that a message about a singular matrix lists.
inline constexpr std::size_t most_names = 8;

/// The rows with a large part in one of the vectors at least: a tenth of its largest entry. In the order of the first
/// column that has them.
std::vector<int> members_of_columns(const Eigen::MatrixXd& vectors);
/// Those of the null space of a matrix known to be singular: its smallest pivot is taken for zero.
/// @param factors  of the matrix; their threshold changes
std::vector<int> members_of_null_space(FullyPivotedLu& factors);

/// The failure that names what makes the matrix singular: constraints that depend on each other, and velocities that
/// neither mass nor constraints determine. Up to 300 unknowns the names come from the null space of the matrix; above,
/// from the pivot alone.
/// @param unknown  number of the unknown (accelerations first, then multipliers) whose pivot vanished
Outcome singular_matrix(std::string_view solver, EquationsOfMotion& equations, const AugmentedMatrix& matrix,
                        int unknown);

/// Whether a matrix of up to 300 unknowns is singular in the sense above; false for larger ones.
bool is_known_singular(const AugmentedMatrix& matrix);

}  // namespace linkwork
