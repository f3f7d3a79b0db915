#pragma once

#include <linkwork/solvers/pictures/drawing.hpp>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

// Internal: shapes as triangles and lines.

namespace linkwork {

/// Triangles with a normal at every vertex, or without triangles a line from vertex to vertex.
struct Surface {
  std::vector<Eigen::Vector3f> vertices = {}, normals = {};
  std::vector<std::array<std::uint32_t, 3>> triangles = {};

  bool is_line() const { return triangles.empty(); }
};

// Of unit size: scaled by what holds them.
Surface unit_box();       ///< edges of length 1
Surface unit_sphere();    ///< radius 1
Surface unit_cylinder();  ///< radius 1, from -1/2 to 1/2 along z
Surface unit_line();      ///< from -1/2 to 1/2 along z
Surface unit_coil();      ///< the same as a spring, radius 1

Surface surface_of(const shape::Polyline& line);
/// Flat triangles.
Surface surface_of(const shape::Mesh& mesh);

}  // namespace linkwork
