#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/block_elimination.hpp>
#include <linkwork/solvers/linear/joint_elimination.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>

#include <array>

namespace linkwork {

namespace {

/// An order of elimination, with what eliminates in that order whatever the equations publish, and with what is said
/// when it can't.
struct EliminationOrder {
  std::string_view name;
  // By the joint tree; null where there is none.
  std::unique_ptr<RelativeElimination> (*relative)(const AnyJointTree&);
  std::unique_ptr<JointElimination> (*mixed)(const AnyMixedTree&);
  /// By blocks of assembled matrices, and their tree if the equations publish one; null where there is no such order.
  std::unique_ptr<MatrixElimination> (*blocks)(const BlockTree*);
  /// "" or why the equations are refused.
  std::string (*why_not)(const EquationsOfMotion&);
  /// What a singular pivot means. @param matrix  without M where nobody has assembled it
  Outcome (*failure)(std::string_view solver, EquationsOfMotion&, AugmentedMatrix matrix, const JointSingularity&);
};

std::unique_ptr<MatrixElimination> make_block_graph(const BlockTree*) { return std::make_unique<BlockElimination>(); }
std::string refuses_nothing(const EquationsOfMotion&) { return ""; }

constexpr EliminationOrder orders[] = {
    {"recursive", make_relative_recursion, make_mixed_recursion, make_block_recursion, why_no_recursion,
     recursion_failure},
    {"graph", make_relative_graph, make_mixed_graph, make_block_graph, refuses_nothing, graph_failure},
};

/// On the joint tree, where there is one and the matrix is that of the equations; else on the blocks of the matrix.
class TreeSolver final : public LinearSolver {
 public:
  explicit TreeSolver(const EliminationOrder& order) : order_(order) {}
  std::string_view name() const override { return order_.name; }

 private:
  Outcome do_analyze() override {
    current_ = nullptr;
    relative_ = order_.relative(equations_->joint_tree());
    mixed_ = order_.mixed(equations_->mixed_tree());
    blocks_[index_of(MatrixKind::velocity)] = order_.blocks(equations_->velocity_tree());
    blocks_[index_of(MatrixKind::position)] = order_.blocks(equations_->position_tree());
    return unless_refused(order_.why_not(*equations_));
  }

  Outcome unless_refused(const std::string& reason) const {
    return reason.empty() ? Outcome() : Outcome::failure(concat(name(), ": ", reason, "; use 'sparse-lu'."));
  }

  Outcome failure(const AugmentedMatrix& matrix, const JointSingularity& singularity) const {
    return order_.failure(name(), *equations_, matrix, singularity);
  }

  JointElimination* joints() const { return relative_ ? relative_.get() : mixed_.get(); }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    if (matrix.kind == MatrixKind::friction) return Outcome::failure(friction_refusal(name()));
    current_ = blocks_[index_of(matrix.kind)].get();
    if (!current_) return factor_joints(matrix.kind);
    const int unknown = current_->factor(matrix, statistics_.analyses);
    if (const std::string reason = current_->refusal(); !reason.empty()) return unless_refused(reason);
    is_delicate_ = current_->is_delicate();
    const int nv = matrix.M->rows();
    return unknown < 0    ? Outcome()
           : unknown < nv ? failure(matrix, {unknown, -1, true})
                          : failure(matrix, {-1, unknown - nv, true});
  }

  // In coordinates of joints: nobody assembles M and G, unless a failure is to be explained.

  Outcome do_factor_current(MatrixKind kind, const BlockMatrix* F) override {
    return joints() && kind != MatrixKind::friction ? factor_joints(kind) : LinearSolver::do_factor_current(kind, F);
  }

  Outcome factor_joints(MatrixKind kind) {
    current_ = nullptr;
    const RowKind rows = row_kind(kind);
    equations_->update_joint_tree(rows);
    return outcome_of_joints(kind, joints()->factor(rows));
  }

  Outcome outcome_of_joints(MatrixKind kind, const JointSingularity& singularity) {
    is_delicate_ = joints()->is_delicate();
    if (const std::string reason = joints()->refusal(); !reason.empty()) return unless_refused(reason);
    return singularity ? failure({kind, nullptr, nullptr, nullptr}, singularity) : Outcome();
  }

  Outcome do_accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda) override {
    if (!relative_) return LinearSolver::do_accelerations(a, lambda);
    current_ = nullptr;
    equations_->update_joint_tree(RowKind::velocity);
    equations_->update_joint_tree_forces();
    const double* gamma = lambda.size() > 0 ? equations_->gamma().data() : nullptr;
    Outcome outcome =
        outcome_of_joints(MatrixKind::velocity,
                          relative_->accelerations(equations_->applied_force().data(), gamma, a.data(), lambda.data()));
    if (outcome && !a.allFinite()) {  // these name the element that gave a value that is not finite
      equations_->M();
      equations_->f();
    }
    return outcome;
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    if (current_)
      current_->solve(f, g, w, lambda);
    else
      joints()->solve(f.data(), g.data(), w.data(), lambda.data());
  }

  const EliminationOrder& order_;
  // Where the equations have a joint tree.
  std::unique_ptr<RelativeElimination> relative_;
  std::unique_ptr<JointElimination> mixed_;
  std::array<std::unique_ptr<MatrixElimination>, 2> blocks_;  // velocity and position
  MatrixElimination* current_ = nullptr;                      // what was factored last; null: the joint tree
};

}  // namespace

std::unique_ptr<LinearSolver> make_recursive() { return std::make_unique<TreeSolver>(orders[0]); }
std::unique_ptr<LinearSolver> make_graph() { return std::make_unique<TreeSolver>(orders[1]); }

}  // namespace linkwork
