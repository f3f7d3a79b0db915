#include <linkwork/solvers/newton/background_worker.hpp>

#include <utility>

namespace linkwork {

BackgroundWorker::~BackgroundWorker() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BackgroundWorker::begin(std::function<void()> piece) {
  {
    const std::lock_guard lock(mutex_);
    piece_ = std::move(piece);
  }
  changed_.notify_all();
}

void BackgroundWorker::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !piece_; });
}

void BackgroundWorker::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || piece_; });
    if (!piece_) return;
    const std::function<void()>& piece = piece_;
    lock.unlock();
    piece();
    lock.lock();
    piece_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace linkwork
