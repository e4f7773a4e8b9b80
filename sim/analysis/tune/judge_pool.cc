// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/judge_pool.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace vta::sim {

JudgePool::JudgePool(const graph::Graph& graph, const CoreConfig& core, size_t workers,
                     const std::function<std::unique_ptr<driver::Device>()>& open_device) {
  for (size_t i = 0; i < std::max<size_t>(1, workers); ++i) {
    devices_.push_back(open_device());
    judges_.push_back(std::make_unique<Judge>(graph, core, *devices_.back(), tilings_));
  }
  for (size_t i = 0; i < devices_.size(); ++i) threads_.emplace_back([this, i] { work(i); });
}

JudgePool::~JudgePool() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

lower::LoweredGraph JudgePool::lower(const lower::ScheduleBook& book) {
  return judges_[0]->lower(book);  // which does not use the device
}

JudgePool::Measurement JudgePool::measure(lower::ScheduleBook book, lower::LayerRange window,
                                          Place place) {
  Measurement measurement;
  measurement.job_ = std::make_shared<Job>(std::move(book), window);
  measurement.cycles_ = measurement.job_->cycles.get_future();
  {
    const std::lock_guard lock(mutex_);
    queue_.insert(place == Place::kFirst ? queue_.begin() : queue_.end(), measurement.job_);
  }
  changed_.notify_one();
  return measurement;
}

std::shared_ptr<JudgePool::Job> JudgePool::wait_for_job() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ends_ || !queue_.empty(); });
    if (ends_) return nullptr;
    const std::shared_ptr<Job> job = queue_.front().lock();
    queue_.pop_front();
    if (job) return job;
  }
}

void JudgePool::work(size_t worker) {
  while (const std::shared_ptr<Job> job = wait_for_job()) {
    try {
      job->cycles.set_value(judges_[worker]->cycles(job->book, job->window));
    } catch (...) {
      job->cycles.set_exception(std::current_exception());
    }
  }
}

}  // namespace vta::sim
