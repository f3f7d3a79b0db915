#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>

#include <algorithm>
#include <utility>

namespace linkwork {

namespace {

/// The recursion, exchanged for a general solver as soon as it meets a matrix that it can't treat.
class RecursiveOrSparse final : public LinearSolver {
 public:
  std::string_view name() const override { return solver_->name(); }

 private:
  Outcome do_analyze() override { return solver_->analyze(*equations_); }

  Outcome do_factor(const AugmentedMatrix& matrix) override { return factor_or_exchange(matrix); }
  Outcome do_factor_current(MatrixKind kind, const BlockMatrix* F) override { return factor_or_exchange(kind, F); }

  template <class... Matrix>
  Outcome factor_or_exchange(const Matrix&... matrix) {
    Outcome outcome = solver_->factor(matrix...);
    if (!outcome && !is_sparse_) outcome = exchange(matrix...);
    statistics_.analyses = solver_->statistics().analyses;
    statistics_.matrix_nonzeros = solver_->statistics().matrix_nonzeros;
    return outcome;
  }

  template <class... Matrix>
  Outcome exchange(const Matrix&... matrix) {
    std::unique_ptr<LinearSolver> sparse = make_sparse_lu();
    Outcome outcome = sparse->analyze(*equations_);
    if (outcome) outcome = sparse->factor(matrix...);
    if (!outcome) return outcome;  // singular for every solver, perhaps at this position only
    solver_ = std::move(sparse);
    is_sparse_ = true;
    return outcome;
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    solver_->solve(f, g, w, lambda);
  }

  std::unique_ptr<LinearSolver> solver_ = make_recursive();
  bool is_sparse_ = false;
};

// Up to about this size full matrices are as fast as anything, and the most robust.
constexpr int small_system = 20;
// Rows of closures up to which C T^-1 C^T costs less than what the tree saves; more are allowed for many bodies.
constexpr int few_closure_rows = 12;
constexpr int bodies_per_closure_row = 8;

bool has_few_closures(const BlockTree& tree) {
  int rows = 0;
  for (const BlockTree::Closure& closure : tree.closures) rows += closure.count;
  return rows <= std::max(few_closure_rows, static_cast<int>(tree.nodes.size()) / bodies_per_closure_row);
}

std::unique_ptr<LinearSolver> choose(const EquationsOfMotion& equations, bool friction) {
  const Dimensions& sizes = equations.dimensions();
  if (sizes.v + sizes.constraints() <= small_system) return make_dense_lu();
  if (!friction && why_no_recursion(equations).empty() && has_few_closures(*equations.velocity_tree()))
    return make_recursive_or_sparse();
  return make_sparse_lu();
}

struct NamedSolver {
  const char* name;
  std::unique_ptr<LinearSolver> (*make)();
  bool friction;
};
constexpr NamedSolver solvers[] = {
    {"dense-lu", make_dense_lu, true},   {"ldlt", make_ldlt, false},           {"cholesky-qr", make_cholesky_qr, false},
    {"sparse-lu", make_sparse_lu, true}, {"recursive", make_recursive, false},
};

}  // namespace

std::unique_ptr<LinearSolver> make_recursive_or_sparse() { return std::make_unique<RecursiveOrSparse>(); }

std::vector<std::string> linear_solver_names() {
  std::vector<std::string> names{"auto"};
  for (const NamedSolver& solver : solvers) names.emplace_back(solver.name);
  return names;
}

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name, EquationsOfMotion& equations, bool friction) {
  if (name == "auto") return choose(equations, friction);
  for (const NamedSolver& solver : solvers) {
    if (name != solver.name) continue;
    if (friction && !solver.friction) throw ModelError(friction_refusal(name));
    return solver.make();
  }
  const std::string known = listed(linear_solver_names(), [](const std::string& each) { return "'" + each + "'"; });
  throw ModelError(concat("make_linear_solver: unknown linear solver '", name, "'; choose one of ", known, "."));
}

}  // namespace linkwork
