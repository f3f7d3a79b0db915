#pragma once

#include <linkwork/core/block_matrix.hpp>
#include <linkwork/core/block_tree.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/solvers/linear/equilibration.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/linear/tree_elimination.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <vector>

// Included by the recursive solver only.

namespace linkwork {

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
    return by_either_start([&](auto start) {
      scaling.compute(matrix, start);
      return form_and_factor(tree, matrix, scaling);
    });
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
    factors_.solve_in_place(multipliers_);
    multipliers_.array() *= scale_.array();
    for (const Part& part : parts_)
      for (int c = 0; c < part.width; ++c) correction_[part.column + c] -= part.value[c] * multipliers_[part.index];
    tree.solve(correction_.data(), right_.data(), w.data(), lambda.data());
    for (Eigen::Index i = 0; i < multipliers_.size(); ++i) lambda[row(i)] = multipliers_[i];
  }

  /// Whether a pivot of the last factorisation was what is left of one a thousand times larger.
  bool is_delicate() const { return is_delicate_; }

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
    const auto pivots = factors_.packed().diagonal();
    is_delicate_ = pivots.minCoeff() < delicate_pivot * S_.diagonal().maxCoeff();
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
  LdltFactors factors_;
  bool is_delicate_ = false;
};

}  // namespace linkwork
