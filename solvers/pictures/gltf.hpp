#pragma once

#include <linkwork/solvers/pictures/drawing.hpp>
#include <linkwork/solvers/simulation/trajectory.hpp>

#include <iosfwd>
#include <optional>
#include <string>

namespace linkwork {

struct GltfOptions {
  std::optional<double> frames_per_second = {};  ///< as WebPageOptions has it
  Drawing drawing = {};
};

/// Writes a run as binary glTF 2.0 with an animation (a .glb file), for Blender and other viewers: a node for each
/// body, by its name, with its shapes below it, and nodes for springs and rods. One unit is a metre; the root turns
/// what is up (against gravity; y in the plane) to glTF's y. Single precision. Where no pose is known, that before it
/// stays.
/// @throws ModelError where the equations were never a graph of bodies, for an empty trajectory, a rate that makes no
/// sense, a drawing that does not fit (see Drawing), a file that can't be written, and for the reasons of
/// Trajectory::visit
void write_gltf(const Trajectory& path, const std::string& file, const GltfOptions& options = {});
void write_gltf(const Trajectory& path, std::ostream& out, const GltfOptions& options = {});

}  // namespace linkwork
