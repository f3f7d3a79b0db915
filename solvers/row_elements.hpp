#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// Names of the elements that hold each other in a row of the constraints: that of the constraint, in joint coordinates
/// those of the loop that it closes, so that every formulation tells a user the same.
std::vector<std::string> elements_of_row(const EquationsOfMotion& equations, int row);

/// A residual of a row of the position constraints as a person reads it, "0.05 m" or "0.3 rad". Rows that measure
/// angles by tangents of their halves grow beyond bounds near half a turn: that is said then.
std::string residual_text(const EquationsOfMotion& equations, int row, double residual);
/// That of the velocity constraints, "0.05 m/s".
std::string rate_text(const EquationsOfMotion& equations, int row, double residual);

}  // namespace linkwork
