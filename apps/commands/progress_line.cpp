#include "commands/progress_line.hpp"

#include <unistd.h>
#include <cstdio>

namespace linkwork::apps {

ProgressLine::ProgressLine(bool wanted)
    : enabled_(wanted && isatty(STDERR_FILENO) == 1), next_(Clock::now() + std::chrono::seconds(2)) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::fputs("\r\033[K", stderr);  // leaves an empty line to what follows
}

void ProgressLine::update(const std::string& quantity, double now, double end, const std::string& unit) {
  if (!enabled_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(200);
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%s %.6g of %.6g %s", quantity.c_str(), now, end, unit.c_str());
  std::fflush(stderr);
}

}  // namespace linkwork::apps
