#include <linkwork/solvers/linear/closure_iteration.hpp>
#include <linkwork/solvers/linear/gradient_iteration.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/mass_factors.hpp>
#include <linkwork/solvers/linear/singularity.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace linkwork {

namespace {

// Each iteration costs a solution with the old factors, new factors some ten times as much: they are renewed at the
// next position when the last solution needed more iterations than the first limit, and at once beyond the limit of the
// iteration.
constexpr int many_iterations = 8;
constexpr int most_refinements = 3;

/// With M positive definite, the multipliers follow from  G M^-1 G^T lambda = G M^-1 f - g  and then
/// w = M^-1 (f - G^T lambda)  (MEXX 3.18). Conjugate gradients with the same matrix of an earlier position as
/// preconditioner:  G0 M0^-1 G0^T z = r  is the lower part of  [M0 G0^T; G0 0] [.; z] = [0; -r]  (MEXX 3.19).
/// In joint coordinates M^-1 is the tree recursion and only closed loops are iterated on (see ClosureIteration).
/// Where M is only semidefinite or nearly so, and where there are no rows, this is a direct elimination at each
/// position.
class ConjugateGradients final : public LinearSolver {
 public:
  std::string_view name() const override { return "cg"; }

 private:
  struct Kind {
    std::unique_ptr<LinearSolver> factors;  // of an earlier position
    bool has_factors = false;
    bool is_ill_conditioned = false;  // M^-1 loses the digits of G w = g: from now on
    bool is_direct = false;
    BlockMatrix M, G;  // of this position
    MassFactors mass;
    Eigen::VectorXd f, g;
    GradientIteration gradients;
    Eigen::VectorXd size, right;                       // of the rows
    Eigen::VectorXd zero, ignored, force, force_size;  // of the velocities
  };

  Outcome do_analyze() override {
    for (Kind& kind : kinds_) kind = {};
    closures_ = {};
    tree_ = make_tree_inverse(equations_->joint_tree());
    uses_tree_ = false;
    return {};
  }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    if (matrix.kind == MatrixKind::friction) return Outcome::failure(friction_refusal(name()));
    return tree_ ? factor_joints(matrix.kind, *matrix.G) : factor_assembled(matrix);
  }

  Outcome do_factor_current(MatrixKind kind, const BlockMatrix* F) override {
    if (!tree_ || kind == MatrixKind::friction) return LinearSolver::do_factor_current(kind, F);
    return factor_joints(kind, constraint_matrix(*equations_, kind));
  }

  // In joint coordinates: nobody assembles M. Where a joint meets no inertia, the assembled matrix is eliminated.

  Outcome factor_joints(MatrixKind kind, const BlockMatrix& G) {
    equations_->update_joint_tree(row_kind(kind));
    uses_tree_ = tree_->factor() < 0;
    is_delicate_ = uses_tree_ && tree_->is_delicate();
    if (!uses_tree_) return factor_assembled({kind, &equations_->M(), &G, nullptr});
    current_closure_ = nullptr;
    if (G.rows() == 0) return {};
    std::unique_ptr<ClosureIteration>& closure = closures_[index_of(kind)];
    if (!closure) {
      closure = std::make_unique<ClosureIteration>(*tree_, G);
      ++statistics_.analyses;
    }
    closure->set_rows(G);
    current_closure_ = closure.get();
    const bool keeps_factors = closure->has_factors() && closure->iterations() <= many_iterations;
    const int row = keeps_factors ? -1 : closure->renew();
    is_delicate_ = is_delicate_ || closure->is_delicate();
    if (row < 0) return {};
    const BlockMatrix& M = equations_->M();
    return singular_matrix(name(), *equations_, {kind, &M, &G, nullptr}, M.rows() + row);
  }

  void solve_joints(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
    if (!current_closure_) {
      tree_->apply(f, w);
      return;
    }
    const bool fine = current_closure_->solve(f, g, w, lambda);
    statistics_.iterations += current_closure_->iterations();
    if (fine) return;
    if (current_closure_->renew() >= 0) {
      give_up(w, lambda);  // the next factorisation says why
      return;
    }
    current_closure_->solve_again(w, lambda);  // as exact as the condition of the matrix allows
    statistics_.iterations += current_closure_->iterations();
  }

  static void give_up(Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
    w.setConstant(std::numeric_limits<double>::quiet_NaN());
    lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  }

  Outcome factor_assembled(const AugmentedMatrix& matrix) {
    current_ = &kinds_[index_of(matrix.kind)];
    if (!current_->factors || current_->G.rows() != matrix.G->rows() || current_->G.size() != matrix.G->size()) {
      if (Outcome outcome = lay_out(*current_, matrix); !outcome) return outcome;
    }
    std::copy_n(matrix.M->data(), matrix.M->size(), current_->M.data());
    std::copy_n(matrix.G->data(), matrix.G->size(), current_->G.data());
    current_->is_direct = matrix.G->rows() == 0 || current_->is_ill_conditioned || !current_->mass.factor(current_->M);
    if (current_->is_direct || !current_->has_factors || current_->gradients.iterations > many_iterations)
      return renew();
    return {};
  }

  Outcome lay_out(Kind& kind, const AugmentedMatrix& matrix) {
    const int nv = matrix.M->rows(), rows = matrix.G->rows();
    kind.M = *matrix.M;
    kind.G = *matrix.G;
    kind.mass = MassFactors(*matrix.M);
    kind.has_factors = false;
    kind.zero.setZero(nv);
    kind.ignored.resize(nv);
    kind.force.resize(nv);
    kind.force_size.resize(nv);
    kind.f.resize(nv);
    for (Eigen::VectorXd* x : {&kind.g, &kind.size, &kind.right}) x->resize(rows);
    kind.gradients.resize(rows);
    kind.factors = make_direct(nv + rows);
    if (Outcome outcome = kind.factors->analyze(*equations_); !outcome)
      return renamed(outcome, kind.factors->name(), name());
    ++statistics_.analyses;
    return {};
  }

