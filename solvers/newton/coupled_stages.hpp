#pragma once

// Internal: the linear system of Newton's method for all stages of a step together.

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/linear/klu_factors.hpp>
#include <linkwork/solvers/linear/sparse_matrix.hpp>
#include <linkwork/solvers/newton/iteration_matrix.hpp>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace linkwork {

/// Every stage with a Jacobian of its own,
///   S (sum_j c_ij E dy_j + J_i dy_i) = -S F_i,
/// where a StageSystem has one for all of them and decouples them by a transformation. That is what it takes to pass a
/// position where rows lose rank: they change their sign from stage to stage.
class CoupledStages {
 public:
  /// @param equations  outlive the system
  explicit CoupledStages(const MotionResidual& equations) : equations_(equations) {}

  /// Places and values are taken anew each time: this is for single steps. Fails for a singular matrix, by name.
  /// @param J         dF/dy of each stage
  /// @param S         the selection of a StageSystem
  /// @param coupling  c, by which the rate of stage i is the sum of c_ij y_j [1/s]
  Outcome factor(const std::vector<SparseMatrix>& J, const SparseMatrix& S, const Eigen::MatrixXd& coupling);

  /// @param F   of all equations, a column for each stage
  /// @param dy  a column for each stage
  void solve(const Eigen::Ref<const Eigen::MatrixXd>& F, Eigen::Ref<Eigen::MatrixXd> dy);

  std::int64_t factorizations() const { return factorizations_; }  ///< each with one solution

 private:
  template <class Visit>
  void visit_entries(const std::vector<SparseMatrix>& J, const Eigen::MatrixXd& coupling, const Visit& visit) const;
  void scale();

  const MotionResidual& equations_;
  int stages_ = 0;
  SparseMatrix S_, matrix_;  // the unknowns, and the rows, of all stages stand side by side: unknown * stages + stage
  RowColumnScaling scaling_;
  // A pivot may be as small as it likes: whether Newton's method converges decides.
  KluFactors factors_{/*block_triangular*/ false, /*smallest_pivot*/ 1e-30};
  std::int64_t factorizations_ = 0;
};

}  // namespace linkwork
