#pragma once

#include <linkwork/core/pose.hpp>

#include <functional>

namespace linkwork {

/// A pose on its way along a parameter u, with its first two derivatives.
struct PathPoint {
  Pose<Spatial> pose;
  Exact<6> twist = Components<Spatial>::Zero();       ///< per unit of u, own axes, angular part first
  Exact<6> twist_rate = Components<Spatial>::Zero();  ///< derivative of those components with respect to u
};

/// A smooth way of a frame through space: the track that a carriage follows, the turn of a wheel about its axle.
using Path = std::function<PathPoint(double u)>;

/// The turn about an axis through the origin; u is the angle [rad].
Path turning_path(const Axis& axis);

/// A space curve with three derivatives with respect to its parameter.
struct SpaceCurvePoint {
  Exact<3> position = Eigen::Vector3d::Zero();
  Exact<3> first = Eigen::Vector3d::Zero();
  Exact<3> second = Eigen::Vector3d::Zero();
  Exact<3> third = Eigen::Vector3d::Zero();
};

/// The frame of a track: x along the curve, y level and to the left, z up (x cross y). Twists are in closed form. Where
/// the curve stands still or is vertical, that is no frame: a RecoverableFailure.
/// @param center  the curve [m]
/// @param up  what level means: across this direction
/// @throws ModelError if the function is empty
Path track_path(std::function<SpaceCurvePoint(double u)> center, const Axis& up = Axis::z());

/// A point that is fixed in the frame of a path traces a curve.
struct TracedCurve {
  Path path;
  Exact<3> offset = Eigen::Vector3d::Zero();  ///< [m], in the axes of the path's frame
};

/// Position [m] of a point on its curve, with two derivatives with respect to the parameter.
struct CurveJet {
  Eigen::Vector3d position, first, second;
};
CurveJet trace(const TracedCurve& curve, double u);

}  // namespace linkwork
