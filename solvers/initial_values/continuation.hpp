#pragma once

// Internal: a start that is moved along the solutions of its equations.

#include <linkwork/solvers/initial_values/consistency.hpp>

#include <string>

namespace linkwork {

/// Moves the quantity of one condition, which comes last among those chosen, from what it is to the condition's value,
/// by small steps along the tangent and back to the equations, so that the branch is kept. Where branches cross, the
/// tangent is not unique, and the motion goes on in the direction that it had.
class Continuation {
 public:
  /// @param x        satisfies the equations of the level and of the conditions that go along
  /// @param quantity  its value is the target, its violation is measured without a period
  Continuation(Consistency& problem, StartLevel level, const ChosenConditions& along, StartCondition quantity, State x);

  /// @return whether the target was reached; else state() is at a dead point
  bool go();
  const State& state() const { return x_; }
  double reached() const { return reached_; }
  /// To 1e-8, which is what a search for a dead point is good for.
  std::string reached_text() const;
  /// "the constraints of A, B and condition 'C = 1 m'" that hold the quantity where it is; "" for none.
  std::string obstacle();

 private:
  bool advance(double next);
  Eigen::VectorXd tangent();
  bool reach(double next, const Eigen::VectorXd& step);
  bool arrive();

  Consistency& problem_;
  StartLevel level_;
  double target_, reached_ = 0;
  StartCondition quantity_;
  State x_;
  Eigen::VectorXd direction_;  // of the last step, by the quantity's change; empty before the first
};

}  // namespace linkwork
