#pragma once

#include <linkwork/core/block_matrix.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/solvers/linear/gradient_iteration.hpp>

#include <Eigen/Core>
#include <memory>

namespace linkwork {

/// M^-1 of a tree in joint coordinates, at the tree's position, for both kinds of space.
class TreeInverse {
 public:
  virtual ~TreeInverse() = default;
  /// @return the first velocity of a joint that meets no inertia, or -1
  virtual int factor() = 0;
  /// Whether the last factorisation has lost digits.
  virtual bool is_delicate() const = 0;
  /// w = M^-1 f; w may be f.
  virtual void apply(const Eigen::VectorXd& f, Eigen::VectorXd& w) = 0;
};

/// None where there is no tree. @param tree  outlives the result
std::unique_ptr<TreeInverse> make_tree_inverse(const AnyJointTree& tree);

/// Closed loops in joint coordinates by conjugate gradients:  S lambda = G M^-1 f - g,  w = M^-1 (f - G^T lambda)  with
/// S = G M^-1 G^T (end of MEXX 3.2; 3.18), which is applied by a sweep of the recursion and never formed. The Cholesky
/// factors of S at an earlier position are the preconditioner.
class ClosureIteration {
 public:
  /// @param tree  outlives this object and is factored at the present position when functions are called
  ClosureIteration(TreeInverse& tree, const BlockMatrix& G);

  /// The rows of the present position.
  void set_rows(const BlockMatrix& G);
  /// Factors of S at the present position. @return the row that depends on the others, or -1
  int renew();
  bool has_factors() const { return has_factors_; }
  /// Whether their pivots say that S lost digits.
  bool is_delicate() const { return is_delicate_; }
  /// @return whether the rows hold to rounding; iterations() counts
  bool solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w, Eigen::VectorXd& lambda);
  /// The same right sides once more, after renew().
  bool solve_again(Eigen::VectorXd& w, Eigen::VectorXd& lambda);
  int iterations() const { return gradients_.iterations; }  ///< of the last solution

 private:
  void accelerate(const Eigen::VectorXd& lambda, Eigen::VectorXd& w);
  double residual_of_rows(const Eigen::VectorXd& w);
  /// rows = S multipliers
  void apply(const Eigen::VectorXd& multipliers, Eigen::VectorXd& rows);
  void improve(Eigen::VectorXd& lambda);

  TreeInverse& tree_;
  BlockMatrix G_;
  bool has_factors_ = false, is_delicate_ = false;
  Eigen::MatrixXd S_;
  CholeskyFactors factors_;
  Eigen::VectorXd scale_, f_, g_, force_, size_;
  GradientIteration gradients_;
};

}  // namespace linkwork
