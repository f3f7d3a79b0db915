#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/closures.hpp>
#include <linkwork/solvers/linear/joint_elimination.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/linear/tree_elimination.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

std::string why_no_recursion(const EquationsOfMotion& equations, const BlockTree* tree) {
  if (!tree)
    return concat("the ", equations.formulation_name(), " equations of model '", equations.model_name(),
                  "' publish no tree of bodies");
  for (const BlockTree::Node& node : tree->nodes) {
    int rows = 0;
    for (const BlockTree::Rows& each : node.rows) rows += each.count;
    if (node.size > largest_node)
      return concat("the node of ", equations.velocity_name(node.column), " has ", node.size,
                    " freedoms; nodes of at most ", largest_node, " are treated");
    if (rows > node.size)
      return concat(rows, " constraint rows, among them ", equations.constraint_name(node.rows.front().row),
                    ", tie the ", node.size, " freedoms of the node of ", equations.velocity_name(node.column),
                    " to its father");
  }
  return "";
}

class Recursive final : public LinearSolver {
 public:
  std::string_view name() const override { return "recursive"; }

 private:
  /// Of one kind of matrix; the blocks of the matrices are known from the first factorisation on.
  struct Kind {
    const BlockTree* tree = nullptr;
    std::unique_ptr<TreeElimination> elimination;
    std::unique_ptr<Closures> closures;
    Equilibration scaling;

    void lay_out(const AugmentedMatrix& matrix, Equilibration::Start start) {
      scaling.resize(matrix.M->rows() + matrix.G->rows());
      scaling.compute(matrix, start);
      TreePlan plan(*tree, matrix, scaling);
      elimination =
          tree->width <= 3 ? make_planar_elimination(std::move(plan)) : make_spatial_elimination(std::move(plan));
      closures = std::make_unique<Closures>(*tree, *matrix.G, elimination->width());
    }
    /// @return label of a node that its mass and its joint do not determine, or -1
    int factor(const AugmentedMatrix& matrix) { return elimination->factor(matrix.M->data(), matrix.G->data()); }
    int factor(const AugmentedMatrix& matrix, Equilibration::Start start) {
      lay_out(matrix, start);
      return factor(matrix);
    }
  };

  Outcome do_analyze() override {
    kinds_ = {};
    relative_ = make_relative_recursion(equations_->joint_tree());
    mixed_ = make_mixed_recursion(equations_->mixed_tree());
    if (joints()) return {};
    kinds_[index_of(MatrixKind::velocity)].tree = equations_->velocity_tree();
    kinds_[index_of(MatrixKind::position)].tree = equations_->position_tree();
    for (const Kind& kind : kinds_) {
      const std::string reason = why_no_recursion(*equations_, kind.tree);
      if (!reason.empty()) return Outcome::failure(concat(name(), ": ", reason, "; use 'sparse-lu'."));
    }
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    if (matrix.kind == MatrixKind::friction) return Outcome::failure(friction_refusal(name()));
    if (joints()) return factor_joints(matrix.kind);
    current_ = &kinds_[index_of(matrix.kind)];
    if (!current_->elimination || current_->factor(matrix) >= 0) {
      ++statistics_.analyses;
      const int node = by_either_start([&](auto start) { return current_->factor(matrix, start); });
      if (node >= 0) return singular_node(matrix, current_->tree->nodes[static_cast<std::size_t>(node)]);
    }
    is_delicate_ = current_->elimination->is_delicate();
    if (current_->closures->empty()) return {};
    const int row = current_->closures->factor(*current_->elimination, matrix, current_->scaling);
    is_delicate_ = is_delicate_ || current_->closures->is_delicate();
    return row < 0 ? Outcome() : singular_matrix(name(), *equations_, matrix, matrix.M->rows() + row);
  }

  JointElimination* joints() const { return relative_ ? relative_.get() : mixed_.get(); }

  // In coordinates of joints: nobody assembles M and G, unless a failure is to be explained.

