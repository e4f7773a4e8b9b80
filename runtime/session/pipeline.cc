// SPDX-License-Identifier: Apache-2.0
#include "runtime/session/pipeline.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

#include "base/limits/stopwatch.h"

namespace vta {
namespace {

// One call of Pipeline::run(). Inferences are numbered in the order of their inputs.
class PipelineRun {
 public:
  PipelineRun(const Pipeline::Next& next, const Pipeline::Done& done) : next_(next), done_(done) {}

  void work(Session& session) {
    while (std::optional<Job> job = take()) {
      Pipeline::Inference inference;
      try {
        const Stopwatch stopwatch;
        inference.outputs = session.run(job->inputs, &inference.report);
        inference.latency_seconds = stopwatch.seconds();
      } catch (...) {
        fail_at(job->index, std::current_exception());
        return;
      }
      deliver(job->index, inference);
    }
  }

  // A session whose thread cannot be started.
  void fail_start(const std::system_error& error) {
    fail_at(0, std::make_exception_ptr(
                   Error(ErrorCode::kOutOfMemory,
                         fmt::format("a thread for an inference: {}", error.code().message()))));
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct Job {
    size_t index;
    std::vector<Tensor> inputs;
  };

  std::optional<Job> take() {
    const std::lock_guard lock(next_mutex_);
    if (has_ended_ || has_failed(next_index_)) return std::nullopt;
    try {
      if (auto inputs = next_()) return Job{next_index_++, std::move(*inputs)};
    } catch (...) {
      fail_at(next_index_, std::current_exception());
    }
    has_ended_ = true;
    return std::nullopt;
  }

  void deliver(size_t index, const Pipeline::Inference& inference) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return num_done_ == index || error_index_ < index; });
    if (error_index_ <= index) return;
    try {
      done_(inference);
    } catch (...) {
      note(index, std::current_exception());
    }
    ++num_done_;
    changed_.notify_all();
  }

  bool has_failed(size_t index) {
    const std::lock_guard lock(mutex_);
    return error_index_ <= index;
  }

  void fail_at(size_t index, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    note(index, std::move(error));
    changed_.notify_all();
  }

  // Keeps the error of the earliest input.
  void note(size_t index, std::exception_ptr error) {
    if (index >= error_index_) return;
    error_index_ = index;
    error_ = std::move(error);
  }

  const Pipeline::Next& next_;
  const Pipeline::Done& done_;

  std::mutex next_mutex_;  // guards the next two members, and calls of next_
  size_t next_index_ = 0;
  bool has_ended_ = false;

  std::mutex mutex_;  // guards the members below, and calls of done_
  std::condition_variable changed_;
  size_t num_done_ = 0;
  size_t error_index_ = std::numeric_limits<size_t>::max();
  std::exception_ptr error_;
};

}  // namespace

Pipeline::Pipeline(const Program& program, driver::Device& device, const HostExecutor& host,
                   size_t max_in_flight) {
  std::mutex* turn = max_in_flight > 1 ? &device_turn_ : nullptr;
  sessions_.push_back(std::make_unique<Session>(program, device, host, turn));
  while (sessions_.size() < max_in_flight) {
    try {
      sessions_.push_back(std::make_unique<Session>(program, device, host, turn));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kOutOfMemory) throw;
      return;
    }
  }
}

void Pipeline::run(const Next& next, const Done& done) {
  PipelineRun run(next, done);
  {
    std::vector<std::jthread> threads;  // joined at the end of this scope
    try {
      for (size_t i = 1; i < sessions_.size(); ++i)
        threads.emplace_back([&run, &session = *sessions_[i]] { run.work(session); });
    } catch (const std::system_error& error) {
      run.fail_start(error);
    }
    run.work(*sessions_[0]);
  }
  run.rethrow();
}

}  // namespace vta
