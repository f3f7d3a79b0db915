#pragma once

namespace linkwork::apps {

/// Whether --rate makes sense for a motion of so many seconds.
/// @throws ModelError for a rate that is not finite and above 0, and for more samples than any file should hold
void check_sample_rate(const char* option, double rate, double seconds);

}  // namespace linkwork::apps
