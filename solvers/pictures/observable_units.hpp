#pragma once

#include <string>
#include <vector>

// Internal: what stands beside the axes of curves.

namespace linkwork {

class EquationsOfMotion;

/// Units of the observables, "" for numbers without one, and for those of equations that were never a graph of bodies.
std::vector<std::string> observable_units(const EquationsOfMotion& equations);

}  // namespace linkwork
