#pragma once

#include <linkwork/core/at.hpp>
#include <linkwork/core/dense_factors.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/solvers/linear/joint_recursion.hpp>
#include <linkwork/solvers/linear/singularity.hpp>
#include <linkwork/solvers/linear/vanishing_rows.hpp>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

// Included by the eliminations along a joint tree only.

namespace linkwork {

/// The columns of C^T of closures on their paths through a joint tree, and the factors of S = C T^-1 C^T (see
/// JointElimination).
template <class Space>
class ClosureColumns {
 public:
  static constexpr int n = Space::n;
  using Closures = typename JointTree<Space>::Closures;

  /// @param tree, closures  outlive this object
  ClosureColumns(const JointTree<Space>& tree, const Closures& closures)
      : tree_(&tree), closures_(&closures), factors_(closures.row_count) {
    for (const auto& closure : closures.list)
      for (int i = 0; i < closure.count; ++i) {
        const int column = static_cast<int>(rows_.size());
        rows_.push_back(closure.row + i);
        owners_.push_back({&closure, i});
        for (const auto& part : closure.parts)
          if (part.link > 0) parts_.push_back({column, part.link, part.first + i, 0});
      }
    lay_paths();
    const auto size = static_cast<Eigen::Index>(rows_.size());
    wrench_.resize(path_.size() * n);
    impulse_.resize(path_.size() * n);
    response_.resize(path_.size() * n);
    S_.resize(size, size);
    scale_.resize(size);
    vanishing_.resize(rows_.size(), tree);
    multipliers_.resize(size);
  }

  bool empty() const { return rows_.empty(); }
  /// Whether a pivot of the last factorisation was what is left of one a thousand times larger.
  bool is_delicate() const { return is_delicate_; }

  /// @return a superfluous row of the constraint matrix, or -1
  int factor(const JointRecursion<Space>& recursion) {
    if (empty()) return -1;
    form(recursion);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      if (vanishing_.has_vanished(i, S_(k, k), *tree_, *closures_, *owners_[i].closure, owners_[i].row))
        return rows_[i];
    }
    for (Eigen::Index j = 0; j < scale_.size(); ++j)
      for (Eigen::Index i = j; i < scale_.size(); ++i) S_(i, j) *= scale_[i] * scale_[j];
    factors_.compute(S_);
    Eigen::Index smallest = 0;
    const auto pivots = factors_.packed().diagonal();
    is_delicate_ = pivots.minCoeff() < delicate_pivot * S_.diagonal().maxCoeff();
    if (pivots.minCoeff(&smallest) >= singular_pivot * pivots.maxCoeff() && pivots.maxCoeff() > singular_pivot)
      return -1;
    // The pivots stand in the order of elimination.
    std::vector<int> order = rows_;
    for (std::size_t k = 0; k < order.size(); ++k)
      std::swap(order[k], order[detail::at(factors_.exchanged_with(static_cast<Eigen::Index>(k)))]);
    return order[detail::at(smallest)];
  }

  /// From the response to f alone to that with the multipliers, which are written too.
  void correct(double* response, const double* g, double* lambda) {
    if (empty()) return;
    for (Eigen::Index i = 0; i < multipliers_.size(); ++i) multipliers_[i] = -g[rows_[detail::at(i)]];
    for_each_joint([&](int column, const double* impulse, const double*, const Link& link) {
      for (int k = 0; k < link.freedoms; ++k) multipliers_[column] += impulse[k] * response[link.column + k];
    });
    finish(response, lambda);
  }

  /// The same where the rows at the accelerations without multipliers are known, less g: by row.
  void correct_by(const double* residual, double* response, double* lambda) {
    if (empty()) return;
    for (Eigen::Index i = 0; i < multipliers_.size(); ++i) multipliers_[i] = residual[rows_[detail::at(i)]];
    finish(response, lambda);
  }

 private:
  void finish(double* response, double* lambda) {
    multipliers_.array() *= scale_.array();
    factors_.solve_in_place(multipliers_);
    multipliers_.array() *= scale_.array();
    for_each_joint([&](int column, const double*, const double* of_column, const Link& link) {
      for (int k = 0; k < link.freedoms; ++k) response[link.column + k] -= of_column[k] * multipliers_[column];
    });
    for (std::size_t i = 0; i < rows_.size(); ++i) lambda[rows_[i]] = multipliers_[static_cast<Eigen::Index>(i)];
  }