  /// Factors of the current position.
  Outcome renew() {
    Kind& kind = *current_;
    const auto which = static_cast<MatrixKind>(current_ - kinds_.data());
    const Outcome outcome = kind.factors->factor({which, &kind.M, &kind.G, nullptr});
    kind.has_factors = static_cast<bool>(outcome);
    kind.gradients.iterations = 0;
    return outcome ? Outcome() : renamed(outcome, current_->factors->name(), name());
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    if (uses_tree_) {
      solve_joints(f, g, w, lambda);
      return;
    }
    Kind& kind = *current_;
    if (kind.is_direct) {
      kind.factors->solve(f, g, w, lambda);
      return;
    }
    kind.f = f;  // f and w may be one vector, g and lambda too
    kind.g = g;
    if (iterate(kind, w, lambda)) return;
    if (!renew()) {
      give_up(w, lambda);  // the next factorisation says why
      return;
    }
    if (iterate(kind, w, lambda)) return;
    kind.is_ill_conditioned = kind.is_direct = true;
    kind.factors->solve(kind.f, kind.g, w, lambda);
  }

  /// From the solution of the earlier position on. @return whether the equations hold to rounding
  bool iterate(Kind& kind, Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
    kind.gradients.iterations = 0;
    kind.factors->solve(kind.f, kind.g, w, lambda);
    if (backward_error(kind, w, lambda) <= rounding_error) return true;
    accelerate(kind, lambda, w);
    kind.gradients.residual = -kind.g;
    kind.G.multiply_add(1, w, kind.gradients.residual);
    improve(kind, lambda);
    accelerate(kind, lambda, w);
    const bool fine = refine(kind, w, lambda);
    statistics_.iterations += kind.gradients.iterations;
    return fine;
  }

  /// w = M^-1 (f - G^T lambda)
  static void accelerate(Kind& kind, const Eigen::VectorXd& lambda, Eigen::VectorXd& w) {
    w = kind.f;
    kind.G.transpose_multiply_add(-1, lambda, w);
    kind.mass.solve_in_place(w);
  }

  /// Takes back what the differences in f - G^T lambda cost: corrections by the old factors, while they help.
  bool refine(Kind& kind, Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
    double error = backward_error(kind, w, lambda);
    for (int k = 0; k < most_refinements && error > rounding_error; ++k) {
      kind.factors->solve(kind.force, kind.gradients.residual, kind.ignored, kind.gradients.preconditioned);
      ++kind.gradients.iterations;
      w += kind.ignored;
      lambda += kind.gradients.preconditioned;
      const double next = backward_error(kind, w, lambda);
      if (!(next < error)) {
        w -= kind.ignored;
        lambda -= kind.gradients.preconditioned;
        break;
      }
      error = next;
    }
    return error <= acceptable_error;
  }

  /// force = f - M w - G^T lambda, residual = g - G w.
  /// @return the largest entry of each relative to the terms that it is the difference of
  static double backward_error(Kind& kind, const Eigen::VectorXd& w, const Eigen::VectorXd& lambda) {
    kind.force = kind.f;
    kind.force_size = kind.f.cwiseAbs();
    kind.gradients.residual = kind.g;
    kind.size = kind.g.cwiseAbs();
    const auto take_away = [](double term, double& difference, double& size) {
      difference -= term;
      size += std::abs(term);
    };
    for (const BlockMatrix::Block& block : kind.M.blocks()) {
      const double* value = kind.M.data() + block.offset;
      for (int i = block.row; i < block.row + block.height; ++i)
        for (int j = block.column; j < block.column + block.width; ++j)
          take_away(*value++ * w[j], kind.force[i], kind.force_size[i]);
    }
    for (const BlockMatrix::Block& block : kind.G.blocks()) {
      const double* value = kind.G.data() + block.offset;
      for (int i = block.row; i < block.row + block.height; ++i)
        for (int j = block.column; j < block.column + block.width; ++j, ++value) {
          take_away(*value * w[j], kind.gradients.residual[i], kind.size[i]);
          take_away(*value * lambda[i], kind.force[j], kind.force_size[j]);
        }
    }
    return std::max(largest_relative(kind.force, kind.force_size),
                    largest_relative(kind.gradients.residual, kind.size));
  }

  /// lambda += (G M^-1 G^T)^-1 residual, preconditioned by (G0 M0^-1 G0^T)^-1.
  static void improve(Kind& kind, Eigen::VectorXd& lambda) {
    kind.gradients.improve(
        lambda,
        [&](const Eigen::VectorXd& direction, Eigen::VectorXd& image) {
          kind.force.setZero();
          kind.G.transpose_multiply_add(1, direction, kind.force);
          kind.mass.solve_in_place(kind.force);
          image.setZero();
          kind.G.multiply_add(1, kind.force, image);
        },
        [&](const Eigen::VectorXd& residual, Eigen::VectorXd& preconditioned) {
          kind.right = -residual;
          kind.factors->solve(kind.zero, kind.right, kind.ignored, preconditioned);
        });
  }

  std::array<Kind, 2> kinds_;
  Kind* current_ = nullptr;

  std::unique_ptr<TreeInverse> tree_;  // where the equations have a joint tree
  bool uses_tree_ = false;             // for the last factorisation
  std::array<std::unique_ptr<ClosureIteration>, 2> closures_;
  ClosureIteration* current_closure_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_conjugate_gradients() { return std::make_unique<ConjugateGradients>(); }

}  // namespace linkwork
