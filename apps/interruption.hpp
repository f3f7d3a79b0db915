#pragma once

#include <string>

namespace linkwork::apps {

/// SIGINT, SIGTERM and SIGHUP end the program from now on with exit status 128 + signal, as a shell reports them, and
/// leave no half-written file behind. Those that were ignored when it was started stay so (nohup). A write to a pipe
/// that nobody reads, or beyond a limit of size, fails and ends nothing, so that other outputs are still written.
void end_cleanly_on_signals();

/// The next of these signals is only noted, for work that keeps what it has computed; the one after it ends the
/// program at once.
void defer_interruption();
/// Whether a signal was noted: end soon, and keep what was computed.
bool is_interrupted();
/// "SIGINT", and its exit status.
std::string interruption_name();
int interruption_status();

}  // namespace linkwork::apps
