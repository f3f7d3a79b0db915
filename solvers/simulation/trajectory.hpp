#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>
#include <linkwork/solvers/linear/linear_solver_choice.hpp>
#include <linkwork/solvers/simulation/output.hpp>

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

class SolutionReader;

/// Which value at a jump: the one before it or the one after it.
enum class Side { left, right };

/// A step that an integrator tried.
struct StepAttempt {
  double t = 0, step = 0;  ///< where it begins, and how long it is [s]
  int order = 0;           ///< of the method, or the number of lines of its tableau
  bool accepted = false;
};

/// A zero of an event function, a switch of an element, or an observer's stop.
struct EventRecord {
  std::string name;
  double t = 0;  ///< [s]
};

/// One accepted step, or its part up to an event: the states at its ends and, where it was kept, the continuous
/// solution inside. The polynomial may reach beyond `end`. A segment of length zero holds the state after a jump at the
/// end of a run. These are the integrator's own numbers: accelerations and multipliers may be estimates, or not known
/// yet where a segment follows a jump. Trajectory::at gives those of the equations.
struct TrajectorySegment {
  State begin, end;
  std::optional<DensePolynomial> dense;
  /// What the equations remember during the step (StepMemory), and the applied force; null: as they are when asked.
  std::shared_ptr<const Eigen::VectorXd> memory = {};
};

/// The dense output of a segment as it is, at a time inside or at one of its ends; quaternions have unit length.
/// Components without dense output are NaN inside. w and s that the equations eliminate lie on the line between the
/// segment's ends, where a search for them may start. Nothing is projected or solved: see Trajectory::at.
/// @throws ModelError if the segment has no dense output and t is inside
State interpolate(const TrajectorySegment& segment, const EquationsOfMotion& equations, double t);

/// Points that were read and at which the equations gave no accelerations and multipliers, as at a singular position.
struct UnknownPoints {
  int count = 0;
  double first = 0;    ///< time of the first one [s]
  std::string reason;  ///< at the first one

  void note(double t, const std::string& why);
  /// For a person; "" where there are none.
  std::string sentence() const;
};

/// A quantity over time.
struct Series {
  std::string name;
  /// t ascends. At a jump, per_step and at_most give it twice, with the value before and after it, equidistant and
  /// given once, with the one before.
  std::vector<double> t, values;
  UnknownPoints unknown;  ///< values that need accelerations or multipliers are NaN there
};

/// The solution of a run: states at accepted steps, the continuous solution between them, and events. At the time of
/// an impact there are two values.
///
/// What is read keeps the promise of the run (see Simulation). Positions and velocities satisfy their constraints to
/// rounding anywhere in time, and are nearly as accurate as at the ends of steps. Accelerations, multipliers, w and s,
/// and all that is computed from them, are those of the equations for that state. Each point costs one augmented solve,
/// and
/// between steps two projections, so 2 to 5 percent of a step. States r and invariants are as accurate as the run; no
/// point is moved onto the invariants, as the ends of steps are with keep_invariants.
///
/// A plain value: a copy is cheap, stays as it is when the simulation runs again, and outlives it. Copies share the
/// equations with their simulation, and leave them as they were: they can be read by callbacks of a run that goes on,
/// but not by several threads at once, nor by functions of elements.
class Trajectory {
 public:
  Trajectory() = default;
  /// From parts, such as those read from a file.
  /// @param segments       ascending in time, each beginning where the one before it ends
  /// @param equations      of the model that was run
  /// @param linear_solver  that of the run: redundant rows then have the same multipliers
  /// @param attempts       see attempts()
  /// @throws ModelError if `equations` is null, sizes differ from its dimensions, or segments leave gaps
  Trajectory(std::vector<TrajectorySegment> segments, std::vector<EventRecord> events,
             std::shared_ptr<EquationsOfMotion> equations, LinearSolverChoice linear_solver = "auto",
             std::vector<StepAttempt> attempts = {});

