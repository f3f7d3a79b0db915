#pragma once

// Internal: the algebraic equations of a start and the conditions of a user, solved together with least change.

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/formulations/body_metric.hpp>
#include <linkwork/solvers/initial_values/start_conditions.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

namespace linkwork {

/// Which values are looked for, and by which equations: of positions, of velocities (with the states of force
/// elements), or all together.
enum class StartLevel { positions, velocities, all };

/// to - from, of positions: without full turns, and of quaternions with the nearer sign.
Eigen::VectorXd difference_without_turns(const EquationsOfMotion& equations, const Eigen::VectorXd& from,
                                         const Eigen::VectorXd& to);

/// The equations of a start. Unknowns y are tangent steps in metres: turns count by the characteristic length, and so
/// do angular velocities and rows that measure angles. Where elements have contact coordinates s, these go along.
///
/// The solution that is nearest to the guess is so in the bodies' metric (BodyMetric), which is the same in all
/// formulations: from where the bodies were placed and how they were moved, if the guess is the equations' own initial
/// state, else from where the guess puts them. Equations without bodies go by their coordinates.
class Consistency {
 public:
  /// Begins at a guess, from which the change is least; the elements' memory begins anew there.
  /// @throws ModelError for a quaternion of norm 0
  Consistency(EquationsOfMotion& equations, const State& guess);

  EquationsOfMotion& equations() { return equations_; }
  const State& guess() const { return guess_; }
  /// From where positions or velocities are to change least from now on.
  void set_guess(const State& guess);
  double length() const { return length_; }
  /// What a unit of each entry of p counts in metres.
  const Eigen::VectorXd& position_weights() const { return position_weights_; }

  /// Violation of a condition, in its own unit.
  double violation(const StartCondition& condition, const State& x);

  /// What is solved from now on.
  void choose(StartLevel level, ChosenConditions conditions);
  const ChosenConditions& conditions() const { return conditions_; }
  /// Whether positions are among the unknowns.
  bool has_positions() const { return level_ != StartLevel::velocities; }
  int unknowns() const;
  /// Of the residual: the rows of constraints come before the conditions.
  int constraint_rows() const;

  /// Constraints [m, m/s], then conditions, turns times the length. @throws RecoverableFailure
  Eigen::VectorXd residual(const State& x);
  Eigen::MatrixXd jacobian(const State& x);
  /// The same with conditions scaled to size 1, for ranks.
  Eigen::MatrixXd scaled_jacobian(const State& x);
  State moved(const State& x, const Eigen::VectorXd& y);
  /// The entry of p that an unknown of positions changes most.
  int position_of(int unknown, const State& x);
  /// Name of an unknown: a position at the level of positions, else a velocity or state.
  std::string unknown_name(int i, const State& x);

  /// What residuals are measured by, turns counting by the characteristic length: that length, or the largest entry of
  /// the positions [m]; of rates also the largest term of the velocity constraints [m/s].
  double position_size(const State& x) const;
  double speed_size(const State& x);
  /// Whether all chosen equations hold: constraints to 1e-10 times these sizes, conditions to 1e-9 times the size of
  /// their value, or of the characteristic length where they measure one.
  bool holds(const State& x);
  bool holds(const StartCondition& condition, const State& x);

  /// Brings x to where the chosen equations hold, from x itself and, where that fails, from other points around it.
  /// Returns whether they do.
  bool solve(State& x, unsigned attempts = 6);
  /// Brings x to where the chosen equations hold best, guesses far behind all others.
  /// @param with_constraints  false: without those
  void minimise_violation(State& x, bool with_constraints);
  /// Newton's method with steps of least norm, which lets redundant rows be; x stays where they do not help.
  void refine(State& x);
  /// A point around x, at a normally distributed distance of `size` [rad, and in characteristic lengths].
  State disturbed(const State& x, double size, unsigned seed);

  /// Takes out of x the full turns from `near` without which all chosen equations hold as well: those of a screw stay.
  /// @return whether there were any
  bool take_nearest_turns(const State& near, State& x);

  /// Slides x, at which the equations hold, along their solutions to where the change from the guess is least, full
  /// turns left out.
  void approach_guess(State& x);
  /// Weighted difference from the guess, in coordinates.
  Eigen::VectorXd change(const State& x) const;

  /// Rows of the residual that hold each other where weights of rows are in balance: those with at least a thousandth
  /// of the largest share.
  std::vector<int> rows_in_balance(const Eigen::VectorXd& balance) const;
  /// "the constraints of A, B and condition 'C = 1 m'" of rows of the residual, without one of the conditions.
  std::string named(const std::vector<int>& rows, const StartCondition* without) const;
  /// Which constraints do not hold where `solve` left x, and by how much.
  std::string why_unclosed(const State& x);

  /// The elements' memory begins anew at a state.
  void restart_at(const State& x);
  /// Accelerations and multipliers of a state.
  Outcome accelerate(State& x);

 private:
  class Problem;
  void find_position_weights();
  void find_velocity_scales();
  /// What is least at the nearest solution: the squared norm, and its derivative by the unknowns.
  Eigen::VectorXd distance(const State& x);
  Eigen::MatrixXd distance_by_unknowns(const State& x);
  void slide_to_guess(State& x);
  /// @param left  distance from the guess; renewed
  /// @return whether x came nearer
  bool shorten_change(State& x, double& left, Eigen::VectorXd& step, double slope);
  bool constraints_hold(const State& x);
  /// How much rows of the residual count: nothing for constraints that are left out.
  Eigen::VectorXd weights(bool with_constraints) const;
  bool has_velocities() const { return level_ != StartLevel::positions; }
  void add_velocity_rows_by_position(const State& x, Eigen::MatrixXd& J);
  void add_conditions(const State& x, Eigen::MatrixXd& J);
  Eigen::MatrixXd change_by_unknowns(const State& x);

  EquationsOfMotion& equations_;
  std::unique_ptr<LinearSolver> solver_;  // of accelerations, when they are needed
  State guess_;
  std::unique_ptr<BodyMetric> bodies_;  // none: coordinates are the metric
  BodyMetric::Place near_;
  double length_;
  Eigen::VectorXd row_scales_;        // of all constraint rows
  Eigen::VectorXd velocity_scales_;   // unknowns are tangent steps times these
  Eigen::VectorXd position_weights_;  // of differences of p
  StartLevel level_ = StartLevel::positions;
  ChosenConditions conditions_;
};

}  // namespace linkwork
