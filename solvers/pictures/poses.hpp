#pragma once

#include <linkwork/solvers/simulation/trajectory.hpp>

#include <iosfwd>
#include <string>

namespace linkwork {

/// Where the bodies are, the same in every formulation: one row per sample at t_begin + k / samples_per_second with t
/// [s] and for each body "name: x", "name: y" and "name: z" of its origin in the ground [m], and its attitude as unit
/// quaternion "name: qw", "name: qx", "name: qy" and "name: qz", whose sign goes on smoothly; 17 digits. Planar models
/// lie in the plane z = 0 and turn about z.
/// @throws ModelError where the equations were never a graph of bodies, the rate is not above zero or the file can't be
/// written, and for the reasons of Trajectory::visit
void write_poses(const Trajectory& path, const std::string& file, double samples_per_second);
void write_poses(const Trajectory& path, std::ostream& out, double samples_per_second);

}  // namespace linkwork
