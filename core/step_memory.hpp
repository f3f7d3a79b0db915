#pragma once

#include <Eigen/Core>

namespace linkwork {

/// What equations hold as long as a step lasts and is no part of a State: what elements remember (friction signs,
/// turns, choices of rows), where the search for eliminated unknowns starts. Equations of motion that remember anything
/// (EquationsOfMotion::remember) implement this beside it: what was remembered is kept with the solution, so that a
/// state can be evaluated again when the run has gone on.
class StepMemory {
 public:
  virtual ~StepMemory() = default;
  /// Plain numbers, of a size that does not change, whose meaning is the equations' own.
  virtual Eigen::VectorXd memory() const = 0;
  /// Puts back what memory() gave, and makes stale what depends on it.
  virtual void recall(const Eigen::VectorXd& memory) = 0;
};

}  // namespace linkwork
