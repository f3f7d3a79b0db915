#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/initial_values/initial_conditions.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// Values to start from, and how far constraints and conditions determine them.
struct InitialValues {
  State state;              ///< all of p, v, r, w, s, a and lambda
  bool consistent = false;  ///< whether it satisfies all constraints, hidden ones included, and all conditions
  std::string reason;       ///< why not, by names of elements and conditions

  /// Under-determined: so many positions, and velocities or states of force elements, are decided by the guesses alone.
  /// Redundant constraints do not count.
  int free_positions = 0, free_velocities = 0;
  std::vector<std::string> decided_by_guesses;  ///< as many names of values that can be chosen independently
  /// Over-determined: conditions that follow from constraints and other conditions, one sentence for each.
  std::vector<std::string> redundant_conditions;

  double position_change = 0, velocity_change = 0;  ///< largest change of a component from the initial values
  std::string position_name, velocity_name;         ///< which component that is

  /// All of this for a person, one finding per sentence.
  std::vector<std::string> sentences() const;
};

/// Velocities of the largest system that values are searched for in.
constexpr int largest_initial_value_problem = 1500;

/// Solves all algebraic equations of the start together: g = 0, G v + offset = 0, the accelerations' level with M v',
/// lambda, w and s, quaternion norms, solution invariants with given levels, and the conditions. What they leave open
/// stays as near as it can to the guess, in the metric of the bodies (see InitialConditions). A guess that is the
/// equations' own initial_state() stands for the bodies as they were placed and moved, which joint coordinates may not
/// be able to say. Positions only move for velocities' sake where no velocities satisfy conditions on these.
/// Ranks decide what counts, so that redundant constraints are no contradiction. The equations are left at the values,
/// with the elements' memory renewed. Dense: for up to 1500 velocities; the cube of that per iteration.
/// @param guess  t is the time of the start
/// @return  with `consistent` false and the reason: constraints that can't be closed near the guess, conditions that
///          contradict each other or constraints, a start that is not determined where that is expected
/// @throws ModelError for an unknown name, for conditions on quantities of another model, for too large a system, for a
/// quaternion of norm 0; RecoverableFailure where no point that is tried can be evaluated
InitialValues find_initial_values(EquationsOfMotion& equations, const State& guess,
                                  const InitialConditions& conditions = {});

/// Whether a state is consistent; nothing is changed. Positions, velocities and conditions are looked at and, where the
/// state has accelerations or multipliers, these. Errors up to 1e-9 times the size of the values are none. Names the
/// worst violation of each level, and every condition that is violated. Free values are not counted.
/// @throws ModelError for an unknown name
InitialValues check_initial_values(EquationsOfMotion& equations, const State& state,
                                   const InitialConditions& conditions = {});

}  // namespace linkwork
