#pragma once

#include <linkwork/core/at.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/solvers/linear/closure_paths.hpp>
#include <linkwork/solvers/linear/vanishing_rows.hpp>

#include <algorithm>
#include <vector>

namespace linkwork {

/// The rows of the closures of a joint tree in an order of elimination; their columns of C^T are wrenches on links.
template <class Space>
class ClosureRows {
 public:
  using Closures = typename JointTree<Space>::Closures;
  using Closure = typename JointTree<Space>::Closure;
  /// Paths end at links on the ground; or where the rows of a closure meet, the highest of these labels first.
  enum class End { ground, meeting };

  /// @param tree, closures  outlive this object
  ClosureRows(const JointTree<Space>& tree, const Closures& closures, End end) : tree_(&tree), closures_(&closures) {
    std::vector<const Closure*> order;
    for (const Closure& closure : closures.list) order.push_back(&closure);
    if (end == End::meeting)
      std::stable_sort(order.begin(), order.end(),
                       [](const Closure* a, const Closure* b) { return a->meeting > b->meeting; });
    std::vector<int> fathers, ends;
    for (const auto& link : tree.links) fathers.push_back(end == End::ground && link.father == 0 ? -1 : link.father);
    fathers.front() = -1;
    std::vector<ClosurePaths::Part> parts;
    for (const Closure* closure : order)
      for (int i = 0; i < closure->count; ++i) {
        for (const auto& part : closure->parts) {
          if (part.link == 0) continue;
          parts.push_back({static_cast<int>(of_matrix_.size()), part.link});
          part_rows_.push_back(part.first + i);
        }
        of_matrix_.push_back(closure->row + i);
        closure_of_.push_back(closure);
        ends.push_back(end == End::meeting ? closure->meeting : -1);
      }
    paths_ = ClosurePaths(fathers, ends, parts);
    vanishing_.resize(of_matrix_.size(), tree);
  }

  const ClosurePaths& paths() const { return paths_; }
  /// Rows of the constraint matrix, in the order of elimination.
  const std::vector<int>& of_matrix() const { return of_matrix_; }
  /// As in VanishingRows.
  bool has_vanished(int row, double action) {
    const Closure& closure = *closure_of_[detail::at(row)];
    return vanishing_.has_vanished(detail::at(row), action, *tree_, *closures_, closure,
                                   of_matrix_[detail::at(row)] - closure.row);
  }

  /// Adds the rows to the wrenches at the entries of the paths, n numbers each.
  void add_to(double* wrenches) const {
    for (std::size_t p = 0; p < part_rows_.size(); ++p) {
      const Components<Space>& row = closures_->rows[detail::at(part_rows_[p])];
      double* wrench = wrenches + Space::n * paths_.entry_of_part[p];
      for (int i = 0; i < Space::n; ++i) wrench[i] += row[i];
    }
  }

 private:
  const JointTree<Space>* tree_;
  const Closures* closures_;
  std::vector<int> of_matrix_;
  std::vector<const Closure*> closure_of_;
  ClosurePaths paths_;
  std::vector<int> part_rows_;  ///< in Closures::rows, by part
  VanishingRows<Space> vanishing_;
};

}  // namespace linkwork
