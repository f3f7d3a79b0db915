#pragma once

// What elements use beyond their declarations, found by moving what they claim not to use. Not public.

#include <linkwork/core/constraint.hpp>
#include <linkwork/core/force_element.hpp>

#include <string>
#include <vector>

namespace linkwork::detail {

/// The numbers that one element is evaluated with.
template <class Space>
struct ElementPoint {
  Instant time = 0.0;
  std::vector<FrameMotion<Space>> frames;
  std::vector<double> states, memory, auxiliary, contacts;
  std::vector<Wrench<Space>> reactions;

  Motion<Space> motion() const {
    return Motion<Space>(time, frames.data(), states.data(), memory.data(), reactions.data(), auxiliary.data(),
                         contacts.data());
  }
};

/// A use that a declaration leaves out.
struct UndeclaredUse {
  std::string what;         ///< "reads the rotation of frame 0"
  std::string evidence;     ///< "its wrench changes by 0.02"
  const char* declaration;  ///< the function that should say it: "use"
  double size = 0;          ///< of the change
};

/// By how much parts of a point are moved [m, rad, m/s, rad/s], states and unknowns relative to max(1, size).
inline constexpr double shift_of_use = 0.01;

/// @param frames  their names, by frame; "" for one on the ground, whose motion nobody asks for
std::vector<UndeclaredUse> undeclared_uses(const ForceElement<Planar>& force, ElementPoint<Planar> at,
                                           const std::vector<std::string>& frames);
std::vector<UndeclaredUse> undeclared_uses(const ForceElement<Spatial>& force, ElementPoint<Spatial> at,
                                           const std::vector<std::string>& frames);
/// The frames of constraints with contact points are used wholly (see RowUse), so that only is_invariant() is tried.
std::vector<UndeclaredUse> undeclared_uses(const Constraint<Planar>& constraint, ElementPoint<Planar> at,
                                           const std::vector<std::string>& frames);
std::vector<UndeclaredUse> undeclared_uses(const Constraint<Spatial>& constraint, ElementPoint<Spatial> at,
                                           const std::vector<std::string>& frames);

}  // namespace linkwork::detail