  bool empty() const { return segments().empty(); }
  /// @throws ModelError if the trajectory is empty
  double t_begin() const;
  double t_end() const;
  /// The last state, with accelerations and multipliers from the equations; those of the integrator where these have
  /// none, which Simulation::summary says.
  const State& final_state() const;
  const std::vector<TrajectorySegment>& segments() const;
  const std::vector<EventRecord>& events() const;
  /// All steps that were tried, in their order, where the run kept its steps (SimulationOptions::keep_steps).
  const std::vector<StepAttempt>& attempts() const;
  /// The equations that were run, for names.
  /// @throws ModelError if the trajectory is empty
  const EquationsOfMotion& equations() const;
  /// That of the run.
  /// @throws ModelError if the trajectory is empty
  const LinearSolverChoice& linear_solver() const;

  /// The state at t, between t_begin and t_end but for rounding, if the run kept dense output or t is the end of a
  /// step. Where not all of p, v and r was selected for dense output, the selected components are the interpolated
  /// ones, and the others are NaN, inside of steps. Cost O(log(segments)) beside that of the point.
  /// @param side  at the ends of steps: the value from the left or from the right; they differ at jumps only
  /// @throws ModelError outside, or if the run kept no dense output and t is no step's end
  /// @throws RunError where the equations have no accelerations and multipliers: interpolate gives what is known
  State at(double t, Side side = Side::right) const;

  /// Calls with the states at points of the run, in the order of time, the equations being set to them. Accelerations
  /// and multipliers are NaN where the equations have none. At a jump per_step and at_most give both states, the other
  /// modes the one before it.
  /// @return points where accelerations and multipliers could not be found
  /// @throws ModelError for points outside of the run, and for the reasons of `at`; what the function throws
  UnknownPoints visit(const OutputPoints& points,
                      const std::function<void(const State&, EquationsOfMotion&)>& look) const;

  /// A quantity over the run by its name: an observable, a coordinate, what an element tells, or another column of
  /// write_csv. Without points: at the ends of all steps.
  /// @throws ModelError for an unknown name, listing the known ones, for points outside of the run, and for the reasons
  /// of `at`
  Series values(const std::string& name) const;
  Series values(const std::string& name, const OutputPoints& points) const;

  /// One row per sample at t_begin + k / samples_per_second: t, then positions, velocities, states, auxiliary
  /// variables, contact coordinates and observables by name, 17 digits. Only what dense output was selected for is
  /// written; observables, and w and s that the equations eliminate, need all of p, v and r. A name that an earlier
  /// column has gets its kind: x (observable). A sample at a jump has the value after it.
  /// What elements tell of themselves (see quantities_of_elements) stands in columns that are asked for: coordinates,
  /// velocities and reactions of joints in any formulation, lengths, loads and forces of others.
  /// @param columns  which ones, by patterns in which * stands for any text and ? for any character, such as
  ///                 "chassis: *" or "buffer: force"; each column once, in the order of the patterns; empty: all but
  ///                 those of elements
  /// @return points where accelerations and multipliers could not be found: observables that need them are NaN there
  /// @throws ModelError if the rate is not above zero, the file can't be written, no column fits a pattern, or for the
  /// reasons of `at`
  UnknownPoints write_csv(const std::string& file, double samples_per_second,
                          const std::vector<std::string>& columns = {}) const;
  UnknownPoints write_csv(std::ostream& out, double samples_per_second,
                          const std::vector<std::string>& columns = {}) const;

 private:
  friend class Simulation;
  struct Data;
  void require_content(const char* function) const;
  const TrajectorySegment& segment_at(double t, Side side) const;
  SolutionReader& reader() const;
  /// Calls with each point and its segment.
  template <class Read>
  void for_each_point(const OutputPoints& points, Read&& read) const;
  // For the run that makes it.
  /// What copies share is copied first.
  Data& own();
  void append(EventRecord event);
  void append(TrajectorySegment segment);
  void append(const StepAttempt& attempt);
  void clear_segments();
  TrajectorySegment& last_segment();

  std::shared_ptr<Data> data_;  // null: empty
};

}  // namespace linkwork
