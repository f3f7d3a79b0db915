#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/graph_elimination.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <array>
#include <memory>

namespace linkwork {

namespace {

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

    void lay_out(const AugmentedMatrix& matrix) {
      Equilibration scaling;
      scaling.resize(matrix.M->rows() + matrix.G->rows());
      scaling.compute(matrix);
      const MatrixBlocks blocks(matrix, scaling);
      elimination = std::make_unique<GraphElimination>(blocks, plan_elimination(blocks.graph), matrix, scaling);
      M = *matrix.M;
      G = *matrix.G;
      f.resize(M.rows());
      g.resize(G.rows());
      w.resize(M.rows());
      lambda.resize(G.rows());
    }
  };

  Outcome do_analyze() override {
    kinds_ = {};
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    if (matrix.kind == MatrixKind::friction) return Outcome::failure(friction_refusal(name()));
    current_ = &kinds_[index_of(matrix.kind)];
    if (!current_->elimination) {
      current_->lay_out(matrix);
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
  Kind* current_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_graph() { return std::make_unique<Graph>(); }

}  // namespace linkwork
