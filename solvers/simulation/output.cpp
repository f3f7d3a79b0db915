#include <linkwork/solvers/simulation/output.hpp>

#include <linkwork/core/concat.hpp>

#include <cmath>

namespace linkwork {

std::string OutputPoints::why_invalid() const {
  const bool counts = mode == Mode::equidistant || mode == Mode::per_step;
  if (counts && count < 0) return concat("count is ", count, "; expected 0 or more.");
  if (counts && count > most_points) return concat("count is ", count, "; expected ", most_points, " at most.");
  if (mode == Mode::at_most && !(std::isfinite(interval) && interval > 0))
    return concat("interval is ", interval, " s; expected a finite value above 0.");
  if (mode == Mode::given) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (!std::isfinite(times[i])) return concat("times[", i, "] is ", times[i], "; expected finite times.");
      if (i > 0 && !(times[i] > times[i - 1]))
        return concat("times[", i, "] = ", times[i], " s does not come after times[", i - 1, "] = ", times[i - 1],
                      " s; give them in ascending order.");
    }
  }
  return "";
}

}  // namespace linkwork
