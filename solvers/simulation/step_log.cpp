#include <linkwork/solvers/simulation/step_log.hpp>

#include <algorithm>
#include <iostream>
#include <limits>

namespace linkwork {

StepLog::StepLog(const std::string& file) {
  if (file.empty()) return;
  file_.emplace(file);
  file_->stream().precision(std::numeric_limits<double>::max_digits10);
  file_->stream() << "t,step,accepted,order,error,position_projection,velocity_projection,projection_iterations,reason,"
                     "tableau_errors\n";
}

StepLog::~StepLog() {
  if (!has_rows_) return;
  const Outcome closed = close();
  if (!closed)
    std::cerr << "linkwork: " << closed.reason() << '\n';  // beside the exception that tells why the run ended
}

void StepLog::write(const std::vector<StepRecord>& records) {
  if (!file_) return;
  std::ostream& out = file_->stream();
  for (const StepRecord& record : records) {
    std::string reason = record.reason;
    std::replace(reason.begin(), reason.end(), '"', '\'');
    out << record.t << ',' << record.step << ',' << record.accepted << ',' << record.order << ',' << record.error << ','
        << record.position_projection << ',' << record.velocity_projection << ',' << record.projection_iterations
        << ",\"" << reason << "\",";
    const char* separator = "";
    for (double error : record.tableau_errors) {
      out << separator << error;
      separator = " ";
    }
    out << '\n';
    has_rows_ = true;
  }
}

Outcome StepLog::close() {
  if (!file_) return {};
  const Outcome committed = file_->commit();
  file_.reset();
  return committed;
}

}  // namespace linkwork
