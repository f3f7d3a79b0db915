#include <linkwork/core/concat.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/linear_solvers.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/linear/tree_elimination.hpp>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

constexpr int largest_node = 6;

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

/// The matrix S = C T^-1 C^T of closures and its factors (end of MEXX 3.2). Columns of C^T touch a few nodes only and
/// are eliminated along the paths from these to the roots; there, w = K force with K symmetric semidefinite gives
/// S = sum over nodes of force^T K force.
class Closures {
 public:
  Closures(const BlockTree& tree, const BlockMatrix& G, int width) : width_(static_cast<std::size_t>(width)) {
    for (const BlockTree::Closure& closure : tree.closures)
      for (int i = 0; i < closure.count; ++i) {
        const int index = static_cast<int>(row_.size());
        row_.push_back(closure.row + i);
        for (const BlockTree::Closure::Part& part : closure.parts) {
          const BlockMatrix::Block& block = G.blocks()[static_cast<std::size_t>(part.block)];
          const int offset = static_cast<int>(block.offset) + (closure.row + i - block.row) * block.width;
          parts_.push_back({index, part.node, block.column, block.width, offset, 0, {}});
        }
      }
    lay_paths(tree);
    const auto n = static_cast<Eigen::Index>(row_.size());
    force_.resize(path_.size() * width_);
    w_.resize(path_.size() * width_);
    S_.resize(n, n);
    scale_.resize(n);
    multipliers_.resize(n);
    correction_.resize(G.columns());
    right_.resize(G.rows());
  }

  bool empty() const { return row_.empty(); }

  /// @return the closure row that the tree and the other closures make superfluous, or -1
  int factor(const TreeElimination& tree, const AugmentedMatrix& matrix, Equilibration& scaling) {
    if (form_and_factor(tree, matrix, scaling) < 0) return -1;
    scaling.compute(matrix);
    return form_and_factor(tree, matrix, scaling);
  }

  void solve(TreeElimination& tree, const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
             Eigen::VectorXd& lambda) {
    correction_ = f;
    right_ = g;
    tree.solve(f.data(), g.data(), w.data(), lambda.data());
    for (Eigen::Index i = 0; i < multipliers_.size(); ++i) multipliers_[i] = -right_[row(i)];
    for (const Part& part : parts_)
      for (int c = 0; c < part.width; ++c) multipliers_[part.index] += part.value[c] * w[part.column + c];
    multipliers_.array() *= scale_.array();
    factors_.solveInPlace(multipliers_);
    multipliers_.array() *= scale_.array();
    for (const Part& part : parts_)
      for (int c = 0; c < part.width; ++c) correction_[part.column + c] -= part.value[c] * multipliers_[part.index];
    tree.solve(correction_.data(), right_.data(), w.data(), lambda.data());
    for (Eigen::Index i = 0; i < multipliers_.size(); ++i) lambda[row(i)] = multipliers_[i];
  }

 private:
  /// A closure row's values on one node.
  struct Part {
    int index = 0;  ///< of the row among those of closures
    int node = 0, column = 0, width = 0;
    int offset = 0;                   ///< of the values in G
    int entry = 0;                    ///< in path_
    double value[largest_node] = {};  ///< as they were factored
  };
  /// A column of C^T at a node of its path.
  struct Entry {
    int index = 0;
    int father = -1;  ///< the column's entry at the node's father; -1 behind a root
  };
  struct Stop {
    int node = 0, first = 0, last = 0;  ///< entries
  };

  int row(Eigen::Index i) const { return row_[static_cast<std::size_t>(i)]; }

  /// Nodes of all paths, sons before fathers, with the columns that pass there.
  void lay_paths(const BlockTree& tree) {
    std::vector<std::vector<int>> columns(tree.nodes.size());
    for (const Part& part : parts_)
      for (int node = part.node; node >= 0; node = tree.nodes[static_cast<std::size_t>(node)].father)
        columns[static_cast<std::size_t>(node)].push_back(part.index);
    std::vector<int> first_entry(tree.nodes.size(), -1);
    for (int node = static_cast<int>(tree.nodes.size()) - 1; node >= 0; --node) {
      std::vector<int>& here = columns[static_cast<std::size_t>(node)];
      if (here.empty()) continue;
      std::sort(here.begin(), here.end());
      here.erase(std::unique(here.begin(), here.end()), here.end());
      const int first = static_cast<int>(path_.size());
      first_entry[static_cast<std::size_t>(node)] = first;
      stops_.push_back({node, first, first + static_cast<int>(here.size())});
      for (const int index : here) path_.push_back({index, -1});
    }
    const auto entry_at = [&](int node, int index) {
      const std::vector<int>& here = columns[static_cast<std::size_t>(node)];
      return first_entry[static_cast<std::size_t>(node)] +
             static_cast<int>(std::lower_bound(here.begin(), here.end(), index) - here.begin());
    };
    for (const Stop& stop : stops_) {
      const int father = tree.nodes[static_cast<std::size_t>(stop.node)].father;
      if (father < 0) continue;
      for (int e = stop.first; e < stop.last; ++e)
        path_[static_cast<std::size_t>(e)].father = entry_at(father, path_[static_cast<std::size_t>(e)].index);
    }
    for (Part& part : parts_) part.entry = entry_at(part.node, part.index);
  }

