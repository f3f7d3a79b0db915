#pragma once

#include <chrono>
#include <string>

namespace linkwork::apps {

/// One line on the terminal that says how far a long run is. Silent for the first two seconds and where standard error
/// is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// "t = 0.3 of 1 s" for the quantity "t =" and the unit "s".
  void update(const std::string& quantity, double now, double end, const std::string& unit);

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_, shown_ = false;
  Clock::time_point next_;
};

}  // namespace linkwork::apps