  using Link = typename JointTree<Space>::Link;
  /// A row on one link.
  struct Part {
    int column = 0, link = 0;
    int row = 0;    ///< in Closures::rows
    int entry = 0;  ///< in path_
  };
  /// A column at a link of its path.
  struct Entry {
    int column = 0;
    int father = -1;  ///< the column's entry at the link's father; -1: the ground
  };
  struct Stop {
    int link = 0, first = 0, last = 0;  ///< entries
  };
  struct Owner {
    const typename JointTree<Space>::Closure* closure = nullptr;
    int row = 0;  ///< of the closure
  };

  const Link& link(int label) const { return tree_->links[detail::at(label)]; }

  /// Links of all paths, sons before fathers, with the columns that pass there. They end at the ground and not where
  /// the rows meet: what the joints on the way answer with keeps the wrenches from cancelling there.
  void lay_paths() {
    std::vector<std::vector<int>> columns(tree_->links.size());
    for (const Part& part : parts_)
      for (int label = part.link; label > 0; label = link(label).father)
        columns[detail::at(label)].push_back(part.column);
    std::vector<int> first_entry(tree_->links.size(), -1);
    for (int label = static_cast<int>(tree_->links.size()) - 1; label > 0; --label) {
      std::vector<int>& here = columns[detail::at(label)];
      if (here.empty()) continue;
      std::sort(here.begin(), here.end());
      here.erase(std::unique(here.begin(), here.end()), here.end());
      const int first = static_cast<int>(path_.size());
      first_entry[detail::at(label)] = first;
      stops_.push_back({label, first, first + static_cast<int>(here.size())});
      for (const int column : here) path_.push_back({column, -1});
    }
    const auto entry_at = [&](int label, int column) {
      const std::vector<int>& here = columns[detail::at(label)];
      return first_entry[detail::at(label)] +
             static_cast<int>(std::lower_bound(here.begin(), here.end(), column) - here.begin());
    };
    for (const Stop& stop : stops_) {
      const int father = link(stop.link).father;
      if (father == 0) continue;
      for (int e = stop.first; e < stop.last; ++e)
        path_[detail::at(e)].father = entry_at(father, path_[detail::at(e)].column);
    }
    for (Part& part : parts_) part.entry = entry_at(part.link, part.column);
  }

  /// S, and the scales of its rows: their sizes where no joint takes its part of a wrench out of its size, so that what
  /// is left of a superfluous row are rounding errors against them.
  void form(const JointRecursion<Space>& recursion) {
    std::fill(wrench_.begin(), wrench_.end(), 0.0);
    S_.setZero();
    scale_.setZero();
    for (const Part& part : parts_) {
      const Components<Space>& row = closures_->rows[detail::at(part.row)];
      for (int i = 0; i < n; ++i) wrench_[detail::at(n * part.entry + i)] += row[i];
    }
    double on_ground[n] = {};
    for (const Stop& stop : stops_) {
      const int freedoms = link(stop.link).freedoms;
      for (int e = stop.first; e < stop.last; ++e) {
        const int father = path_[detail::at(e)].father;
        const double* wrench = wrench_.data() + n * e;
        scale_[path_[detail::at(e)].column] += recursion.response_bound(stop.link, wrench);
        recursion.pass_wrench(stop.link, wrench, impulse_.data() + n * e, response_.data() + n * e,
                              father < 0 ? on_ground : wrench_.data() + n * father);
      }
      for (int a = stop.first; a < stop.last; ++a)
        for (int b = stop.first; b <= a; ++b) {
          double sum = 0;
          for (int k = 0; k < freedoms; ++k) sum += impulse_[detail::at(n * a + k)] * response_[detail::at(n * b + k)];
          S_(path_[detail::at(a)].column, path_[detail::at(b)].column) += sum;
        }
    }
    for (double& scale : scale_) scale = scale > 0 ? 1 / std::sqrt(scale) : 1;
  }

  /// visit(column, impulse, response, link) for all entries of the paths.
  template <class Visit>
  void for_each_joint(Visit&& visit) const {
    for (const Stop& stop : stops_)
      for (int e = stop.first; e < stop.last; ++e)
        visit(path_[detail::at(e)].column, impulse_.data() + n * e, response_.data() + n * e, link(stop.link));
  }

  const JointTree<Space>* tree_;
  const Closures* closures_;
  std::vector<int> rows_;  ///< of the constraint matrix, by column
  std::vector<Owner> owners_;
  VanishingRows<Space> vanishing_;
  std::vector<Part> parts_;
  std::vector<Entry> path_;
  std::vector<Stop> stops_;
  std::vector<double> wrench_, impulse_, response_;  ///< by entry, n each
  Eigen::MatrixXd S_;
  Eigen::VectorXd scale_, multipliers_;
  LdltFactors factors_;
  bool is_delicate_ = false;
};

}  // namespace linkwork
