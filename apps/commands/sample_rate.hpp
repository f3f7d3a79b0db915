#pragma once

namespace linkwork::apps {

/// Whether --rate or --fps makes sense for a motion of so many seconds.
/// @param most  samples; by default as many as a file should hold
/// @throws ModelError for a rate that is not finite and above 0, and for more samples
void check_sample_rate(const char* option, double rate, double seconds, double most = 1e9);

}  // namespace linkwork::apps
