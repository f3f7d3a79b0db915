#pragma once

#include <linkwork/core/input.hpp>

#include <Eigen/Core>
#include <functional>
#include <optional>

namespace linkwork {

/// Where an element touches what comes near it, for pictures: a curve, or the boundary of an area, in the axes of one
/// of the element's frames [m]. Those of the plane have z = 0.
struct Outline {
  int frame = 0;  ///< which of the element's frames()
  /// The points of a curve by its parameter u; it is followed from `start` both ways until it closes, or as far as the
  /// mechanism is large.
  std::function<Eigen::Vector3d(double u)> curve = {};
  double start = 0;
  /// In place of a curve: whether a point of the frame's x-y plane lies in the area.
  std::function<bool(const Eigen::Vector2d& point)> contains = {};
  /// The angle by which all of it is turned in the frame about z [rad]; none: it is not.
  std::optional<Input> turning = {};
};

}  // namespace linkwork
