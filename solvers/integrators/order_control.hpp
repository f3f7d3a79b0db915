#pragma once

#include <linkwork/solvers/integrators/extrapolation_tableau.hpp>

#include <algorithm>
#include <array>

namespace linkwork {

/// Chooses the order and the step size of an extrapolation method, in the manner of ODEX (Hairer, Norsett, Wanner,
/// Solving Ordinary Differential Equations I, II.9): from the error of every line it predicts the step size that this
/// line would allow and the work per unit step, and takes the cheapest line. Lines are counted from 1.
class OrderControl {
 public:
  enum class Decision { next_line, accept, reject };
  /// What is tuned for each basic scheme; the names in brackets are those of ODEX.
  struct Constants {
    double error_target;      ///< of the predicted error (SAFE1)
    double smallest_factor;   ///< raised to 1 / the order of the error (FAC1)
    double largest_factor;    ///< (FAC2)
    double lower_line_gain;   ///< a lower line must be this much cheaper (FAC3)
    double higher_line_gain;  ///< a higher line is tried where the last one gained this much (FAC4)
  };

  /// @param sequence       of the basic scheme; outlives this object
  /// @param maximum_lines  3 to 13
  /// @param tolerance      relative tolerance, for the order of the first step
  OrderControl(const StepSequence& sequence, int maximum_lines, double tolerance);

  /// Begins an attempt with step size `step`. `tentative`: the first step, or one shortened to end at a given time;
  /// it may be accepted from the third line on.
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
  /// One line more may be computed where the target has not converged.
  int highest_target() const { return std::max(least_lines_, maximum_ - 1); }
  int best_line_near(int line) const;
  /// The step size that a line would allow, and its work, from its (measured or expected) error at the present step.
  void predict(int line, double error);
  /// Error expected in a line that is not computed yet: the errors fall as fast as they did in the last line, at least
  /// by (n_line / n_1)^power.
  double expected_error(int line) const;

  /// The order of the error estimate of a line in the step size.
  double error_order(int line) const { return sequence_->power * (line - 1) + 1; }

  /// A step has at least three: a force that sets in near its end lets two lines agree by chance.
  static constexpr int least_lines_ = 3;

  const StepSequence* sequence_;
  Constants constants_;
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
