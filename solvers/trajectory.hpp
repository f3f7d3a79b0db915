#pragma once

#include <linkwork/core/equations_of_motion.hpp>
#include <linkwork/solvers/integrators/dense_polynomial.hpp>

#include <string>
#include <vector>

namespace linkwork {

/// Which value at a jump: the one before it or the one after it.
enum class Side { left, right };

/// A zero of an event function, or an observer's stop.
struct EventRecord {
  std::string name;
  double t = 0;
};

/// One accepted step: the state at its end and, where asked for, the continuous solution inside.
struct TrajectorySegment {
  State begin, end;
  std::optional<DensePolynomial> dense;
};

/// The solution of a run: states at accepted steps, the continuous solution between them, and events. At the time of
/// an impact there are two values.
class Trajectory {
 public:
  bool empty() const { return segments_.empty(); }
  double t_begin() const;
  double t_end() const;
  const std::vector<TrajectorySegment>& segments() const { return segments_; }
  const std::vector<EventRecord>& events() const { return events_; }

  /// State at t, between t_begin and t_end; interpolated and with unit quaternions, if the run kept dense output.
  /// @throws ModelError outside, or if the run kept no dense output and t is no step's end
  State at(double t, Side side = Side::right) const;

  /// One row per sample: t, then positions, velocities, states and observables by name.
  void write_csv(const std::string& file, double samples_per_second) const;

 private:
  friend class Simulation;
  std::vector<TrajectorySegment> segments_;
  std::vector<EventRecord> events_;
  std::shared_ptr<EquationsOfMotion> equations_;
};

}  // namespace linkwork
