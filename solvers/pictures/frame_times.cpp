#include <linkwork/solvers/pictures/frame_times.hpp>

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <algorithm>
#include <cmath>

namespace linkwork {

OutputPoints frame_times(const char* function, const Trajectory& path, std::optional<double> rate) {
  const double begin = path.t_begin(), end = path.t_end(), seconds = end - begin;
  constexpr double usual_rate = 30, fewest = 300, most = 3000;
  if (rate && !(std::isfinite(*rate) && *rate > 0 && seconds * *rate <= most_frames))
    throw ModelError(concat(function, ": ", *rate, " frames per second over ", seconds,
                            " s; expected a rate above 0 with ", most_frames, " frames at most."));
  const double per_second = rate.value_or(std::clamp(seconds * usual_rate, fewest, most) / seconds);
  OutputPoints out;
  out.mode = OutputPoints::Mode::given;
  for (double k = 0; k / per_second < seconds * (1 - 1e-9); ++k) out.times.push_back(begin + k / per_second);
  out.times.push_back(end);
  return out;
}

}  // namespace linkwork
