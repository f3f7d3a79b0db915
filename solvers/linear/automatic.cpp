#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/redundancy.hpp>
#include <linkwork/solvers/linear/row_elimination.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

/// A solver that is exchanged as soon as it meets a matrix that it can't treat: for a general one, in joint coordinates
/// for that along the graph first (M would be full), and the general one for one that treats redundant rows. Redundant
/// rows show in a singular matrix only where positions are exact; so that no solver divides by the errors of positions,
/// the rows are looked at once beforehand.
class Exchanging final : public LinearSolver {
 public:
  explicit Exchanging(std::unique_ptr<LinearSolver> first) : solver_(std::move(first)) { is_by_another_ = true; }

  std::string_view name() const override { return solver_->name(); }
  std::vector<int> redundant_rows() const override { return solver_->redundant_rows(); }

 private:
  Outcome do_analyze() override { return solver_->analyze(*equations_); }

  Outcome do_factor(const AugmentedMatrix& matrix) override {
    if (is_first_factorization() && has_redundant_rows(*matrix.G)) exchange(make_redundant());
    return factor_or_exchange(matrix);
  }
  Outcome do_factor_current(MatrixKind kind, const BlockMatrix* F) override {
    look_for_redundant_rows(kind);
    return factor_or_exchange(kind, F);
  }
  Outcome do_accelerations(Eigen::VectorXd& a, Eigen::VectorXd& lambda) override {
    look_for_redundant_rows(MatrixKind::velocity);
    if (Outcome outcome = solver_->accelerations(a, lambda)) {
      report();
      return outcome;
    }
    Outcome outcome = factor_or_exchange(MatrixKind::velocity, nullptr);
    if (outcome) solver_->solve(equations_->f(), equations_->gamma(), a, lambda);
    return outcome;
  }

  bool is_first_factorization() const { return statistics_.factorizations == 1; }
  /// In joint coordinates many rows may be as long as the mechanism, so that only a singular matrix tells.
  bool may_have_redundant_rows() const {
    const int rows = equations_->dimensions().constraints();
    return rows > 0 && (rows <= few_rows || equations_->joint_tree().index() == 0);
  }
  bool has_redundant_rows(const BlockMatrix& G) const {
    if (G.rows() == 0 || !may_have_redundant_rows()) return false;
    return rank_of(G) < G.rows();
  }
  int rank_of(const BlockMatrix& G) const {
    const double length = equations_->characteristic_length();
    const Eigen::VectorXd scales = row_scales(*equations_).head(G.rows());
    return G.rows() <= few_rows ? find_redundancy(G.dense(), scales, length).rank
                                : find_sparse_rank(G, scales, length).rank;
  }
  /// In joint coordinates, where M is full along the tree, nobody is to assemble it for nothing.
  bool has_many_redundant_rows_on_joints() const {
    return equations_->joint_tree().index() != 0 && equations_->dimensions().constraints() > few_rows &&
           rank_of(equations_->G()) < equations_->G().rows();
  }
  void look_for_redundant_rows(MatrixKind kind) {
    if (is_first_factorization() && may_have_redundant_rows() &&
        has_redundant_rows(constraint_matrix(*equations_, kind)))
      exchange(make_redundant());
  }

  /// Nothing changes if the other solver refuses the equations.
  void exchange(std::unique_ptr<LinearSolver> other) {
    if (other->analyze(*equations_)) solver_ = std::move(other);
  }

  template <class... Matrix>
  Outcome factor_or_exchange(const Matrix&... matrix) {
    Outcome outcome = solver_->factor(matrix...);
    for (const auto make : {make_graph, make_sparse_lu, make_redundant}) {
      if (outcome) break;
      if (make == make_graph && !has_joint_tree(*equations_)) continue;
      if (make == make_sparse_lu && has_many_redundant_rows_on_joints()) continue;
      std::unique_ptr<LinearSolver> other = make();
      if (other->name() == solver_->name()) continue;
      Outcome tried = other->analyze(*equations_);
      if (tried) tried = other->factor(matrix...);
      if (!tried) continue;
      solver_ = std::move(other);
      outcome = tried;
    }
    report();
    return outcome;  // if a failure: singular for every solver, perhaps at this position only
  }

  void report() {
    statistics_.analyses = solver_->statistics().analyses;
    statistics_.iterations = solver_->statistics().iterations;
    statistics_.factor_operations = solver_->statistics().factor_operations;
    statistics_.matrix_nonzeros = solver_->statistics().matrix_nonzeros;
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    solver_->solve(f, g, w, lambda);
  }
  Outcome do_decide_rank(bool& rank_changed) override { return solver_->decide_rank(rank_changed); }

  std::unique_ptr<LinearSolver> solver_;
};

// Rows of closures up to which C T^-1 C^T costs less than what the tree saves; more are allowed for many bodies.
constexpr int few_closure_rows = 12;
constexpr int bodies_per_closure_row = 8;

template <class Closure>
bool has_few_closures(int bodies, const std::vector<Closure>& closures) {
  int rows = 0;
  for (const auto& closure : closures) rows += closure.count;
  return rows <= std::max(few_closure_rows, bodies / bodies_per_closure_row);
}

bool has_few_closures(const EquationsOfMotion& equations) {
  const auto of_joints = [](const auto& tree) {
    return has_few_closures(static_cast<int>(tree.links.size()) - 1, tree.closures_of(RowKind::velocity).list);
  };
  if (equations.joint_tree().index() != 0) return with_tree(equations.joint_tree(), of_joints);
  if (equations.mixed_tree().index() != 0)
    return with_tree(equations.mixed_tree(), [&](const auto& mixed) { return of_joints(mixed.tree); });
  const BlockTree& tree = *equations.velocity_tree();
  return has_few_closures(static_cast<int>(tree.nodes.size()), tree.closures);
}

std::unique_ptr<LinearSolver> choose(const EquationsOfMotion& equations, bool friction) {
  const Dimensions& sizes = equations.dimensions();
  if (sizes.v + sizes.constraints() <= small_system) return make_dense_lu();
  if (friction || !why_no_recursion(equations).empty()) return make_sparse_lu();
  return has_few_closures(equations) ? make_recursive() : make_graph();
}

struct NamedSolver {
  const char* name;
  std::unique_ptr<LinearSolver> (*make)();
  bool friction;
};
constexpr NamedSolver solvers[] = {
    {"dense-lu", make_dense_lu, true},
    {"ldlt", make_ldlt, false},
    {"cholesky-qr", make_cholesky_qr, false},
    {"minimal", make_minimal, false},
    {"sparse-lu", make_sparse_lu, true},
    {"recursive", make_recursive, false},
    {"graph", make_graph, false},
    {"cg", make_conjugate_gradients, false},
    {"redundant", make_redundant, true},
};

}  // namespace

std::vector<std::string> linear_solver_names() {
  std::vector<std::string> names{"auto"};
  for (const NamedSolver& solver : solvers) names.emplace_back(solver.name);
  return names;
}

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name, EquationsOfMotion& equations, bool friction) {
  if (name == "auto") return std::make_unique<Exchanging>(choose(equations, friction));
  for (const NamedSolver& solver : solvers) {
    if (name != solver.name) continue;
    if (friction && !solver.friction) throw ModelError(friction_refusal(name));
    return solver.make();
  }
  const std::string known = listed(linear_solver_names(), [](const std::string& each) { return "'" + each + "'"; });
  throw ModelError(concat("make_linear_solver: unknown linear solver '", name, "'; choose one of ", known, "."));
}

}  // namespace linkwork
