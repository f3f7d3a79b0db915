#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

/// Which value at a jump: the one before it or the one after it.
enum class Side { left, right };

/// A zero of an event function, a switch of an element, or an observer's stop.
struct EventRecord {
  std::string name;
  double t = 0;  ///< [s]
};

/// One accepted step, or its part up to an event: the states at its ends and, where it was kept, the continuous
/// solution inside. The polynomial may reach beyond `end`. A segment of length zero holds the state after a jump at the
/// end of a run.
struct TrajectorySegment {
  State begin, end;
  std::optional<DensePolynomial> dense;
};

/// State at a time inside a segment, or at one of its ends; quaternions have unit length. Components without dense
/// output are NaN inside. w and s that the equations eliminate lie on the line between the segment's ends, where a
/// search for them may start.
/// @throws ModelError if the segment has no dense output and t is inside
State interpolate(const TrajectorySegment& segment, const EquationsOfMotion& equations, double t);

/// The solution of a run: states at accepted steps, the continuous solution between them, and events. At the time of
/// an impact there are two values. A plain value: it may be copied and outlives its simulation.
class Trajectory {
 public:
  Trajectory() = default;
  /// From parts, such as those read from a file.
  /// @param segments   ascending in time, each beginning where the one before it ends
  /// @param equations  of the model that was run: for unit quaternions, names and observables
  /// @throws ModelError if `equations` is null, sizes differ from its dimensions, or segments leave gaps
  Trajectory(std::vector<TrajectorySegment> segments, std::vector<EventRecord> events,
             std::shared_ptr<EquationsOfMotion> equations);

  bool empty() const { return segments_.empty(); }
  /// @throws ModelError if the trajectory is empty
  double t_begin() const;
  double t_end() const;
  /// The last state.
  const State& final_state() const;
  const std::vector<TrajectorySegment>& segments() const { return segments_; }
  const std::vector<EventRecord>& events() const { return events_; }

  /// State at t, between t_begin and t_end; interpolated and with unit quaternions, if the run kept dense output.
  /// Components that the run did not select for dense output are NaN inside a step. Cost O(log(segments) + state). w
  /// and s that the equations eliminate are solved for, in the simulation's equations: not while a run is going on;
  /// without all of dense output they are NaN.
  /// @param side  at the ends of steps: the value from the left or from the right; they differ at jumps only
  /// @throws ModelError outside, or if the run kept no dense output and t is no step's end
  State at(double t, Side side = Side::right) const;

  /// One row per sample at t_begin + k / samples_per_second: t, then positions, velocities, states, auxiliary
  /// variables, contact coordinates and observables by name, 17 digits. Observables are evaluated in the simulation's
  /// equations: not while a run is going on. Only what dense output was selected for is written; observables, and w and
  /// s that the equations eliminate, need all of it. A name that an earlier column has gets its kind: x (observable).
  /// @throws ModelError if the rate is not above zero, the file can't be written, or for the reasons of `at`
  void write_csv(const std::string& file, double samples_per_second) const;
  void write_csv(std::ostream& out, double samples_per_second) const;

 private:
  friend class Simulation;
  void require_content(const char* function) const;
  void solve_eliminated(const TrajectorySegment& segment, State& state) const;

  std::vector<TrajectorySegment> segments_;
  std::vector<EventRecord> events_;
  std::shared_ptr<EquationsOfMotion> equations_;
};

}  // namespace linkwork
