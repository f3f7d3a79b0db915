#include "commands/sample_rate.hpp"

#include <linkwork/core/concat.hpp>
#include <linkwork/core/errors.hpp>

#include <cmath>

namespace linkwork::apps {

void check_sample_rate(const char* option, double rate, double seconds, double most) {
  if (!(std::isfinite(rate) && rate > 0))
    throw ModelError(concat(option, " is ", rate, " Hz; expected a finite number above 0."));
  if (rate * seconds > most)
    throw ModelError(concat(option, " is ", rate, " Hz, which gives ", rate * seconds, " samples over ", seconds,
                            " s; give a lower rate, of ", most, " samples at most."));
}

}  // namespace linkwork::apps
