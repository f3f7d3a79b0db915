#pragma once

#include <ctime>

namespace linkwork::apps {

/// Time that this thread has spent on a processor [s]; other jobs on the machine disturb it less than wall time.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace linkwork::apps
