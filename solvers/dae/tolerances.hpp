#pragma once

#include <linkwork/core/state.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

class EquationsOfMotion;

/// Tolerances of single components; an empty list means that the scalars hold for the group.
struct ComponentTolerances {
  std::vector<double> p_rtol = {}, p_atol = {}, v_rtol = {}, v_atol = {}, r_rtol = {}, r_atol = {};
};

/// How exact a solution has to be: errors of p, v and r are measured in rtol |y| + atol (MEXX 2.8b). The options of
/// every integrator have these four as members of their own and hand them on as one value.
///
/// It is the error of one step that is held to this; errors of steps add up, and grow as the motion itself makes them
/// grow. Measured over whole runs of eight models, tolerances 1e-3 to 1e-10, in units of the tolerance (median, worst):
/// extrapolation 5 to 17, 1e3; radau 1 to 60, 8e2; bdf 30 to 140, 1.5e4, as its error is that of many short steps. For
/// an error of 1e-4 take 1e-5 with extrapolation and radau and 1e-6 with bdf, for one of 1e-6 take 1e-7 and 1e-8; a
/// hundredth of that where nothing may be worse. The table: linkwork reproduce tolerances.
struct Tolerances {
  /// Below 1, and one of them not below rounding (2.2e-16); rtol is that or 0; with an atol_angle, atol is any length.
  double rtol = 1e-6, atol = 1e-6;
  /// Absolute tolerance of angles [rad], angular velocities [rad/s], quaternions, and of all p and v that are no
  /// lengths: equations of your own say theirs by position_measure and velocity_measure. atol is then that of
  /// lengths, their velocities and of the states r.
  std::optional<double> atol_angle = {};
  ComponentTolerances components = {};  ///< override the scalars

  /// "" when usable, else the reason.
  std::string why_invalid() const;
  /// Whether the components' lists fit a system.
  /// @param options  name of the options that they stand in, for the messages
  /// @throws ModelError for a list of another size, and for a component whose tolerances are both 0
  void expect_fit(const Dimensions& dimensions, std::string_view options) const;
  /// The same where there is no atol_angle, else with both as tolerances of the components of p and v that have none of
  /// their own.
  Tolerances by_component(const EquationsOfMotion& equations) const;
  /// What a ratio may be off: atol_angle, else atol, else rtol.
  double of_ratios() const;
};

/// All of them times a share.
Tolerances operator*(double share, Tolerances tolerances);

}  // namespace linkwork
