#pragma once

// Internal.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace linkwork {

/// A second thread that does one piece of work after another. Its owner begins a piece, goes on, and waits for the end
/// of it where it needs what came out: when it ends decides about nothing. Work must not throw.
class BackgroundWorker {
 public:
  BackgroundWorker() : thread_([this] { work(); }) {}
  ~BackgroundWorker();
  BackgroundWorker(const BackgroundWorker&) = delete;
  BackgroundWorker& operator=(const BackgroundWorker&) = delete;

  /// Begins; the piece before has been waited for.
  void begin(std::function<void()> piece);
  /// Returns when nothing is left to do.
  void wait();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> piece_;  // none: there is nothing to do
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace linkwork
