#include "commands/progress_line.hpp"

#include <linkwork/core/concat.hpp>

#include <unistd.h>
#include <cmath>
#include <cstdio>

namespace linkwork::apps {

std::string time_left(double spent, double now, double end) {
  if (!(spent > 0 && now > 0 && now < end)) return "";
  const double seconds = std::ceil(spent * (end - now) / now);
  constexpr double minute = 60, hour = 60 * minute;
  if (seconds < 2 * minute) return concat(", about ", seconds, " s left");
  if (seconds < 2 * hour) return concat(", about ", std::ceil(seconds / minute), " min left");
  return concat(", about ", std::ceil(seconds / hour), " h left");
}

ProgressLine::ProgressLine(bool wanted)
    : enabled_(wanted && isatty(STDERR_FILENO) == 1), start_(Clock::now()), next_(start_ + std::chrono::seconds(2)) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\033[K", stderr);  // leaves an empty line to what follows
}

void ProgressLine::update(const char* quantity, double now, double end, const char* unit) {
  if (!enabled_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(200);
  shown_ = true;
  const double spent = std::chrono::duration<double>(Clock::now() - start_).count();
  std::fprintf(stderr, "\r\033[K%s %.6g of %.6g %s%s", quantity, now, end, unit, time_left(spent, now, end).c_str());
  std::fflush(stderr);
}

}  // namespace linkwork::apps
