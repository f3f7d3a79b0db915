#pragma once

#include <linkwork/core/pose.hpp>
#include <linkwork/core/state.hpp>
#include <linkwork/solvers/analyses/quantities.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {

class EquationsOfMotion;

/// What a user knows about the start beside the constraints. Conditions are equations; they beat a guess, also a
/// consistent one. Guesses say from where, and towards where, a solution is looked for. All else stays as near as it
/// can to the initial values of the model, which means the same in all formulations: positions by the sum of squares of
/// the displacements of the bodies' centres of mass and of their rotations times the characteristic length, velocities
/// by the kinetic energy of their change. What no mass sees is told by metres and radians (see
/// solvers/body_metric.hpp).
///
///   InitialConditions start;
///   start.fix(joint_coordinate(crank_bearing), 0.5).fix(velocity_of(slider.origin(), 0), 3);
///   start.require("turns as fast as it slides", [](const State& state, EquationsOfMotion&) { return ...; });
///   simulation.set_initial_conditions(start);
///
/// Names are those of observables, positions, velocities and states of force elements, as reports give them, and in
/// every formulation those of joint coordinates, "main bearing: coordinate 1" or "main bearing: velocity 1". They are
/// looked up in this order when values are searched for.
class InitialConditions {
 public:
  /// A number that a state has, in the equations' own unknowns: p, v, r, and what follows from them.
  using Function = std::function<double(const State& state, EquationsOfMotion& equations)>;

  struct Condition {
    std::string name = {}, unit = {};
    Function quantity = {};    ///< empty: what has this name
    double value = 0;          ///< that the quantity must have
    bool as_guessed = false;   ///< the value is that of the initial values
    bool is_function = false;  ///< of `require`: the quantity is a residual
    double period = 0;         ///< values that differ by it are one; 0: none
  };

  /// Fixes what has this name at its value among the initial values, or at one [SI], which reactions always need.
  /// @throws ModelError for an empty name, or a value that is not finite
  InitialConditions& fix(const std::string& name);
  InitialConditions& fix(const std::string& name, double value);
  /// Fixes a quantity.
  template <class Space>
  InitialConditions& fix(const Quantity<Space>& quantity, double value) {
    return add_condition(measured(quantity, value));
  }
  /// Fixes the pose of a frame in the ground: as many conditions as a body has freedoms, the components of the
  /// logarithm of what leads from the one pose to the other, in the axes of the former.
  template <class Space>
  InitialConditions& fix_pose(const Frame<Space>& frame, const Pose<Space>& pose);
  /// Fixes the velocity of a frame (ground axes).
  template <class Space>
  InitialConditions& fix_velocity(const Frame<Space>& frame, const Twist<Space>& velocity);
  /// A condition h = 0 between any values of the state; h of size 1 where it is violated much.
  /// @param name  for reports
  /// @throws ModelError for an empty name or function
  InitialConditions& require(const std::string& name, Function h);

  /// Guesses a value, in place of that among the initial values. Guesses that do not fit each other or the constraints
  /// are met as well as they can be together.
  /// @throws ModelError as fix
  InitialConditions& guess(const std::string& name, double value);
  template <class Space>
  InitialConditions& guess(const Quantity<Space>& quantity, double value) {
    return add_guess(measured(quantity, value));
  }

  /// Refuses starts that conditions and constraints do not determine: guesses then decide nothing but which of several
  /// solutions is taken.
  InitialConditions& expect_determined(bool expected = true) {
    expects_determined_ = expected;
    return *this;
  }

  const std::vector<Condition>& conditions() const { return conditions_; }
  const std::vector<Condition>& guesses() const { return guesses_; }
  bool expects_determined() const { return expects_determined_; }

 private:
  template <class Space>
  static Condition measured(const Quantity<Space>& quantity, double value) {
    return {quantity.name,
            quantity.unit,
            [function = quantity.value](const State& state, EquationsOfMotion& equations) {
              return measure(equations, state, function);
            },
            value,
            false,
            false,
            quantity.period};
  }
  InitialConditions& add_condition(Condition condition);
  InitialConditions& add_guess(Condition condition);

  std::vector<Condition> conditions_, guesses_;
  bool expects_determined_ = false;
};

extern template InitialConditions& InitialConditions::fix_pose(const Frame<Planar>&, const Pose<Planar>&);
extern template InitialConditions& InitialConditions::fix_pose(const Frame<Spatial>&, const Pose<Spatial>&);
extern template InitialConditions& InitialConditions::fix_velocity(const Frame<Planar>&, const Twist<Planar>&);
extern template InitialConditions& InitialConditions::fix_velocity(const Frame<Spatial>&, const Twist<Spatial>&);

}  // namespace linkwork
