#pragma once

#include <linkwork/core/concat.hpp>
#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace linkwork {

/// A tree of bodies given by numbers: sizes, rows, masses; the values of M and G are random.
struct TreeRecipe {
  struct Node {
    int father = -1;
    int size = 3;
    int rows = 2;
    double mass = 1;       ///< scales the block of M; 0: no block
    int nonholonomic = 0;  ///< rows on velocities only, to the father too
  };
  struct Closure {
    int first = 0, second = 0, rows = 1;
  };
  std::vector<Node> nodes = {};
  std::vector<Closure> closures = {};
  bool publish_tree = true;

  int width() const {
    int widest = 0;
    for (const Node& node : nodes) widest = std::max(widest, node.size);
    return widest <= 3 ? 3 : 6;
  }
};

/// Random tree of `count` nodes of the given width (3 or 6); some nodes are points of two or three freedoms.
inline TreeRecipe random_recipe(int count, int width, int closures, bool chain, unsigned seed) {
  std::mt19937 generator(seed);
  const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator); };
  TreeRecipe recipe;
  for (int k = 0; k < count; ++k) {
    TreeRecipe::Node node;
    node.father = chain || k == 0 ? k - 1 : between(-1, k - 1);
    node.size = between(0, 3) == 0 ? (width == 3 ? 2 : 3) : width;
    const int total = between(0, node.size);
    node.nonholonomic = total > 0 && between(0, 4) == 0 ? 1 : 0;
    node.rows = total - node.nonholonomic;
    node.mass = std::pow(10.0, between(-1, 1));
    recipe.nodes.push_back(node);
  }
  // A closure row must find a freedom to take away: at most half of those that the tree leaves.
  int freedoms = 0;
  for (const TreeRecipe::Node& node : recipe.nodes) freedoms += node.size - node.rows - node.nonholonomic;
  for (int c = 0; c < std::min(closures, freedoms / 2); ++c)
    recipe.closures.push_back({between(0, count - 1), between(0, count - 1), 1});
  return recipe;
}

/// The equations of a recipe. Values of M, G and F are random and constant until renew.
class PosedTree final : public EquationsOfMotion {
 public:
  explicit PosedTree(const TreeRecipe& recipe, unsigned seed = 1) : EquationsOfMotion(sizes(recipe)), recipe_(recipe) {
    lay_out();
    renew(seed);
  }

  /// New random values in all blocks; M symmetric and positive definite where it has mass.
  void renew(unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    for (std::size_t b = 0; b < M_.blocks().size(); ++b) {
      const int n = M_.blocks()[b].width;
      Eigen::MatrixXd A(n, n);
      for (double& value : A.reshaped()) value = normal(generator);
      const Eigen::MatrixXd block = mass_[b] * (A * A.transpose() + Eigen::MatrixXd::Identity(n, n));
      std::copy_n(block.data(), n * n, M_.values(static_cast<int>(b)));  // symmetric: the order does not matter
    }
    for (BlockMatrix* matrix : {&G_, &F_})
      for (std::size_t i = 0; i < matrix->size(); ++i) matrix->data()[i] = normal(generator);
    for (std::size_t i = 0; i < F_.size(); ++i) F_.data()[i] *= 0.3;
    set_position(0, position());
  }
  BlockMatrix& mutable_M() { return M_; }
  BlockMatrix& mutable_G() { return G_; }
  BlockMatrix& mutable_F() { return F_; }

  AugmentedMatrix matrix(MatrixKind kind = MatrixKind::velocity) {
    return {kind, &M(), kind == MatrixKind::position ? &C() : &G(),
            kind == MatrixKind::friction ? &force_jacobian() : nullptr};
  }

