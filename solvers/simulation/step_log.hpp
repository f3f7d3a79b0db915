#pragma once

#include <linkwork/core/atomic_file.hpp>
#include <linkwork/core/errors.hpp>
#include <linkwork/solvers/integrators/integrator.hpp>

#include <optional>
#include <string>
#include <vector>

namespace linkwork {

/// The step monitor (MEXX 4.2) as a CSV file, one row per attempted step:
///   t, step, accepted, order, error, position_projection, velocity_projection, projection_iterations, reason,
///   tableau_errors
/// Errors are scaled by the tolerances; those of the tableau's entries stand in one field, line by line, with spaces
/// between them. Times and steps in seconds.
/// The file is written beside an older one and replaces it at the end of the run; where that fails, once there is a
/// row.
class StepLog {
 public:
  /// @param file  "" for no log
  /// @throws ModelError if the file can't be written
  explicit StepLog(const std::string& file);
  ~StepLog();
  StepLog(const StepLog&) = delete;
  StepLog& operator=(const StepLog&) = delete;

  void write(const std::vector<StepRecord>& records);
  /// Fails if not everything could be written.
  Outcome close();

 private:
  std::optional<AtomicFile> file_;
  bool has_rows_ = false;
};

}  // namespace linkwork
