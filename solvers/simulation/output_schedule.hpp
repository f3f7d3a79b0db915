#pragma once

#include <linkwork/solvers/simulation/output.hpp>

#include <cstddef>
#include <vector>

namespace linkwork {

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
