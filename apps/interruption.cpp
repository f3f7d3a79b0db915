#include "interruption.hpp"

#include <linkwork/core/atomic_file.hpp>

#include <unistd.h>
#include <csignal>
#include <string_view>

namespace linkwork::apps {
namespace {

constexpr int ending[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t deferred = 0, noted = 0;

// Only functions that a signal handler may call.
extern "C" void take_signal(int signal) {
  if (deferred == 0 || noted != 0) {
    AtomicFile::remove_uncommitted();
    ::_exit(128 + signal);
  }
  noted = signal;
  constexpr std::string_view notice =
      "linkwork: ending after this step, to keep what was computed; a second signal ends at once and writes nothing.\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, notice.data(), notice.size());
}

bool is_ignored(int signal) {
  struct sigaction present = {};
  return ::sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

}  // namespace

void end_cleanly_on_signals() {
  struct sigaction action = {};
  action.sa_handler = take_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (int signal : ending) ::sigaddset(&action.sa_mask, signal);  // one after the other
  for (int signal : ending)
    if (!is_ignored(signal)) ::sigaction(signal, &action, nullptr);
  for (int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

void defer_interruption() { deferred = 1; }

bool is_interrupted() { return noted != 0; }

std::string interruption_name() {
  return noted == SIGINT ? "SIGINT" : noted == SIGTERM ? "SIGTERM" : noted == SIGHUP ? "SIGHUP" : "";
}

int interruption_status() { return 128 + noted; }

}  // namespace linkwork::apps
