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

/// Whether a row of a closure acts on no joint of its loop but by rounding errors, as that of a second pin beside the
/// first: what each joint feels is compared with what the row's torque, and its force at the lever arms of the loop,
/// could make it feel. Lever arms are differences of positions that are known to 1e-16 of their size; below 1e-10
/// nothing else is left.
/// @param row  of the closure, counted from 0
template <class Space>
bool vanishes(const JointTree<Space>& tree, const typename JointTree<Space>::Closures& closures,
              const typename JointTree<Space>::Closure& closure, int row) {
  constexpr double rounding = 1e-10;
  constexpr int angular = Space::angular, dimension = Space::dimension;
  const auto row_on = [&](const auto& part) { return closures.rows[detail::at(part.first + row)]; };
  std::vector<int> path;  // links whose joints the row may act on, sons before fathers
  double torque = 0, force = 0, arms = 0;
  for (const auto& part : closure.parts) {
    torque += row_on(part).template head<angular>().norm();
    force += row_on(part).template tail<dimension>().norm();
    for (int link = part.link; link > closure.meeting; link = tree.links[detail::at(link)].father) path.push_back(link);
  }
  std::sort(path.begin(), path.end(), std::greater<>());
  path.erase(std::unique(path.begin(), path.end()), path.end());
  for (const int link : path) {
    const LinkInertia<Space>& inertia = tree.inertias[detail::at(link)];
    arms += tree.origin[detail::at(link)].norm();
    if (inertia.mass > 0) arms += inertia.moment.norm() / inertia.mass;
  }

  std::vector<Components<Space>> wrenches(path.size(), Components<Space>::Zero());
  const auto add = [&](int link, const Components<Space>& wrench) {
    const auto place = std::lower_bound(path.begin(), path.end(), link, std::greater<>());
    if (place != path.end() && *place == link) wrenches[detail::at(place - path.begin())] += wrench;
  };
  for (const auto& part : closure.parts) add(part.link, row_on(part));
  for (std::size_t k = 0; k < path.size(); ++k) {
    const std::size_t label = detail::at(path[k]);
    const auto& link = tree.links[label];
    for (int j = 0; j < link.freedoms; ++j) {
      Components<Space> S = Components<Space>::Zero();
      if (link.axis >= 0)
        S[link.axis] = 1;
      else
        S = tree.subspace[detail::at(link.subspace + j)];
      const double most =
          S.template head<angular>().norm() * (torque + arms * force) + S.template tail<dimension>().norm() * force;
      if (std::abs(S.dot(wrenches[k])) > rounding * most) return false;
    }
    Wrench<Space> passed;
    assign(wrenches[k], passed);
    add(link.father, components(to_father<Space>(tree.rotation[label], tree.origin[label], passed)));
  }
  return true;
}

/// Looks only at rows of closures that act less than a millionth of what they did once, and at those that never did:
/// the others can't have vanished.
class VanishingRows {
 public:
  void resize(std::size_t rows) { largest_.assign(rows, 0.0); }
  /// @param action   of the row, in a unit of its own
  /// @param vanishes  vanishes() looks
  template <class Vanishes>
  bool has_vanished(std::size_t row, double action, Vanishes&& vanishes) {
    constexpr double small = 1e-6;
    double& largest = largest_[row];
    if (!(action > small * largest && largest > 0) && vanishes()) return true;
    largest = std::max(largest, action);
    return false;
  }

 private:
  std::vector<double> largest_;
};

}  // namespace linkwork