  Outcome do_factor_current(MatrixKind kind, const BlockMatrix* F) override {
    if (!joints())
      return do_factor({kind, &equations_->M(), kind == MatrixKind::position ? &equations_->C() : &equations_->G(), F});
    return kind == MatrixKind::friction ? Outcome::failure(friction_refusal(name())) : factor_joints(kind);
  }

  Outcome factor_joints(MatrixKind kind) {
    const RowKind rows = kind == MatrixKind::position ? RowKind::position : RowKind::velocity;
    equations_->update_joint_tree(rows);
    const JointSingularity singularity = joints()->factor(rows);
    is_delicate_ = joints()->is_delicate();
    return singularity ? singular_joints(kind, singularity) : Outcome();
  }

  Outcome do_accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda) override {
    if (!relative_) {
      Outcome outcome = do_factor_current(MatrixKind::velocity, nullptr);
      if (outcome) do_solve(equations_->f(), equations_->gamma(), a, lambda);
      return outcome;
    }
    equations_->update_joint_tree(RowKind::velocity);
    equations_->update_joint_tree_forces();
    const double* gamma = lambda.size() > 0 ? equations_->gamma().data() : nullptr;
    const JointSingularity singularity =
        relative_->accelerations(equations_->applied_force().data(), gamma, a.data(), lambda.data());
    if (singularity) return singular_joints(MatrixKind::velocity, singularity);
    is_delicate_ = relative_->is_delicate();
    if (!a.allFinite()) {  // these name the element that gave a value that is not finite
      equations_->M();
      equations_->f();
    }
    return {};
  }

  Outcome singular_joints(MatrixKind kind, const JointSingularity& singularity) {
    const BlockMatrix& M = equations_->M();
    const AugmentedMatrix matrix{kind, &M, kind == MatrixKind::position ? &equations_->C() : &equations_->G(), nullptr};
    if (singularity.row >= 0) return singular_matrix(name(), *equations_, matrix, M.rows() + singularity.row);
    if (is_known_singular(matrix)) return singular_matrix(name(), *equations_, matrix, singularity.velocity);
    return Outcome::failure(concat(name(), ": the joint of ", equations_->velocity_name(singularity.velocity),
                                   " meets no inertia at t = ", equations_->time(),
                                   " s: nothing with mass that hangs on it moves with it, only a closed loop may "
                                   "determine its motion; use 'graph', or give the body a mass."));
  }

  Outcome singular_node(const AugmentedMatrix& matrix, const BlockTree::Node& node) {
    if (is_known_singular(matrix)) return singular_matrix(name(), *equations_, matrix, node.column);
    const std::string joint =
        node.rows.empty() ? "without a joint to its father" : equations_->constraint_name(node.rows.front().row);
    return Outcome::failure(concat(name(), ": the node of ", equations_->velocity_name(node.column), ", ", joint,
                                   ", can't be eliminated before the rest at t = ", equations_->time(),
                                   " s: its mass, its joint and what hangs on it do not determine its motion, only a "
                                   "closed loop may; use 'graph'."));
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    if (JointElimination* elimination = joints())
      elimination->solve(f.data(), g.data(), w.data(), lambda.data());
    else if (current_->closures->empty())
      current_->elimination->solve(f.data(), g.data(), w.data(), lambda.data());
    else
      current_->closures->solve(*current_->elimination, f, g, w, lambda);
  }

  std::array<Kind, 2> kinds_;  // velocity and position
  Kind* current_ = nullptr;
  // Where the equations have a joint tree.
  std::unique_ptr<RelativeElimination> relative_;
  std::unique_ptr<JointElimination> mixed_;
};

}  // namespace

std::string why_no_recursion(const EquationsOfMotion& equations) {
  if (has_joint_tree(equations)) return "";
  const std::string reason = why_no_recursion(equations, equations.velocity_tree());
  return reason.empty() ? why_no_recursion(equations, equations.position_tree()) : reason;
}

std::unique_ptr<LinearSolver> make_recursive() { return std::make_unique<Recursive>(); }

}  // namespace linkwork
