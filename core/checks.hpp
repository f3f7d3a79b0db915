#pragma once

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/core/handles.hpp>

#include <cmath>
#include <string_view>
#include <vector>

/// Checks of the arguments that elements are made of. `type` is the element's, `what` the argument's name, `advice`
/// what else to do, in brackets: " (a body without mass is a MasslessNode)".
namespace linkwork::detail {

[[noreturn]] inline void refuse(std::string_view type, const char* what, double value, const char* unit,
                                const char* expected, std::string_view advice) {
  throw ModelError(concat(type, ": ", what, " is ", value, " ", unit, "; give a finite value", expected, advice, "."));
}

/// @throws ModelError unless `value` is finite and > 0
inline void check_positive(std::string_view type, const char* what, double value, const char* unit,
                           std::string_view advice = "") {
  if (!(std::isfinite(value) && value > 0)) refuse(type, what, value, unit, " > 0", advice);
}

/// @throws ModelError unless `value` is finite and >= 0
inline void check_not_negative(std::string_view type, const char* what, double value, const char* unit,
                               std::string_view advice = "") {
  if (!(std::isfinite(value) && value >= 0)) refuse(type, what, value, unit, " >= 0", advice);
}

/// @throws ModelError unless `value` is finite and not zero
inline void check_not_zero(std::string_view type, const char* what, double value, const char* unit,
                           std::string_view advice = "") {
  if (!(std::isfinite(value) && value != 0)) refuse(type, what, value, unit, " other than zero", advice);
}

/// @throws ModelError unless `value` is finite
inline void check_finite(std::string_view type, const char* what, double value, const char* unit,
                         std::string_view advice = "") {
  if (!std::isfinite(value)) refuse(type, what, value, unit, "", advice);
}
template <class Derived>
void check_finite(std::string_view type, const char* what, const Eigen::MatrixBase<Derived>& value, const char* unit) {
  if (!value.allFinite())
    throw ModelError(concat(type, ": ", what, " is (", value.transpose(), ") ", unit, "; give finite values."));
}

/// @throws ModelError if `function` is empty
template <class Function>
void check_given(std::string_view type, const char* what, const Function& function) {
  if (!function)
    throw ModelError(concat(type, ": the function of its ", what, " is empty; give one that can be called."));
}

/// The two frames of an element between bodies.
/// @throws ModelError if they are on one body, where opposite wrenches do nothing
template <class Space>
std::vector<Frame<Space>> two_frames(std::string_view type, const Frame<Space>& first, const Frame<Space>& second) {
  if (first.body == second.body && first.model == second.model)
    throw ModelError(concat(type, ": both of its frames are on one body, so that the element does nothing; ",
                            "give frames of two bodies, or of a body and the ground."));
  return {first, second};
}

}  // namespace linkwork::detail
