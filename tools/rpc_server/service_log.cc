// SPDX-License-Identifier: Apache-2.0
#include "tools/rpc_server/service_log.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "base/errors/counted.h"
#include "base/errors/printable.h"

namespace vta::rpc {
namespace {

constexpr size_t kMaxLines = 256;  // that wait to be written
constexpr std::chrono::seconds kMaxWaitAtEnd{1};

// Ends at an error: a log that cannot be written does not stop a server.
void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

struct ServiceLog::Lines {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> waiting;
  uint64_t num_dropped = 0;  // since the last line that was taken
  bool closed = false, written = false;

  bool take(std::string line) {
    if (waiting.size() == kMaxLines) return false;
    waiting.push_back(std::move(line));
    return true;
  }

  // The thread.
  void write() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return closed || !waiting.empty(); });
      if (waiting.empty()) break;
      const std::string line = std::move(waiting.front());
      waiting.pop_front();
      lock.unlock();
      write_all(printable(line) + "\n");
      lock.lock();
    }
    written = true;
    changed.notify_all();
  }
};

ServiceLog::ServiceLog() : lines_(std::make_shared<Lines>()) {
  std::thread([lines = lines_] { lines->write(); }).detach();
}

ServiceLog::~ServiceLog() {
  std::unique_lock lock(lines_->mutex);
  lines_->closed = true;
  lines_->changed.notify_all();
  lines_->changed.wait_for(lock, kMaxWaitAtEnd, [&] { return lines_->written; });
}

void ServiceLog::print(const std::string& line) {
  const std::lock_guard lock(lines_->mutex);
  uint64_t& num_dropped = lines_->num_dropped;
  if (num_dropped > 0 &&
      lines_->take(fmt::format("nothing read the log: {} dropped", counted(num_dropped, "line"))))
    num_dropped = 0;
  if (num_dropped > 0 || !lines_->take(line)) ++num_dropped;
  lines_->changed.notify_all();
}

}  // namespace vta::rpc