  const BlockTree* velocity_tree() const override { return recipe_.publish_tree ? &velocity_tree_ : nullptr; }
  const BlockTree* position_tree() const override { return recipe_.publish_tree ? &position_tree_ : nullptr; }
  bool forces_read_multipliers() const override { return true; }
  std::string model_name() const override { return "posed tree"; }
  std::string velocity_name(int i) const override { return concat("body '", owner(i), "'"); }
  std::string constraint_name(int row) const override { return row_names_[static_cast<std::size_t>(row)]; }

 private:
  static Dimensions sizes(const TreeRecipe& recipe) {
    Dimensions out;
    for (const TreeRecipe::Node& node : recipe.nodes) {
      out.v += node.size;
      out.lambda += node.rows;
      out.mu += node.nonholonomic;
    }
    for (const TreeRecipe::Closure& closure : recipe.closures) out.lambda += closure.rows;
    out.p = out.v;
    return out;
  }

  int owner(int column) const {
    int node = 0;
    while (node + 1 < static_cast<int>(columns_.size()) && columns_[static_cast<std::size_t>(node) + 1] <= column)
      ++node;
    return node;
  }

  void lay_out() {
    velocity_tree_.width = recipe_.width();
    int column = 0;
    for (const TreeRecipe::Node& node : recipe_.nodes) {
      const int block = node.mass > 0 ? M_.add_block(column, column, node.size, node.size) : -1;
      if (block >= 0) mass_.push_back(node.mass);
      velocity_tree_.nodes.push_back({node.father, column, node.size, block, {}});
      columns_.push_back(column);
      column += node.size;
    }
    int row = 0;
    const auto add_rows = [&](int k, int count) {
      if (count == 0) return;
      BlockTree::Node& node = velocity_tree_.nodes[static_cast<std::size_t>(k)];
      const int own = G_.add_block(row, node.column, count, node.size);
      int father = -1;
      if (node.father >= 0) {
        const BlockTree::Node& other = velocity_tree_.nodes[static_cast<std::size_t>(node.father)];
        father = G_.add_block(row, other.column, count, other.size);
      }
      if (node.father >= 0) F_.add_block(node.column, row, node.size, count);
      node.rows.push_back({row, count, own, father});
      for (int i = 0; i < count; ++i) row_names_.push_back(concat("joint '", k, "'"));
      row += count;
    };
    const int count = static_cast<int>(recipe_.nodes.size());
    for (int k = 0; k < count; ++k) add_rows(k, recipe_.nodes[static_cast<std::size_t>(k)].rows);
    for (std::size_t c = 0; c < recipe_.closures.size(); ++c) {
      const TreeRecipe::Closure& from = recipe_.closures[c];
      BlockTree::Closure closure{row, from.rows, {}};
      for (const int k : from.first == from.second ? std::vector{from.first} : std::vector{from.first, from.second}) {
        const BlockTree::Node& node = velocity_tree_.nodes[static_cast<std::size_t>(k)];
        closure.parts.push_back({k, G_.add_block(row, node.column, from.rows, node.size)});
      }
      velocity_tree_.closures.push_back(closure);
      for (int i = 0; i < from.rows; ++i) row_names_.push_back(concat("loop '", c, "'"));
      row += from.rows;
    }
    position_tree_ = velocity_tree_;  // blocks of C are numbered like the first blocks of G
    for (int k = 0; k < count; ++k) add_rows(k, recipe_.nodes[static_cast<std::size_t>(k)].nonholonomic);
  }

  void do_M(BlockMatrix&) override {}
  void do_G(BlockMatrix&, Eigen::VectorXd& offset) override { offset.setZero(); }
  void do_g(Eigen::VectorXd& g) override { g.setZero(); }
  void do_f(Eigen::VectorXd& f) override { f.setZero(); }
  void do_gamma(Eigen::VectorXd& gamma) override { gamma.setZero(); }
  void do_force_jacobian(BlockMatrix&) override {}

  TreeRecipe recipe_;
  BlockTree velocity_tree_, position_tree_;
  std::vector<double> mass_;
  std::vector<int> columns_;
  std::vector<std::string> row_names_;
};

}  // namespace linkwork
