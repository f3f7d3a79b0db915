#pragma once

#include <linkwork/solvers/events.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>
#include <linkwork/solvers/linear/linear_solver.hpp>
#include <linkwork/solvers/newton/error_weights.hpp>
#include <linkwork/solvers/newton/projection.hpp>
#include <linkwork/solvers/newton/solution_manifold.hpp>
#include <linkwork/solvers/phase.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {

/// States inside the last accepted step, from its dense output.
class StepInterior {
 public:
  /// @param tolerances       those of the projection, so that an event's state is as consistent as an accepted one
  /// @param with_invariants  whether accepted states are on the solution invariants
  StepInterior(EquationsOfMotion& equations, LinearSolver& solver, Integrator& integrator, Tolerances tolerances,
               bool with_invariants)
      : equations_(equations),
        integrator_(integrator),
        projection_(equations, solver),
        manifold_(equations, solver, projection_, with_invariants),
        tolerances_(std::move(tolerances)) {}

  const State& begin() const { return integrator_.previous_state(); }
  const State& end() const { return integrator_.state(); }
  /// Interpolated, quaternions of unit length. The reference is valid until the next call.
  const State& interpolated(double t);
  /// As consistent as an accepted state: projected onto the constraints (MEXX 2.11, 2.12), and on the solution
  /// invariants where these are kept; a and lambda are the interpolated ones. @throws RunError if that fails
  const State& settled(double t);
  /// Projects p and v of any state.
  /// @throws RunError if the projection fails
  void project(State& state);
  /// Of the last step; see Integrator::dense.
  const DensePolynomial& dense(bool all);
  /// What making dense output has cost so far.
  const Phase& dense_phase() const { return dense_phase_; }

 private:
  void expect_projected(const Outcome& outcome, double t) const;
  void find_auxiliary(State& state);  // at the equations' position and velocity

  EquationsOfMotion& equations_;
  Integrator& integrator_;
  Projection projection_;
  SolutionManifold manifold_;
  Tolerances tolerances_;
  ErrorWeights weights_;
  State state_;
  Phase dense_phase_;
};

/// An interval at whose ends a function has values of opposite sign.
struct Bracket {
  double left = 0, right = 0, f_left = 0, f_right = 0;
};

/// A zero inside a bracket: damped Newton iteration with the slope through the last two points. Where a step would
/// leave the bracket, or the last one did not halve the value, the bracket is halved instead; so the zero is never
/// lost.
/// @param guess      first point; one outside of the bracket is replaced by the zero of the chord
/// @param slope      of the function at the guess, renewed from the second point on; on return the last one used
/// @param tolerance  on the result, > 0
double find_zero(const std::function<double(double)>& function, Bracket bracket, double guess, double& slope,
                 double tolerance);

/// Watches the sign of one function from step to step and finds its zeros.
class Watch {
 public:
  /// Value at a state; not finite is refused with the name.
  using Function = std::function<double(const State&)>;
  Watch(std::string name, Function function, Event::Direction direction, double threshold, int checking_points)
      : name_(std::move(name)),
        function_(std::move(function)),
        direction_(direction),
        threshold_(threshold),
        checking_points_(checking_points) {}

  const std::string& name() const { return name_; }
  /// Forgets the sign. At a `triggered` restart the function is taken to be zero, whatever rounding left of it, unless
  /// the effect changed it.
  void restart(bool triggered);
  /// Adds the times of the zeros in the last step to `zeros`, ascending, with the right direction only.
  void find_zeros(StepInterior& step, std::vector<double>& zeros);

 private:
  struct Sample {
    double t, value;
  };
  double value(const State& state) const;
  int sign(double value) const { return value > threshold_ ? 1 : (value < -threshold_ ? -1 : 0); }
  bool wanted(int sign_before) const;
  void take_samples(StepInterior& step);
  double locate(StepInterior& step, const Sample& left, const Sample& right);

  std::string name_;
  Function function_;
  Event::Direction direction_;
  double threshold_;
  int checking_points_;

  enum class Start { unknown, at_zero, triggered, known } start_ = Start::unknown;
  int sign_ = 0;           // of the last value that had one
  double last_value_ = 0;  // at the end of the last step, where start_ is not unknown
  double size_ = 0;        // largest value in the last step
  double rounding_ = 0;    // of the function at the last zero, by that of the time
  std::vector<Sample> samples_;
};

/// Recognises infinitely many restarts in a finite time.
class RestartMonitor {
 public:
  /// Notes a restart at t. Returns "" or why the run can't go on: intervals that shrink without end (a bouncing ball
  /// that comes to rest), or many restarts without progress in time. One short interval is no sign of either.
  std::string note(double t);

 private:
  bool first_ = true;
  double last_time_ = 0, last_interval_ = 0, first_interval_ = 0;
  int shrunk_ = 0, without_progress_ = 0;  // in a row
};

}  // namespace linkwork
