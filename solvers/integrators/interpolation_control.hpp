#pragma once

// Internal: the test of what radau interpolates.

#include <linkwork/solvers/dae/error_weights.hpp>
#include <linkwork/solvers/dae/motion_residual.hpp>
#include <linkwork/solvers/integrators/collocation_polynomial.hpp>
#include <linkwork/solvers/integrators/radau_interpolation.hpp>
#include <linkwork/solvers/newton/stage_system.hpp>

#include <Eigen/Core>
#include <cstdint>

namespace linkwork {

/// Looks at one point inside of steps at how far the equations change what is interpolated there. Where shorter steps
/// do not make that smaller, it is no error of the interpolation, and the next steps are not looked at: few behind the
/// edge of a law, twice as many each time where it is in vain again.
class InterpolationControl {
 public:
  /// @param is_in_rounding  at the tolerance of the run what is changed is rounding, which stays
  explicit InterpolationControl(bool is_in_rounding);

  /// Serves this system from now on. What is known of the steps before stays.
  void serve(MotionResidual& equations, RadauInterpolation& interpolation);
  /// A new run, or a restart after an event.
  void begin_run();
  /// Of one step.
  void begin_attempts();
  /// Whether the step is to be looked at.
  bool is_due() const { return steps_not_seen_ == 0; }

  /// Evaluates the equations inside an attempt.
  /// @param start, end    of a step of size h
  /// @param collocation   of the same step
  void look(const RadauInterpolation::End& start, const RadauInterpolation::End& end, double h,
            const CollocationPolynomial& collocation, StageSystem& system);
  /// What the equations change most of all positions, velocities and states.
  struct Change {
    double tolerances = 0;
    int unknown = -1;
    double amount = 0;
  };
  /// At the point that was looked at, by the matrix at hand.
  Change largest_change(StageSystem& system, const ErrorWeights& weights);

  /// After an attempt that is rejected by an error found so: whether a shorter one may have a smaller one. If not, the
  /// attempt passes, and some steps are not looked at.
  bool shorter_steps_help(double error, double h);
  /// The first attempt of this step that was rejected so: cuts that were in vain are taken back.
  double step_before_cuts() const { return step_before_cuts_; }
  /// The step that is accepted passed where it was due.
  void pass();
  void accept_step();

  /// Of the present system.
  std::int64_t evaluations() const { return evaluations_; }

 private:
  MotionResidual* equations_ = nullptr;
  RadauInterpolation* interpolation_ = nullptr;
  Eigen::VectorXd y_, y_rate_, F_, change_;
  std::int64_t evaluations_ = 0;

  double error_before_ = 0;      // of the last attempt of this step that was rejected; 0: none was
  double step_before_cuts_ = 0;  // [s]
  int in_vain_ = 0;              // attempts of this step after which the error was no smaller
  // For so many steps their ends are all that is controlled, and for how many after the next time that it is in vain.
  int steps_not_seen_ = 0, steps_not_seen_next_ = 0, least_steps_not_seen_;
};

}  // namespace linkwork
