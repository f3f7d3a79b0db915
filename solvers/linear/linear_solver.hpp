#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

/// The three augmented matrices of half-explicit integration (MEXX 4.2): a solver keeps one symbolic analysis of each.
enum class MatrixKind { velocity, position, friction };

/// The matrix [M, G^T - F; G, 0]. `G` is C for the kind `position`; `F` is null but for the kind `friction`. `scale`
/// says where its equilibration starts: factors of the accelerations and of the multipliers, powers of two, which make
/// all entries those of one unit of length. Null: those of the analysed equations' measures, for all of their rows;
/// else ones.
struct AugmentedMatrix {
  MatrixKind kind = MatrixKind::velocity;
  const BlockMatrix* M = nullptr;
  const BlockMatrix* G = nullptr;
  const BlockMatrix* F = nullptr;
  const double* scale = nullptr;
};

class Refinement;

struct LinearSolverStatistics {
  std::int64_t analyses = 0;  ///< symbolic analyses, pivot orders newly chosen
  std::int64_t factorizations = 0;
  std::int64_t solves = 0;
  std::int64_t iterations = 0;        ///< of iterative solvers
  std::int64_t matrix_nonzeros = -1;  ///< structural nonzeros of [M G^T; G 0]; -1: not counted by this solver
  double factor_operations = -1;      ///< multiply-adds of a factorisation; -1: not counted by this solver
};

/// Solves  [M, G^T - F; G, 0] [w; lambda] = [f; g].  analyze once per system, factor per position, solve per right
/// side. w and g are MEXX's letters for any accelerations or increments of velocity, and for the right side of the
/// rows; they are neither the auxiliary variables w nor the position residual g of EquationsOfMotion. Equations without
/// unknowns (joint coordinates of bodies that are fixed or driven) are solved as they stand: no solver sees them.
///
/// Solutions are improved here by a step of iterative refinement where the factors lost digits (is_delicate_), and
/// where some bodies have less than a hundredth of others' mass: forces as large as the heavy ones' weights would move
/// them so fast that what joints leave of that is a small difference. So a regular matrix is solved as by a stable
/// elimination, whatever order an elimination keeps to. In joint coordinates, where M is full, other right sides than
/// the equations' own are refined up to 300 velocities.
class LinearSolver {
 public:
  LinearSolver();
  virtual ~LinearSolver();
  LinearSolver(const LinearSolver&) = delete;
  LinearSolver& operator=(const LinearSolver&) = delete;
  virtual std::string_view name() const = 0;

  /// Reads dimensions and structure. Refuses what the solver can't treat: name, reason, and a solver that can.
  Outcome analyze(EquationsOfMotion& equations);
  /// Numeric factorisation. A singular matrix is a failure that names bodies and constraints. The first factorisation
  /// of a kind may evaluate M and G at positions nearby, to find entries that are zero by chance (sparse-lu).
  /// @throws ModelError before analyze, or for matrices of another size
  Outcome factor(const AugmentedMatrix& matrix);
  /// The same for the matrix of the analysed equations at their current position. A solver that works in joint
  /// coordinates reads the joint tree there, and nobody assembles M and G.
  /// @param F  for MatrixKind::friction only
  Outcome factor(MatrixKind kind, const BlockMatrix* F = nullptr);
  /// With the last factored matrix. `f` and `w` have n_v entries, `g` and `lambda` as many as the factored G has rows.
  /// No allocation when w and lambda have their sizes. f and w may be one vector, g and lambda too.
  /// @throws ModelError without a factored matrix, or for right sides of another size
  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w, Eigen::VectorXd& lambda);

  /// Accelerations and multipliers at the current point of the analysed equations: factors the velocity matrix and
  /// solves with f and gamma. A solver may do so in its native form.
  Outcome accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda);

  /// The equations have come to rest at positions that satisfy the position constraints, as far as the factored matrix
  /// of the kind `position` knows them. A solver that decides about ranks does so here and nowhere else, so that no
  /// drift decides. `rank_changed` says that positions have to be projected once more, by a newly factored matrix.
  /// Failure: redundant rows contradict those that they depend on.
  Outcome decide_rank(bool& rank_changed);

  /// Numbers of the constraint rows that the solver takes for redundant, of the matrix factored last.
  virtual std::vector<int> redundant_rows() const { return {}; }

  const LinearSolverStatistics& statistics() const { return statistics_; }

 protected:
  LinearSolverStatistics statistics_;
  /// Valid from analyze on; for names in messages.
  EquationsOfMotion* equations_ = nullptr;
  /// Set by each factorisation: whether it has lost digits, by what it saw of its pivots.
  bool is_delicate_ = false;
  /// Another solver does the work, and what is said above.
  bool is_by_another_ = false;

  /// That of the analysed equations at their current position.
  AugmentedMatrix current_matrix(MatrixKind kind, const BlockMatrix* F = nullptr) const;

  // Protected, so that an override may go back to the default.
  /// Default: do_factor with the assembled matrices.
  virtual Outcome do_factor_current(MatrixKind kind, const BlockMatrix* F);
  /// Default: factor and solve. @param a, lambda  have their sizes
  virtual Outcome do_accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda);

 private:
  virtual Outcome do_analyze() = 0;
  virtual Outcome do_factor(const AugmentedMatrix& matrix) = 0;
  virtual void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                        Eigen::VectorXd& lambda) = 0;
  /// Default: ranks do not matter.
  virtual Outcome do_decide_rank(bool& /*rank_changed*/) { return {}; }

  void require_analysed(const char* function) const;
  bool needs_refinement();
  Refinement& refinement_of(MatrixKind kind);
  void keep_for_refinement(const AugmentedMatrix& matrix);
  void keep_current_for_refinement(MatrixKind kind, const BlockMatrix* F);
  void improve_accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda);

  std::array<std::unique_ptr<Refinement>, 3> refinements_;  // by kind, where they were needed
  Refinement* refinement_ = nullptr;                        // of the last factored matrix; null: none
  enum class LightBodies { unknown, no, yes } light_bodies_ = LightBodies::unknown;
  int rows_ = -1;               // of the last factored G; -1: none
  Eigen::VectorXd unit_scale_;  // AugmentedMatrix::scale of the analysed equations
};

/// Names for make_linear_solver, in the order in which they are listed.
std::vector<std::string> linear_solver_names();
/// @param name  "auto" chooses from the structure: dense-lu for small systems, recursive for trees with few closures,
///              graph for those with many, else sparse-lu. Exchanged for sparse-lu, and that for redundant, where it
///              meets a matrix that it can't treat; name() says which solver is at work
/// @param friction  the solver will be given matrices with F
/// @throws ModelError for an unknown name, listing the known ones, and for a solver that can't treat F
std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name, EquationsOfMotion& equations,
                                                 bool friction = false);

}  // namespace linkwork
