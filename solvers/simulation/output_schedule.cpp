#include <linkwork/solvers/simulation/output_schedule.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

OutputSchedule::OutputSchedule(const OutputPoints& points, double t_begin, double t_end)
    : points_(points), t_begin_(t_begin), t_end_(t_end) {
  if (const std::string why = points.why_invalid(); !why.empty()) throw ModelError(concat("OutputPoints: ", why));
  if (points.mode == OutputPoints::Mode::given) {
    for (double t : points.times)
      if (t < t_begin || t > t_end)
        throw ModelError(concat("OutputPoints: the output time ", t, " s is outside of the run [", t_begin, ", ", t_end,
                                "] s; leave it out or run longer."));
    total_ = points.times.size();
  }
  if (points.mode == OutputPoints::Mode::at_most && (t_end - t_begin) / points.interval > OutputPoints::most_points)
    throw ModelError(concat("OutputPoints: interval is ", points.interval, " s, which gives ",
                            (t_end - t_begin) / points.interval, " points over the run [", t_begin, ", ", t_end,
                            "] s; give a longer one, for ", OutputPoints::most_points, " points at most."));
  if (points.mode == OutputPoints::Mode::equidistant)
    total_ = t_begin == t_end ? 1 : static_cast<std::size_t>(points.count) + 2;
}

double OutputSchedule::time(std::size_t i) const {
  if (points_.mode == OutputPoints::Mode::given) return points_.times[i];
  if (i + 1 == total_) return t_end_;  // not by a sum: the end must not be missed by rounding
  return t_begin_ + (t_end_ - t_begin_) * static_cast<double>(i) / (points_.count + 1);
}

void OutputSchedule::next(double begin, double end, bool starts, std::vector<double>& times) {
  times.clear();
  if (points_.mode == OutputPoints::Mode::none) return;
  if (points_.mode == OutputPoints::Mode::equidistant || points_.mode == OutputPoints::Mode::given) {
    while (handed_out_ < total_ && time(handed_out_) <= end) times.push_back(time(handed_out_++));
    return;
  }
  if (starts) times.push_back(begin);
  if (begin == end) return;
  const double parts = points_.mode == OutputPoints::Mode::per_step
                           ? points_.count + 1.0
                           : std::max(1.0, std::ceil((end - begin) / points_.interval));
  for (double k = 1; k < parts; ++k) times.push_back(begin + (end - begin) * k / parts);
  times.push_back(end);
}

}  // namespace linkwork
