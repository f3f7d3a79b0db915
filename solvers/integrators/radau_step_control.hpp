#pragma once

namespace linkwork {

enum class StepControl {
  predictive,  ///< by the errors of two steps (Gustafsson): fewer rejections where the step must shrink
  classical    ///< by the error of the last step
};

struct StepControlOptions {
  StepControl control = StepControl::predictive;
  double safety = 0.9;                             ///< factor of every step that is proposed
  double smallest_ratio = 0.2, largest_ratio = 8;  ///< of a step to the one before
};

/// Sizes of steps of an implicit method whose error estimate is of order 3 (GEOMS 3, step size control).
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996), IV.8 (8.21) to (8.25).
class RadauStepControl {
 public:
  explicit RadauStepControl(const StepControlOptions& options) : options_(options) {}

  /// No step has been accepted yet.
  void restart() { error_before_ = 0; }
  /// The next step after one of size h with an error in units of the tolerance.
  /// @param iterations  of Newton, and the most that are allowed: many of them make the next step more careful
  double after_accepted(double h, double error, int iterations, int most_iterations);
  double after_rejected(double h, double error, int iterations, int most_iterations) const;

 private:
  /// h / next step by the error alone.
  double quotient(double error, int iterations, int most_iterations) const;

  StepControlOptions options_;
  double h_before_ = 0, error_before_ = 0;
};

}  // namespace linkwork
