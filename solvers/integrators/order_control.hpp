#pragma once

#include <array>

namespace linkwork {

/// Chooses the order and the step size of an extrapolation method with an expansion in powers of h, in the manner of
/// ODEX (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.9): from the error of every line it
/// predicts the step size that this line would allow and the work per unit step, and takes the cheapest line.
/// Lines are counted from 1.
class OrderControl {
 public:
  enum class Decision { next_line, accept, reject };

  /// @param maximum_lines  3 to 13
  /// @param tolerance      relative tolerance, for the order of the first step
  OrderControl(int maximum_lines, double tolerance);

  /// Begins an attempt with step size `step`. `tentative`: the first step, or one shortened to end at a given time;
  /// it may be accepted from any line on.
  void begin(double step, bool tentative);
  /// The scaled error of a line, 2 or higher; says how to go on.
  Decision judge(int line, double error);
  /// After `accept`: order and step size of the next step.
  void accept(int line);
  /// After `reject`: those of the next attempt.
  void reject(int line);
  /// The attempt broke down before an error was known, or its errors grow: take a smaller step.
  void shrink();

  double step() const { return step_; }
  int target_line() const { return target_; }

 private:
  double step_for(int line) const { return allowed_step_[static_cast<std::size_t>(line)]; }
  double work(int line) const { return work_[static_cast<std::size_t>(line)]; }
  double cost(int line) const { return cost_[static_cast<std::size_t>(line)]; }
  int best_line_near(int line) const;
  /// The step size that a line would allow, and its work, from its (measured or expected) error at the present step.
  void predict(int line, double error);
  /// Error expected in a line that is not computed yet: the errors fall as fast as they did in the last line, at least
  /// by n_line / n_1.
  double expected_error(int line) const;

  int maximum_;
  int target_;
  double step_ = 0;
  bool tentative_ = true;
  bool rejected_ = false;
  double largest_error_ = 0, last_error_ = 0, previous_error_ = 0;
  int last_line_ = 2;
  std::array<double, 15> cost_{};  ///< evaluations up to and including a line
  std::array<double, 15> allowed_step_{};
  std::array<double, 15> work_{};  ///< evaluations per unit step
};

}  // namespace linkwork
