#pragma once

#include <linkwork/core/exact.hpp>

#include <functional>

namespace linkwork {

/// A point of a plane curve and the derivatives of its position with respect to the parameter s.
struct PlaneCurvePoint {
  Exact<2> position = Eigen::Vector2d::Zero();  ///< [m]
  Exact<2> first = Eigen::Vector2d::Zero();     ///< the tangent, not zero
  Exact<2> second = Eigen::Vector2d::Zero();
};

/// A smooth plane curve s -> (x, y), in the axes of the frame that it is fixed to. Its left side is that of the normal
/// (-y', x') / |(x', y')|; curvature counts positive where the curve turns to the left.
class PlaneCurve {
 public:
  /// @param position  [m] of s; its derivatives by sixth-order differences
  /// @param step      of s in these differences, > 0: small against the detail of the curve, not smaller than needed
  /// @throws ModelError if the function is empty or the step is not finite and > 0
  explicit PlaneCurve(std::function<Eigen::Vector2d(double s)> position, double step = 0.005);
  /// @param point  position and both derivatives in closed form
  /// @throws ModelError if the function is empty
  explicit PlaneCurve(std::function<PlaneCurvePoint(double s)> point);
  /// The x axis, s the distance from the origin [m]; its left side is y > 0.
  static PlaneCurve line();
  /// Around the origin, s the angle from the x axis [rad], counter-clockwise: the centre is on the left side.
  /// @throws ModelError if the radius [m] is not finite and > 0
  static PlaneCurve circle(double radius);

  PlaneCurvePoint at(double s) const { return point_(s); }

 private:
  std::function<PlaneCurvePoint(double)> point_;
};

}  // namespace linkwork
