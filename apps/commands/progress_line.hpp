#pragma once

#include <chrono>
#include <string>

namespace linkwork::apps {

/// ", about 12 s left", or in minutes or hours: what is left of a way from 0 to `end` that goes on as it did so far. ""
/// where that says nothing.
/// @param spent  [s], for the way to `now`
std::string time_left(double spent, double now, double end);

/// One line on the terminal that says how far a long run is, and how long it takes. Silent for the first two seconds
/// and where standard error is no terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// "t = 0.3 of 1 s, about 12 s left" for the quantity "t =" and the unit "s".
  void update(const char* quantity, double now, double end, const char* unit);

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_, shown_ = false;
  Clock::time_point start_, next_;
};

}  // namespace linkwork::apps
