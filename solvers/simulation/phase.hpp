#pragma once

#include <linkwork/core/equations_of_motion.hpp>

#include <chrono>

namespace linkwork {

EvaluationCounters operator+(const EvaluationCounters& a, const EvaluationCounters& b);
EvaluationCounters operator-(const EvaluationCounters& a, const EvaluationCounters& b);

/// What a phase of a run has cost so far.
struct Phase {
  EvaluationCounters evaluations;
  double seconds = 0;  ///< wall time
};

/// Adds what is spent during its life to a phase, also when it is left by an exception.
class InPhase {
 public:
  using Clock = std::chrono::steady_clock;
  InPhase(Phase& phase, const EquationsOfMotion& equations)
      : phase_(phase), equations_(equations), before_(equations.counters()), start_(Clock::now()) {}
  ~InPhase() {
    phase_.evaluations = phase_.evaluations + (equations_.counters() - before_);
    phase_.seconds += std::chrono::duration<double>(Clock::now() - start_).count();
  }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  Phase& phase_;
  const EquationsOfMotion& equations_;
  EvaluationCounters before_;
  Clock::time_point start_;
};

}  // namespace linkwork
