#pragma once

#include <chrono>

namespace linkwork::apps {

/// One line on the terminal that says how far a long run is. Silent for the first two seconds and where standard error
/// is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(double t, double t_end);

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_, shown_ = false;
  Clock::time_point next_;
};

}  // namespace linkwork::apps
