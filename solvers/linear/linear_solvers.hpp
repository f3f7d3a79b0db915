#pragma once

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/joint_elimination.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

// The solvers behind the names of make_linear_solver; not for users.

namespace linkwork {

/// Gaussian elimination with row interchanges on the whole matrix.
std::unique_ptr<LinearSolver> make_dense_lu();
/// P A P^T = L D L^T with blocks of one or two in D (Bunch and Kaufman 1977) on the whole matrix.
std::unique_ptr<LinearSolver> make_ldlt();
/// M = L L^T and L^-1 G^T = Q R (MEXX 3.2), dense.
std::unique_ptr<LinearSolver> make_cholesky_qr();
/// Elimination of dependent velocities, to a full matrix of the size of the freedoms (MEXX 3.3, 3.4).
std::unique_ptr<LinearSolver> make_minimal();
/// KLU: one symbolic analysis per kind of matrix, then numeric refactorisations with the same pivots.
std::unique_ptr<LinearSolver> make_sparse_lu();
/// Elimination of body after body along a tree, from the leaves to the roots (MEXX 3.10); loops by C T^-1 C^T.
std::unique_ptr<LinearSolver> make_recursive();
/// Block elimination along a small-fill order of the graph with its loops, linear for bounded width.
std::unique_ptr<LinearSolver> make_graph();
/// Conjugate gradients preconditioned by the factors of an earlier position (MEXX 3.18 to 3.20).
std::unique_ptr<LinearSolver> make_conjugate_gradients();
/// For constraint matrices with redundant rows: consistent accelerations, reactions of least norm.
std::unique_ptr<LinearSolver> make_redundant();

/// Number of unknowns up to which full matrices are as fast as anything, and the most robust.
inline constexpr int small_system = 20;
/// A solver of general matrices with that many unknowns: dense-lu or sparse-lu.
inline std::unique_ptr<LinearSolver> make_direct(int unknowns) {
  return unknowns <= small_system ? make_dense_lu() : make_sparse_lu();
}

/// Whether the equations publish a tree of links and joints; without it M and G are assembled.
inline bool has_joint_tree(const EquationsOfMotion& equations) {
  return equations.joint_tree().index() != 0 || equations.mixed_tree().index() != 0;
}
/// Why the elimination along the published trees is not possible at all; "" if it is.
std::string why_no_recursion(const EquationsOfMotion& equations);
/// What a singular pivot of these two solvers means. @param matrix  without M where nobody has assembled it
Outcome recursion_failure(std::string_view solver, EquationsOfMotion& equations, AugmentedMatrix matrix,
                          const JointSingularity& singularity);
Outcome graph_failure(std::string_view solver, EquationsOfMotion& equations, AugmentedMatrix matrix,
                      const JointSingularity& singularity);

inline RowKind row_kind(MatrixKind kind) {
  return kind == MatrixKind::position ? RowKind::position : RowKind::velocity;
}
// At the current position.
inline const BlockMatrix& constraint_matrix(EquationsOfMotion& equations, MatrixKind kind) {
  return kind == MatrixKind::position ? equations.C() : equations.G();
}
inline AugmentedMatrix current_matrix(EquationsOfMotion& equations, MatrixKind kind, const BlockMatrix* F = nullptr) {
  return {kind, &equations.M(), &constraint_matrix(equations, kind), F};
}

/// The refusal of a symmetric solver to treat F.
inline std::string friction_refusal(std::string_view solver) {
  return std::string(solver) +
         ": the matrix [M, G^T - F; G, 0] of the friction variant is unsymmetric and this solver needs symmetry; "
         "use 'dense-lu' or 'sparse-lu'.";
}

/// A failure of a solver that works for another one, in that one's name: what stands before the colon is exchanged,
/// where the reason begins with the name of a solver.
inline Outcome renamed(const Outcome& failure, std::string_view by, std::string_view solver) {
  const std::string& reason = failure.reason();
  const bool is_named = reason.size() > by.size() && reason.compare(0, by.size(), by) == 0 && reason[by.size()] == ':';
  return Outcome::failure(concat(solver, is_named ? reason.substr(by.size()) : ": " + reason));
}

inline std::size_t index_of(MatrixKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace linkwork
