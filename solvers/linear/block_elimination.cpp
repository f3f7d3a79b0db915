#include <linkwork/solvers/linear/block_elimination.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>

namespace linkwork {

namespace {

// Weak bodies that hang together are eliminated in one pivot, at the cost of a full matrix.
constexpr int largest_pivot = 100;

}  // namespace

std::string BlockElimination::lay_out(const AugmentedMatrix& matrix, Equilibration::Start start) {
  const Equilibration scaling(matrix, start);
  const MatrixBlocks blocks(matrix, scaling);
  const EliminationPlan plan = plan_elimination(blocks.graph);
  if (plan.largest_pivot > largest_pivot)
    return concat(plan.largest_pivot, " unknowns of bodies that are massless or very light would be one pivot");
  elimination_ = std::make_unique<GraphElimination>(blocks, plan, matrix, scaling);
  return "";
}

int BlockElimination::factor(const AugmentedMatrix& matrix, std::int64_t& analyses) {
  if (!elimination_) {
    refusal_ = lay_out(matrix, Equilibration::Start::units);
    if (!refusal_.empty() && lay_out(matrix, Equilibration::Start::masses).empty()) refusal_.clear();
    if (!refusal_.empty()) return -1;
    ++analyses;
  }
  if (factor_in_order(matrix) < 0) return -1;
  return by_either_start([&](auto start) {
    if (!lay_out(matrix, start).empty()) return 0;
    return factor_in_order(matrix);
  });
}

int BlockElimination::factor_in_order(const AugmentedMatrix& matrix) {
  const int unknown = elimination_->factor(matrix.M->data(), matrix.G->data());
  if (unknown < 0 && elimination_->is_delicate()) refinement_.keep(*matrix.M, *matrix.G);
  return unknown;
}

void BlockElimination::solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                             Eigen::VectorXd& lambda) {
  const auto once = [this](const Eigen::VectorXd& force, const Eigen::VectorXd& right, Eigen::VectorXd& out,
                           Eigen::VectorXd& multipliers) {
    elimination_->solve(force.data(), right.data(), out.data(), multipliers.data());
  };
  if (elimination_->is_delicate())
    refinement_(once, f, g, w, lambda);
  else
    once(f, g, w, lambda);
}

}  // namespace linkwork
