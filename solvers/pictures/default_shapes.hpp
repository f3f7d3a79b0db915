#pragma once

#include <linkwork/solvers/pictures/drawing.hpp>

#include <Eigen/Core>
#include <vector>

// Internal: what bodies look like that nobody has drawn.

namespace linkwork {

/// What is known of a body, in its own axes.
struct BodyLook {
  double mass = 0;           ///< [kg]
  double share_of_mass = 0;  ///< of the heaviest body's, 0 to 1
  bool rotates = true;
  bool is_planar = false;  ///< only the last moment of inertia is known
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre of mass [kg m^2]
  std::vector<Eigen::Vector3d> points;                ///< where other elements meet it; each once
};

/// @param size  of the whole mechanism [m]: bars and points are thin beside it
std::vector<Shape> default_shapes(const BodyLook& look, double size);

}  // namespace linkwork
