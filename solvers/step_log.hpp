#pragma once

#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace linkwork {

/// The step monitor (MEXX 4.2) as a CSV file, one row per attempted step:
///   t, step, accepted, order, error, position_projection, velocity_projection, projection_iterations, reason,
///   tableau_errors
/// Errors are scaled by the tolerances; those of the tableau's entries stand in one field, line by line, with spaces
/// between them. Times and steps in seconds.
class StepLog {
 public:
  /// @param file  "" for no log
  /// @throws ModelError if the file can't be opened
  explicit StepLog(const std::string& file);
  void write(const std::vector<StepRecord>& records);
  /// Fails if not everything could be written.
  Outcome close();

 private:
  std::string file_;
  std::ofstream out_;
};

}  // namespace linkwork
