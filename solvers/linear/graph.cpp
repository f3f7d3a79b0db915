#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/graph_elimination.hpp>
#include <linkwork/solvers/linear/joint_elimination.hpp>
#include <linkwork/solvers/linear/joint_graph.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <variant>

namespace linkwork {

namespace {

/// JointGraph of either space.
class AnyJointGraph {
 public:
  virtual ~AnyJointGraph() = default;
  /// @return "" or why the elimination would be no good
  virtual std::string refusal(const EquationsOfMotion& equations) const = 0;
  virtual JointSingularity factor(RowKind kind, EquationsOfMotion& equations) = 0;
  virtual void solve(RowKind kind, const double* f, const double* g, double* w, double* lambda) = 0;
  /// The equations' own right side.
  virtual void accelerations(EquationsOfMotion& equations, double* a, double* lambda) = 0;
};

template <class Space>
class JointGraphIn final : public AnyJointGraph {
 public:
  explicit JointGraphIn(const JointTree<Space>& tree) : tree_(tree) {}

  std::string refusal(const EquationsOfMotion& equations) const override {
    const auto width = JointGraph<Space>::width(tree_, RowKind::velocity);
    if (width.pairs <= JointGraph<Space>::most_pairs) return "";
    const int column = tree_.links[static_cast<std::size_t>(width.peak_link)].column;
    const std::string where =
        width.peak_link == 0 ? "the ground" : concat("the link of ", equations.velocity_name(column));
    return concat("at ", where, " of model '", equations.model_name(), "' at least ", width.peak,
                  " rows of loops would be open at a time; cut the loops so that they are short "
                  "(CutStrategy::shortest_loops), or use absolute coordinates or 'recursive'.");
  }

  JointSingularity factor(RowKind kind, EquationsOfMotion& equations) override {
    equations.update_joint_tree(kind);
    auto& graph = graphs_[static_cast<std::size_t>(kind)];
    if (!graph) graph = std::make_unique<JointGraph<Space>>(tree_, kind);
    const auto failure = graph->factor();
    return {failure.link < 0 ? -1 : tree_.links[static_cast<std::size_t>(failure.link)].column, failure.row};
  }

  void solve(RowKind kind, const double* f, const double* g, double* w, double* lambda) override {
    graphs_[static_cast<std::size_t>(kind)]->solve({f, nullptr, nullptr}, g, w, lambda);
  }

  void accelerations(EquationsOfMotion& equations, double* a, double* lambda) override {
    equations.update_joint_tree_forces();
    const double* gamma = equations.gamma().data();
    graphs_[static_cast<std::size_t>(RowKind::velocity)]->solve(
        {equations.applied_force().data(), tree_.force.data(), nullptr}, gamma, a, lambda);
  }

 private:
  const JointTree<Space>& tree_;
  std::array<std::unique_ptr<JointGraph<Space>>, 2> graphs_;  // by RowKind
};

std::unique_ptr<AnyJointGraph> make_joint_graph(const AnyJointTree& tree) {
  if (const auto* planar = std::get_if<const JointTree<Planar>*>(&tree))
    return std::make_unique<JointGraphIn<Planar>>(**planar);
  if (const auto* spatial = std::get_if<const JointTree<Spatial>*>(&tree))
    return std::make_unique<JointGraphIn<Spatial>>(**spatial);
  return nullptr;
}

RowKind row_kind(MatrixKind kind) { return kind == MatrixKind::position ? RowKind::position : RowKind::velocity; }

// Weak bodies that hang together are eliminated in one pivot, at the cost of a full matrix.
constexpr int largest_pivot = 100;

/// On a joint tree, where there is one and the matrix is that of the equations; else on blocks.
class Graph final : public LinearSolver {
 public:
  std::string_view name() const override { return "graph"; }

 private:
  /// Of one kind of matrix; its blocks are known from the first factorisation on.
  struct Kind {
    std::unique_ptr<GraphElimination> elimination;
    // For iterative refinement: the factored matrices, the residual and the correction.
    BlockMatrix M, G;
    Eigen::VectorXd f, g, w, lambda;

    /// @return why not, or ""
    std::string lay_out(const AugmentedMatrix& matrix) {
      Equilibration scaling;
      scaling.resize(matrix.M->rows() + matrix.G->rows());
      scaling.compute(matrix);
      const MatrixBlocks blocks(matrix, scaling);
      const EliminationPlan plan = plan_elimination(blocks.graph);
      if (plan.largest_pivot > largest_pivot)
        return concat(plan.largest_pivot, " unknowns of bodies that are massless or very light would be one pivot");
      elimination = std::make_unique<GraphElimination>(blocks, plan, matrix, scaling);
      M = *matrix.M;
      G = *matrix.G;
      f.resize(M.rows());
      g.resize(G.rows());
      w.resize(M.rows());
      lambda.resize(G.rows());
      return "";
    }
  };