  int form_and_factor(const TreeElimination& tree, const AugmentedMatrix& matrix, const Equilibration& scaling) {
    form(tree, *matrix.G);
    for (Eigen::Index i = 0; i < scale_.size(); ++i) scale_[i] = scaling.factors()[matrix.M->rows() + row(i)];
    for (Eigen::Index j = 0; j < scale_.size(); ++j)
      for (Eigen::Index i = j; i < scale_.size(); ++i) S_(i, j) *= scale_[i] * scale_[j];
    factors_.compute(S_);
    Eigen::Index smallest = 0;
    const auto& pivots = factors_.vectorD();
    if (pivots.minCoeff(&smallest) >= singular_pivot * std::max(1.0, pivots.maxCoeff())) return -1;
    return row(smallest);
  }

  void form(const TreeElimination& tree, const BlockMatrix& G) {
    std::fill(force_.begin(), force_.end(), 0.0);
    std::fill(w_.begin(), w_.end(), 0.0);
    S_.setZero();
    for (Part& part : parts_)
      for (int c = 0; c < part.width; ++c) force_at(part.entry)[c] += part.value[c] = G.data()[part.offset + c];
    double behind_root[largest_node];
    for (const Stop& stop : stops_) {
      for (int e = stop.first; e < stop.last; ++e) {
        const int father = path_[static_cast<std::size_t>(e)].father;
        tree.pass_force(stop.node, force_at(e), father < 0 ? behind_root : force_at(father), w_at(e));
      }
      for (int a = stop.first; a < stop.last; ++a)
        for (int b = stop.first; b <= a; ++b) {
          double sum = 0;
          for (std::size_t c = 0; c < width_; ++c) sum += force_at(a)[c] * w_at(b)[c];
          S_(path_[static_cast<std::size_t>(a)].index, path_[static_cast<std::size_t>(b)].index) += sum;
        }
    }
  }

  double* force_at(int entry) { return force_.data() + static_cast<std::size_t>(entry) * width_; }
  double* w_at(int entry) { return w_.data() + static_cast<std::size_t>(entry) * width_; }

  std::size_t width_;
  std::vector<int> row_;
  std::vector<Part> parts_;
  std::vector<Entry> path_;
  std::vector<Stop> stops_;
  std::vector<double> force_, w_;
  Eigen::MatrixXd S_;
  Eigen::VectorXd scale_, multipliers_, correction_, right_;
  Eigen::LDLT<Eigen::MatrixXd> factors_;
};

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
    // For iterative refinement: the factored matrices, the residual and the correction.
    BlockMatrix M, G;
    Eigen::VectorXd f, g, w, lambda;

    void lay_out(const AugmentedMatrix& matrix) {
      scaling.resize(matrix.M->rows() + matrix.G->rows());
      scaling.compute(matrix);
      TreePlan plan(*tree, matrix, scaling);
      elimination =
          tree->width <= 3 ? make_planar_elimination(std::move(plan)) : make_spatial_elimination(std::move(plan));
      closures = std::make_unique<Closures>(*tree, *matrix.G, elimination->width());
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
    current_ = &kinds_[index_of(matrix.kind)];
    if (!current_->elimination) {
      current_->lay_out(matrix);
      ++statistics_.analyses;
    }
    const int node = current_->elimination->factor(matrix.M->data(), matrix.G->data());
    if (node >= 0) return singular_node(matrix, current_->tree->nodes[static_cast<std::size_t>(node)]);
    if (current_->elimination->is_delicate()) {
      std::copy_n(matrix.M->data(), matrix.M->size(), current_->M.data());
      std::copy_n(matrix.G->data(), matrix.G->size(), current_->G.data());
    }
    if (current_->closures->empty()) return {};
    const int row = current_->closures->factor(*current_->elimination, matrix, current_->scaling);
    return row < 0 ? Outcome() : singular_matrix(name(), *equations_, matrix, matrix.M->rows() + row);
  }

  Outcome singular_node(const AugmentedMatrix& matrix, const BlockTree::Node& node) {
    if (is_known_singular(matrix)) return singular_matrix(name(), *equations_, matrix, node.column);
    const std::string joint =
        node.rows.empty() ? "without a joint to its father" : equations_->constraint_name(node.rows.front().row);
    return Outcome::failure(concat(name(), ": the node of ", equations_->velocity_name(node.column), ", ", joint,
                                   ", can't be eliminated before the rest at t = ", equations_->time(),
                                   " s: its mass, its joint and what hangs on it do not determine its motion, only a "
                                   "closed loop may; use 'sparse-lu'."));
  }

  void do_solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                Eigen::VectorXd& lambda) override {
    if (current_->elimination->is_delicate())
      solve_with_refinement(*current_, f, g, w, lambda);
    else
      solve_once(f, g, w, lambda);
  }

  void solve_with_refinement(Kind& kind, const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w,
                             Eigen::VectorXd& lambda) {
    kind.f = f;
    kind.g = g;
    solve_once(f, g, w, lambda);
    kind.M.multiply_add(-1, w, kind.f);
    kind.G.transpose_multiply_add(-1, lambda, kind.f);
    kind.G.multiply_add(-1, w, kind.g);
    solve_once(kind.f, kind.g, kind.w, kind.lambda);
    w += kind.w;
    lambda += kind.lambda;
  }

  void solve_once(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
    if (current_->closures->empty())
      current_->elimination->solve(f.data(), g.data(), w.data(), lambda.data());
    else
      current_->closures->solve(*current_->elimination, f, g, w, lambda);
  }

  std::array<Kind, 2> kinds_;  // velocity and position
  Kind* current_ = nullptr;
};

}  // namespace

std::string why_no_recursion(const EquationsOfMotion& equations) {
  const std::string reason = why_no_recursion(equations, equations.velocity_tree());
  return reason.empty() ? why_no_recursion(equations, equations.position_tree()) : reason;
}

std::unique_ptr<LinearSolver> make_recursive() { return std::make_unique<Recursive>(); }

}  // namespace linkwork
