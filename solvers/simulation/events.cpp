#include <linkwork/solvers/simulation/events.hpp>

#include <linkwork/core/concat.hpp>

#include <cmath>

namespace linkwork {

std::string Event::why_invalid() const {
  if (!function && observable.empty()) return "there is no function; give `function` or the name of an `observable`.";
  if (function && !observable.empty()) return "both `function` and `observable` are given; give one of them.";
  if (!(std::isfinite(period) && period >= 0))
    return concat("period is ", period, "; expected a finite value >= 0, 0 for none.");
  if (!(std::isfinite(residual_threshold) && residual_threshold >= 0))
    return concat("residual_threshold is ", residual_threshold, "; expected a finite value >= 0.");
  if (maximum_count < 1) return concat("maximum_count is ", maximum_count, "; expected 1 or more.");
  if (action == Action::change && !effect) return "the action is `change`, but there is no effect; give `effect`.";
  if (action != Action::change && effect) return "an effect is given, but the action is not `change`; set `action`.";
  return "";
}

}  // namespace linkwork
