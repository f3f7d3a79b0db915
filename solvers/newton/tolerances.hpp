#pragma once

#include <linkwork/core/state.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

/// Tolerances of single components; an empty list means that the scalars hold for the group.
struct ComponentTolerances {
  std::vector<double> p_rtol, p_atol, v_rtol, v_atol, r_rtol, r_atol;
};

/// How exact a solution has to be: errors of p, v and r are measured in rtol |y| + atol (MEXX 2.8b). The options of
/// every integrator have these three as members of their own and hand them on as one value.
struct Tolerances {
  double rtol = 1e-6, atol = 1e-6;      ///< below 1, and one of them not below rounding (2.2e-16); rtol is that or 0
  ComponentTolerances components = {};  ///< override the scalars

  /// "" when usable, else the reason.
  std::string why_invalid() const;
  /// Whether the components' lists fit a system.
  /// @param options  name of the options that they stand in, for the messages
  /// @throws ModelError for a list of another size, and for a component whose tolerances are both 0
  void expect_fit(const Dimensions& dimensions, std::string_view options) const;
};

}  // namespace linkwork
