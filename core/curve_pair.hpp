#pragma once

#include <linkwork/core/outline.hpp>
#include <linkwork/core/path.hpp>

#include <string_view>
#include <vector>

namespace linkwork {

/// Two curves, each on a body of its own, at a pair of their points. With d the vector from the first to the second
/// point, c = (d . a', d . b') vanishes where d is perpendicular to both curves.
struct CurveApproach {
  Eigen::Vector2d u;  ///< the parameters of both points
  CurveJet a, b;      ///< ground axes
  Eigen::Vector3d gap() const { return b.position - a.position; }
  Eigen::Vector2d residual() const { return {gap().dot(a.first), gap().dot(b.first)}; }
  /// dc/du
  Eigen::Matrix2d jacobian() const;
  /// How fast the parameters move while the bodies do and c stays zero.
  /// @param pose_a, pose_b  of the frames that the curves are given in
  Eigen::Vector2d rate(const Pose<Spatial>& pose_a, const Twist<Spatial>& velocity_a, const Pose<Spatial>& pose_b,
                       const Twist<Spatial>& velocity_b) const;
};

/// Two curves, each in a frame of its own. The points where the common normal meets them are where tubes around the
/// curves touch: so contacts of circular profiles that are swept along a curve (rails, wheels, pipes, tori) are found.
struct CurvePair {
  TracedCurve a, b;
  Exact<2> start = Eigen::Vector2d::Zero();  ///< parameters near a common normal at the start

  CurveApproach at(const Pose<Spatial>& pose_a, const Pose<Spatial>& pose_b, const Exact<2>& u) const;
  /// The points of the common normal that Newton's method finds from u, to rounding.
  /// @throws RecoverableFailure where it finds none
  CurveApproach common_normal(const Pose<Spatial>& pose_a, const Pose<Spatial>& pose_b, const Exact<2>& u) const;
  /// @throws ModelError if a path is empty, or a number is not finite
  void check(std::string_view type) const;
};

/// Both curves as pictures show them, for an element with these two frames.
std::vector<Outline> outlines_of(const CurvePair& curves);

}  // namespace linkwork
