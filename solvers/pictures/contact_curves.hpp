#pragma once

#include <linkwork/core/outline.hpp>
#include <linkwork/solvers/pictures/drawing.hpp>

#include <vector>

// Internal: curves and boundaries along which elements touch, as lines.

namespace linkwork {

/// The lines of an outline in the axes of its frame, its turning left out. A curve is followed from its start both ways
/// until it closes, as far as it is defined, or over the reach; of an area the boundary within the reach of the frame.
/// @param reach  how far the mechanism, or its motion, goes [m], > 0
std::vector<shape::Polyline> lines_of(const Outline& outline, double reach);

}  // namespace linkwork
