#pragma once

#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/graph_elimination.hpp>
#include <linkwork/solvers/linear/refinement.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace linkwork {

/// Elimination of assembled matrices [M G^T; G 0] of one kind, block by block in an order that is found at the first
/// one. Nothing is allocated after that, unless a matrix asks for another order.
class MatrixElimination {
 public:
  virtual ~MatrixElimination() = default;
  /// @param analyses  counts the orders that are found
  /// @return an unknown (accelerations first, then multipliers) whose pivot is singular, or -1
  virtual int factor(const AugmentedMatrix& matrix, std::int64_t& analyses) = 0;
  /// "" or why the elimination would be no good; known from the first factorisation on.
  virtual std::string refusal() const { return ""; }
  /// Whether the last factorisation has lost digits, so that a step of iterative refinement is worth it.
  virtual bool is_delicate() const = 0;
  /// With the last factorisation. f and w, g and lambda may be one vector.
  virtual void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                     Eigen::VectorXd& lambda) = 0;
};

/// GraphElimination in an order found from the first matrix, and in another one where that fails; refined where a pivot
/// is small.
class BlockElimination final : public MatrixElimination {
 public:
  int factor(const AugmentedMatrix& matrix, std::int64_t& analyses) override;
  std::string refusal() const override { return refusal_; }
  bool is_delicate() const override { return false; }
  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w, Eigen::VectorXd& lambda) override;

 private:
  /// By a scaling that says which bodies are too light to be eliminated by themselves. @return as refusal()
  std::string lay_out(const AugmentedMatrix& matrix, Equilibration::Start start);
  int factor_in_order(const AugmentedMatrix& matrix);

  std::unique_ptr<GraphElimination> elimination_;
  Refinement refinement_;
  std::string refusal_;
};

/// The recursion along the tree into which a matrix falls (see TreeElimination), closures by C T^-1 C^T. Null without
/// a tree, which outlives the elimination.
std::unique_ptr<MatrixElimination> make_block_recursion(const BlockTree* tree);

}  // namespace linkwork
