#pragma once

#include <linkwork/core/equation_names.hpp>

#include <string>

namespace linkwork {

/// A residual of a row of the position constraints as a person reads it, "0.05 m" or "0.3 rad". Rows that measure
/// angles by tangents of their halves grow beyond bounds near half a turn: that is said then.
std::string residual_text(const EquationNames& equations, int row, double residual);
/// That of the velocity constraints, "0.05 m/s".
std::string rate_text(const EquationNames& equations, int row, double residual);

}  // namespace linkwork
