#pragma once

// Internal: conditions of a start whose quantities are known.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/initial_values/initial_conditions.hpp>

#include <functional>
#include <string>
#include <vector>

namespace linkwork {

/// A condition: quantity(state) = value.
struct StartCondition {
  std::string name = {}, unit = {};
  std::function<double(const State&, EquationsOfMotion&)> quantity = {};
  double value = 0;
  bool is_function = false;  ///< the quantity is a residual, not something to be measured
  double period = 0;
  bool is_guess = false;             ///< need not hold
  bool reads_motion = false;         ///< v or r, or what follows from them
  bool reads_accelerations = false;  ///< a, lambda or w, which follow from all else

  /// What a person reads: "'slider: x = 0.3 m'".
  std::string text() const;
};

using StartConditions = std::vector<StartCondition>;
using ChosenConditions = std::vector<const StartCondition*>;

/// An entry of p with its name and unit, as a condition.
StartCondition position_value(const EquationsOfMotion& equations, int i, double value);

/// Looks names up, takes the values that are not given from a state, and finds out what each condition reads, by
/// changing that.
/// @throws ModelError for a name that nothing has, and for values that the state does not give: of accelerations
StartConditions resolve(const std::vector<InitialConditions::Condition>& given, bool are_guesses, const State& guess,
                        EquationsOfMotion& equations);

/// Solution invariants that must have given levels; the equations are at any state. Levels that an earlier run holds
/// are released. None where one of the levels is not given: the equations then know none.
StartConditions given_invariants(EquationsOfMotion& equations);

/// Those that read velocities, or those that do not.
ChosenConditions chosen(const StartConditions& conditions, bool reads_motion);

}  // namespace linkwork