  Outcome do_analyze() override {
    kinds_ = {};
    joints_ = make_joint_graph(equations_->joint_tree());
    const std::string reason = why_no_graph(*equations_);
    return reason.empty() ? Outcome() : Outcome::failure(concat(name(), ": ", reason));
  }

  Outcome do_factor_current(MatrixKind kind, const BlockMatrix* F) override {
    if (kind != MatrixKind::friction && joints_) {
      const JointSingularity singular = joints_->factor(row_kind(kind), *equations_);
      if (singular.row >= 0) return redundant_row(singular.row);
      current_ = nullptr;
      factored_rows_ = row_kind(kind);
      if (!singular) return {};
      joints_.reset();  // a joint moves no mass, only a closed loop may hold what it moves: from now on in blocks
    }
    return do_factor({kind, &equations_->M(), kind == MatrixKind::position ? &equations_->C() : &equations_->G(), F});
  }

  Outcome do_accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda) override {
    Outcome outcome = do_factor_current(MatrixKind::velocity, nullptr);
    if (!outcome) return outcome;
    if (current_)
      do_solve(equations_->f(), equations_->gamma(), a, lambda);
    else
      joints_->accelerations(*equations_, a.data(), lambda.data());
    return outcome;
  }

  Outcome redundant_row(int row) const {
    return Outcome::failure(concat(name(), ": ", equations_->constraint_name(row), " is redundant at t = ",
                                   equations_->time(), " s: other constraints of model '", equations_->model_name(),
                                   "' hold what it holds; use 'redundant', or take it away."));
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    if (matrix.kind == MatrixKind::friction) return Outcome::failure(friction_refusal(name()));
    current_ = &kinds_[index_of(matrix.kind)];
    if (!current_->elimination) {
      const std::string reason = current_->lay_out(matrix);
      if (!reason.empty()) return Outcome::failure(concat(name(), ": ", reason, "; use 'sparse-lu'."));
      ++statistics_.analyses;
    }
    const int unknown = current_->elimination->factor(matrix.M->data(), matrix.G->data());
    if (unknown >= 0) return bad_pivot(matrix, unknown);
    if (current_->elimination->is_delicate()) {
      std::copy_n(matrix.M->data(), matrix.M->size(), current_->M.data());
      std::copy_n(matrix.G->data(), matrix.G->size(), current_->G.data());
    }
    return {};
  }

  Outcome bad_pivot(const AugmentedMatrix& matrix, int unknown) {
    const int nv = matrix.M->rows();
    if (is_known_singular(matrix)) return singular_matrix(name(), *equations_, matrix, unknown);
    const std::string what = unknown < nv ? concat("velocity of ", equations_->velocity_name(unknown))
                                          : concat("constraint ", equations_->constraint_name(unknown - nv));
    return Outcome::failure(concat(
        name(), ": the pivot of ", what, " is singular at t = ", equations_->time(),
        " s after the elimination of what lies before it; use 'sparse-lu', or 'redundant' if constraints of model '",
        equations_->model_name(), "' depend on each other."));
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    if (!current_) return joints_->solve(factored_rows_, f.data(), g.data(), w.data(), lambda.data());
    GraphElimination& elimination = *current_->elimination;
    if (!elimination.is_delicate()) return elimination.solve(f.data(), g.data(), w.data(), lambda.data());
    Kind& kind = *current_;
    kind.f = f;
    kind.g = g;
    elimination.solve(f.data(), g.data(), w.data(), lambda.data());
    kind.M.multiply_add(-1, w, kind.f);
    kind.G.transpose_multiply_add(-1, lambda, kind.f);
    kind.G.multiply_add(-1, w, kind.g);
    elimination.solve(kind.f.data(), kind.g.data(), kind.w.data(), kind.lambda.data());
    w += kind.w;
    lambda += kind.lambda;
  }

  std::array<Kind, 2> kinds_;  // velocity and position
  Kind* current_ = nullptr;    // the blocks that were factored last; null: the joint tree
  std::unique_ptr<AnyJointGraph> joints_;
  RowKind factored_rows_ = RowKind::velocity;
};

}  // namespace

std::string why_no_graph(const EquationsOfMotion& equations) {
  const auto joints = make_joint_graph(equations.joint_tree());
  return joints ? joints->refusal(equations) : "";
}

std::unique_ptr<LinearSolver> make_graph() { return std::make_unique<Graph>(); }

}  // namespace linkwork
