#include <linkwork/solvers/step_log.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <limits>

namespace linkwork {

StepLog::StepLog(const std::string& file) : file_(file) {
  if (file.empty()) return;
  out_.open(file);
  if (!out_) throw ModelError(concat("step log: can't open '", file, "' for writing; check the path."));
  out_.precision(std::numeric_limits<double>::max_digits10);
  out_ << "t,step,accepted,order,error,position_projection,velocity_projection,projection_iterations,reason,"
          "tableau_errors\n";
}

void StepLog::write(const std::vector<StepRecord>& records) {
  if (!out_.is_open()) return;
  for (const StepRecord& record : records) {
    std::string reason = record.reason;
    std::replace(reason.begin(), reason.end(), '"', '\'');
    out_ << record.t << ',' << record.step << ',' << record.accepted << ',' << record.order << ',' << record.error
         << ',' << record.position_projection << ',' << record.velocity_projection << ','
         << record.projection_iterations << ",\"" << reason << "\",";
    const char* separator = "";
    for (double error : record.tableau_errors) {
      out_ << separator << error;
      separator = " ";
    }
    out_ << '\n';
  }
}

Outcome StepLog::close() {
  if (!out_.is_open()) return {};
  out_.close();
  return out_ ? Outcome() : Outcome::failure(concat("step log: writing '", file_, "' failed; is the disk full?"));
}

}  // namespace linkwork
