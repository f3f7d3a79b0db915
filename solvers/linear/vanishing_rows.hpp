#pragma once

#include <linkwork/core/at.hpp>
#include <linkwork/core/joint_tree.hpp>
#include <linkwork/core/link_algebra.hpp>
#include <linkwork/solvers/linear/joint_recursion.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace linkwork {

/// Rows of closures that act on no joint of their loop but by rounding errors, as those of a second pin beside the
/// first. Only rows are looked at that act less than a millionth of what they did once, and those that never did: the
/// others can't have vanished.
template <class Space>
class VanishingRows {
 public:
  using Tree = JointTree<Space>;
  using Closures = typename Tree::Closures;
  using Closure = typename Tree::Closure;

  /// @param rows  numbered as the caller likes
  void resize(std::size_t rows, const Tree& tree) {
    largest_.assign(rows, 0.0);
    // Later looks allocate nothing: the ends of most closures are two, and each has its path.
    path_.reserve(2 * tree.links.size());
    wrenches_.reserve(tree.links.size());
  }
  /// @param action          of the row, in a unit of its own
  /// @param row_of_closure  counted from 0
  bool has_vanished(std::size_t row, double action, const Tree& tree, const Closures& closures, const Closure& closure,
                    int row_of_closure) {
    constexpr double small = 1e-6;
    double& largest = largest_[row];
    if (!(action > small * largest && largest > 0) && vanishes(tree, closures, closure, row_of_closure)) return true;
    largest = std::max(largest, action);
    return false;
  }

 private:
  bool vanishes(const Tree& tree, const Closures& closures, const Closure& closure, int row);

  std::vector<double> largest_;
  std::vector<int> path_;  // links whose joints a row may act on, sons before fathers
  std::vector<Components<Space>> wrenches_;
};

/// What each joint feels is compared with what the row's torque, and its force at the lever arms of the loop, could
/// make it feel. Lever arms are differences of positions that are known to 1e-16 of their size; below 1e-10 nothing
/// else is left.
template <class Space>
bool VanishingRows<Space>::vanishes(const Tree& tree, const Closures& closures, const Closure& closure, int row) {
  constexpr double rounding = 1e-10;
  constexpr int angular = Space::angular, dimension = Space::dimension;
  const auto row_on = [&](const auto& part) { return closures.rows[detail::at(part.first + row)]; };
  path_.clear();
  double torque = 0, force = 0, arms = 0;
  for (const auto& part : closure.parts) {
    torque += row_on(part).template head<angular>().norm();
    force += row_on(part).template tail<dimension>().norm();
    for (int link = part.link; link > closure.meeting; link = tree.links[detail::at(link)].father)
      path_.push_back(link);
  }
  std::sort(path_.begin(), path_.end(), std::greater<>());
  path_.erase(std::unique(path_.begin(), path_.end()), path_.end());
  for (const int link : path_) {
    const LinkInertia<Space>& inertia = tree.inertias[detail::at(link)];
    arms += tree.origin[detail::at(link)].norm();
    if (inertia.mass > 0) arms += inertia.moment.norm() / inertia.mass;
  }

  wrenches_.assign(path_.size(), Components<Space>::Zero());
  const auto add = [&](int link, const Components<Space>& wrench) {
    const auto place = std::lower_bound(path_.begin(), path_.end(), link, std::greater<>());
    if (place != path_.end() && *place == link) wrenches_[detail::at(place - path_.begin())] += wrench;
  };
  for (const auto& part : closure.parts) add(part.link, row_on(part));
  for (std::size_t k = 0; k < path_.size(); ++k) {
    const std::size_t label = detail::at(path_[k]);
    const auto& link = tree.links[label];
    for (int j = 0; j < link.freedoms; ++j) {
      Components<Space> S = Components<Space>::Zero();
      if (link.axis >= 0)
        S[link.axis] = 1;
      else
        S = tree.subspace[detail::at(link.subspace + j)];
      const double most =
          S.template head<angular>().norm() * (torque + arms * force) + S.template tail<dimension>().norm() * force;
      if (std::abs(S.dot(wrenches_[k])) > rounding * most) return false;
    }
    Wrench<Space> passed;
    assign(wrenches_[k], passed);
    add(link.father, components(to_father<Space>(tree.rotation[label], tree.origin[label], passed)));
  }
  return true;
}

}  // namespace linkwork
