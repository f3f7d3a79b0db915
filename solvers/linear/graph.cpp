#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/block_elimination.hpp>
#include <linkwork/solvers/linear/joint_elimination.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <array>
#include <memory>
#include <string>

namespace linkwork {

namespace {

RowKind row_kind(MatrixKind kind) { return kind == MatrixKind::position ? RowKind::position : RowKind::velocity; }

/// On a joint tree, where there is one and the matrix is that of the equations; else on blocks of the matrix.
class Graph final : public LinearSolver {
 public:
  std::string_view name() const override { return "graph"; }

 private:
  Outcome do_analyze() override {
    blocks_ = {};
    current_ = nullptr;
    relative_ = make_relative_graph(equations_->joint_tree());
    mixed_ = make_mixed_graph(equations_->mixed_tree());
    return {};
  }

  JointElimination* joints() const { return relative_ ? relative_.get() : mixed_.get(); }

  Outcome do_factor_current(MatrixKind kind, const BlockMatrix* F) override {
    if (kind == MatrixKind::friction || !joints()) return LinearSolver::do_factor_current(kind, F);
    current_ = nullptr;
    equations_->update_joint_tree(row_kind(kind));
    return outcome_of(joints()->factor(row_kind(kind)), kind);
  }

  Outcome outcome_of(const JointSingularity& singularity, MatrixKind kind) {
    is_delicate_ = joints()->is_delicate();
    if (const std::string reason = joints()->refusal(); !reason.empty()) return refusal(reason);
    if (!singularity) return {};
    return singularity.is_of_order || singularity.row < 0 ? bad_pivot(singularity, kind)
                                                          : redundant_row(singularity.row);
  }

  Outcome do_accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda) override {
    if (!relative_) return LinearSolver::do_accelerations(a, lambda);
    current_ = nullptr;
    equations_->update_joint_tree(RowKind::velocity);
    equations_->update_joint_tree_forces();
    return outcome_of(relative_->accelerations(equations_->applied_force().data(), equations_->gamma().data(), a.data(),
                                               lambda.data()),
                      MatrixKind::velocity);
  }

  Outcome refusal(const std::string& reason) const {
    return Outcome::failure(concat(name(), ": ", reason, "; use 'sparse-lu'."));
  }

  Outcome redundant_row(int row) const {
    return Outcome::failure(concat(name(), ": ", equations_->constraint_name(row), " is redundant at t = ",
                                   equations_->time(), " s: other constraints of model '", equations_->model_name(),
                                   "' hold what it holds; use 'redundant', or take it away."));
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    if (matrix.kind == MatrixKind::friction) return Outcome::failure(friction_refusal(name()));
    is_delicate_ = false;  // blocks refine by themselves
    current_ = &blocks_[index_of(matrix.kind)];
    if (!current_->is_laid_out()) {
      if (const std::string reason = current_->lay_out(matrix); !reason.empty()) return refusal(reason);
      ++statistics_.analyses;
    }
    const int unknown = current_->factor(matrix);
    return unknown < 0 ? Outcome() : bad_pivot(matrix, unknown);
  }

  /// Only small matrices are assembled for the sake of a message.
  Outcome bad_pivot(const JointSingularity& singularity, MatrixKind kind) {
    const int nv = equations_->dimensions().v;
    const int unknown = singularity.velocity >= 0 ? singularity.velocity : nv + singularity.row;
    if (nv + equations_->dimensions().constraints() > largest_dense_diagnosis) return bad_pivot(unknown);
    const AugmentedMatrix matrix{kind, &equations_->M(),
                                 kind == MatrixKind::position ? &equations_->C() : &equations_->G(), nullptr};
    return bad_pivot(matrix, unknown);
  }
  Outcome bad_pivot(const AugmentedMatrix& matrix, int unknown) {
    return is_known_singular(matrix) ? singular_matrix(name(), *equations_, matrix, unknown) : bad_pivot(unknown);
  }
  Outcome bad_pivot(int unknown) const {
    const int nv = equations_->dimensions().v;
    const std::string what = unknown < nv ? concat("velocity of ", equations_->velocity_name(unknown))
                                          : concat("constraint ", equations_->constraint_name(unknown - nv));
    return Outcome::failure(concat(
        name(), ": the pivot of ", what, " is singular at t = ", equations_->time(),
        " s after the elimination of what lies before it; use 'sparse-lu', or 'redundant' if constraints of model '",
        equations_->model_name(), "' depend on each other."));
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    if (current_)
      current_->solve(f, g, w, lambda);
    else
      joints()->solve(f.data(), g.data(), w.data(), lambda.data());
  }

  std::array<BlockElimination, 2> blocks_;  // velocity and position
  BlockElimination* current_ = nullptr;     // what was factored last; null: the joint tree
  // Where the equations have a joint tree.
  std::unique_ptr<RelativeElimination> relative_;
  std::unique_ptr<JointElimination> mixed_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_graph() { return std::make_unique<Graph>(); }

}  // namespace linkwork
