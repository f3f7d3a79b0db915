#pragma once

#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/graph_elimination.hpp>
#include <linkwork/solvers/linear/refinement.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace linkwork {

/// GraphElimination in an order found from the first matrix, refined where a pivot is small.
class BlockElimination {
 public:
  /// Finds the order; the scaling says which bodies are too light to be eliminated by themselves.
  /// @return "" or why the elimination would be no good
  std::string lay_out(const AugmentedMatrix& matrix);
  bool is_laid_out() const { return elimination_ != nullptr; }
  /// In another order where that fails. @return an unknown whose pivot is singular, or -1
  int factor(const AugmentedMatrix& matrix);
  /// f and w, g and lambda may be one vector.
  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w, Eigen::VectorXd& lambda);

 private:
  std::string lay_out(const AugmentedMatrix& matrix, Equilibration::Start start);
  int factor_in_order(const AugmentedMatrix& matrix);

  std::unique_ptr<GraphElimination> elimination_;
  Refinement refinement_;
};

}  // namespace linkwork
