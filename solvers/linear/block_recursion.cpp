#include <linkwork/core/block_tree.hpp>
#include <linkwork/solvers/linear/block_elimination.hpp>
#include <linkwork/solvers/linear/closure_system.hpp>
#include <linkwork/solvers/linear/tree_elimination.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

/// Columns of C^T are eliminated along their paths to the roots; there, w = K force with K symmetric semidefinite gives
/// S = sum over nodes of force^T K force.
class BlockRecursion final : public MatrixElimination {
 public:
  explicit BlockRecursion(const BlockTree& tree) : tree_(tree) {}

  int factor(const AugmentedMatrix& matrix, std::int64_t& analyses) override {
    if (!elimination_ || factor_tree(matrix) >= 0) {
      ++analyses;
      const int velocity = by_either_start([&](auto start) {
        lay_out(matrix, start);
        return factor_tree(matrix);
      });
      if (velocity >= 0) return velocity;
    }
    if (rows_.empty() || factor_closures(matrix) < 0) return -1;
    return by_either_start([&](auto start) {
      scaling_.compute(matrix, start);
      return factor_closures(matrix);
    });
  }

  bool is_delicate() const override { return elimination_->is_delicate() || system_.is_delicate(); }

  void solve(const Eigen::VectorXd& f, const Eigen::VectorXd& g, Eigen::VectorXd& w, Eigen::VectorXd& lambda) override {
    if (!rows_.empty()) {
      force_ = f;
      right_ = g;
    }
    elimination_->solve(f.data(), g.data(), w.data(), lambda.data());
    if (!rows_.empty()) add_closures(w, lambda);
  }

 private:
  /// A closure row's values on one node; its entry is that of the part of the same number in paths_.
  struct Part {
    int index = 0;  ///< of the row among those of closures
    int column = 0, width = 0;
    int offset = 0;                   ///< of the values in G
    double value[largest_node] = {};  ///< as they were factored
  };

  void lay_out(const AugmentedMatrix& matrix, Equilibration::Start start) {
    scaling_ = Equilibration(matrix, start);
    TreePlan plan(tree_, matrix, scaling_);
    const bool is_first = !elimination_;
    elimination_ =
        tree_.width <= 3 ? make_planar_elimination(std::move(plan)) : make_spatial_elimination(std::move(plan));
    if (is_first) lay_closures(*matrix.G);
  }

  void lay_closures(const BlockMatrix& G) {
    std::vector<int> fathers;
    for (const BlockTree::Node& node : tree_.nodes) fathers.push_back(node.father);
    std::vector<ClosurePaths::Part> parts;
    for (const BlockTree::Closure& closure : tree_.closures)
      for (int i = 0; i < closure.count; ++i) {
        const int index = static_cast<int>(rows_.size());
        rows_.push_back(closure.row + i);
        for (const BlockTree::Closure::Part& part : closure.parts) {
          const BlockMatrix::Block& block = G.blocks()[detail::at(part.block)];
          const int offset = static_cast<int>(block.offset) + (closure.row + i - block.row) * block.width;
          parts_.push_back({index, block.column, block.width, offset, {}});
          parts.push_back({index, part.node});
        }
      }
    paths_ = ClosurePaths(fathers, std::vector<int>(rows_.size(), -1), parts);
    system_ = ClosureSystem(static_cast<int>(rows_.size()));
    forces_.resize(paths_.entries.size() * detail::at(elimination_->width()));
    responses_.resize(forces_.size());
    force_.resize(G.columns());
    right_.resize(G.rows());
  }

  /// @return the first velocity of a node that its mass and its joint do not determine, or -1
  int factor_tree(const AugmentedMatrix& matrix) {
    const int node = elimination_->factor(matrix.M->data(), matrix.G->data());
    return node < 0 ? -1 : tree_.nodes[detail::at(node)].column;
  }

  /// @return the unknown of a closure row that the tree and the other closures make superfluous, or -1
  int factor_closures(const AugmentedMatrix& matrix) {
    const int nv = matrix.M->rows();
    form_system(*matrix.G);
    Eigen::VectorXd& scale = system_.scale();
    for (Eigen::Index i = 0; i < scale.size(); ++i) scale[i] = scaling_.factors()[nv + row(i)];
    const int superfluous = system_.factor(1);
    return superfluous < 0 ? -1 : nv + row(superfluous);
  }

  void form_system(const BlockMatrix& G) {
    const int width = elimination_->width();
    const auto at_entry = [width](std::vector<double>& x, int entry) { return x.data() + detail::at(entry * width); };
    std::fill(forces_.begin(), forces_.end(), 0.0);
    std::fill(responses_.begin(), responses_.end(), 0.0);
    system_.S().setZero();
    auto entry = paths_.entry_of_part.begin();
    for (Part& part : parts_) {
      double* force = at_entry(forces_, *entry++);
      for (int c = 0; c < part.width; ++c) force[c] += part.value[c] = G.data()[part.offset + c];
    }
    double behind_root[largest_node];
    for (const ClosurePaths::Stop& stop : paths_.stops) {
      for (int e = stop.first; e < stop.last; ++e) {
        const int father = paths_.entries[detail::at(e)].father;
        elimination_->pass_force(stop.node, at_entry(forces_, e), father < 0 ? behind_root : at_entry(forces_, father),
                                 at_entry(responses_, e));
      }
      system_.add(paths_, stop, width, forces_.data(), responses_.data(), width);
    }
  }

  /// From the solution without closures, whose right sides force_ and right_ were, to that with them.
  void add_closures(Eigen::VectorXd& w, Eigen::VectorXd& lambda) {
    Eigen::VectorXd& multipliers = system_.multipliers();
    for (Eigen::Index i = 0; i < multipliers.size(); ++i) multipliers[i] = -right_[row(i)];
    for (const Part& part : parts_)
      for (int c = 0; c < part.width; ++c) multipliers[part.index] += part.value[c] * w[part.column + c];
    system_.solve();
    for (const Part& part : parts_)
      for (int c = 0; c < part.width; ++c) force_[part.column + c] -= part.value[c] * multipliers[part.index];
    elimination_->solve(force_.data(), right_.data(), w.data(), lambda.data());
    for (Eigen::Index i = 0; i < multipliers.size(); ++i) lambda[row(i)] = multipliers[i];
  }

  int row(Eigen::Index i) const { return rows_[detail::at(i)]; }

  const BlockTree& tree_;
  std::unique_ptr<TreeElimination> elimination_;
  Equilibration scaling_;
  // Of closures, known with the blocks of the first matrix.
  std::vector<int> rows_;  ///< of the constraint matrix
  ClosurePaths paths_;
  std::vector<Part> parts_;
  std::vector<double> forces_, responses_;  ///< by entry, as wide as a node may be
  ClosureSystem system_;
  Eigen::VectorXd force_, right_;
};

}  // namespace

std::unique_ptr<MatrixElimination> make_block_recursion(const BlockTree* tree) {
  return tree ? std::make_unique<BlockRecursion>(*tree) : nullptr;
}

}  // namespace linkwork
