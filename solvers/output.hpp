#pragma once

#include <string>
#include <utility>
#include <vector>

namespace linkwork {

/// Which points the dense output is delivered at (MEXX's four modes).
struct OutputPoints {
  enum class Mode { none, equidistant, per_step, at_most, given };
  Mode mode = Mode::none;
  int count = 0;                   ///< equidistant: points between the ends; per_step: points inside each step; >= 0
  double interval = 0;             ///< at_most: largest distance [s], > 0
  std::vector<double> times = {};  ///< given: ascending, within the run [s]

  static OutputPoints equidistant(int count) { return {Mode::equidistant, count, 0, {}}; }
  static OutputPoints per_step(int count) { return {Mode::per_step, count, 0, {}}; }
  static OutputPoints at_most(double interval) { return {Mode::at_most, 0, interval, {}}; }
  static OutputPoints given(std::vector<double> times) { return {Mode::given, 0, 0, std::move(times)}; }

  /// "" when usable, else the reason.
  std::string why_invalid() const;
};

/// The output times of one run, handed out segment by segment.
///   equidistant: count + 2 times, the ends among them        given: exactly the given times
///   per_step: count points inside each segment and its ends   at_most: the ends of each segment, and points between
///                                                             them so that no two are more than `interval` apart
class OutputSchedule {
 public:
  /// @throws ModelError if the points make no sense or lie outside of [t_begin, t_end]
  OutputSchedule(const OutputPoints& points, double t_begin, double t_end);

  /// Output times in [begin, end] that were not handed out yet, ascending.
  /// @param starts  the segment begins the run or follows a jump, so that its beginning is a point of its own
  void next(double begin, double end, bool starts, std::vector<double>& times);

 private:
  double time(std::size_t i) const;

  OutputPoints points_;
  double t_begin_, t_end_;
  std::size_t total_ = 0, handed_out_ = 0;  // of the modes whose times are known from the start
};

}  // namespace linkwork
