#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>
#include <linkwork/solvers/newton/algebraic_decomposition.hpp>

#include <Eigen/Core>
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace linkwork {

enum class DifferentialDecomposition {
  lu,  ///< with partial pivoting
  qr   ///< Householder reflections
};

enum class StageSolver {
  automatic,  ///< dense up to 24 unknowns (120 in forms without all levels), or where a decomposition is asked for
  dense,      ///< algebraic and differential part apart
  sparse      ///< selectors choose rows, KLU solves for all unknowns at once
};

enum class SelectorRenewal {
  when_pivots_change,  ///< and after a Newton iteration that did not converge (GEOMS, remark 2.7)
  every_step
};

struct StageSystemOptions {
  AlgebraicDecomposition algebraic = AlgebraicDecomposition::lu;  ///< not automatic
  DifferentialDecomposition differential = DifferentialDecomposition::lu;
  SelectorRenewal selectors = SelectorRenewal::when_pivots_change;
};

/// Solves S (c E + J) dy = -S F for one real and one complex c, where E is the derivative of F by y' and S keeps all
/// algebraic equations and chooses as many of the differential ones as are left (GEOMS 11, 12): dy closes the algebraic
/// equations, J dy = -F, and meets the chosen rows of the others.
class StageSystem {
 public:
  virtual ~StageSystem() = default;

  /// Takes a new J = dF/dy, which outlives what follows, and whatever does not depend on c. Selectors are renewed where
  /// the choice of pivots has changed. Fails for algebraic equations that depend on each other, and for singular d_w
  /// and c_s, by name.
  /// @param pattern_version  changes when the places of J do
  virtual Outcome decompose(const SparseMatrix& J, int pattern_version) = 0;
  /// Chooses selectors anew from the J taken last, at once.
  virtual void renew_selectors() = 0;
  /// Factors what depends on c. Needs an earlier decompose.
  virtual Outcome factor(double c_real, std::complex<double> c_complex) = 0;

  /// dy of the real system. @param F  all equations
  virtual void solve(const Eigen::VectorXd& F, Eigen::VectorXd& dy) = 0;
  /// dy of the complex system, real part and imaginary part.
  virtual void solve(const Eigen::VectorXd& F_real, const Eigen::VectorXd& F_imaginary, Eigen::VectorXd& dy_real,
                     Eigen::VectorXd& dy_imaginary) = 0;

  /// From now on `solve` leaves out entries of the factors that are small in their rows, the full ones being kept
  /// (DASSL+, definition 3.1); 0: no longer. @return whether it can: dense decompositions have no such entries
  virtual bool drop(double tolerance) { return tolerance == 0; }

  /// dy that closes the algebraic equations alone, J dy = -F, and changes little else. Needs an earlier factor.
  virtual void solve_algebraic(const Eigen::VectorXd& F, Eigen::VectorXd& dy) = 0;

  /// Takes out of F those differential equations that the selectors do not choose: they hold only as well as
  /// collocation does.
  virtual void keep_chosen(Eigen::VectorXd& F) const = 0;
  /// S: a row for each equation that is kept, as many as there are unknowns, and a column for each of all equations.
  /// Needs an earlier decompose.
  virtual SparseMatrix selection() const = 0;

  std::int64_t decompositions() const { return decompositions_; }  ///< of the algebraic part
  std::int64_t factorizations() const { return factorizations_; }  ///< pairs of a real and a complex system
  std::int64_t solves() const { return solves_; }                  ///< of either system
  std::int64_t selector_updates() const { return selector_updates_; }

 protected:
  std::int64_t decompositions_ = 0, factorizations_ = 0, solves_ = 0, selector_updates_ = 0;
};

/// @param equations  outlive the system
std::unique_ptr<StageSystem> make_dense_stage_system(const MotionResidual& equations,
                                                     const StageSystemOptions& options);
/// Boolean selectors only: options.algebraic and .differential say nothing.
std::unique_ptr<StageSystem> make_sparse_stage_system(const MotionResidual& equations,
                                                      const StageSystemOptions& options);

/// The failure of a matrix whose pivot of an unknown vanishes.
Outcome vanished_pivot(const MotionResidual& equations, int unknown);

/// The failure of a level of algebraic equations.
/// @param leading  equations of the block that is eliminated first
/// @param rows     that depend on each other
Outcome algebraic_defect(const MotionResidual& equations, AlgebraicDefect defect, const MotionResidual::Rows& leading,
                         const std::vector<int>& rows);

}  // namespace linkwork
