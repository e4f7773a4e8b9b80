// SPDX-License-Identifier: Apache-2.0
//
// JudgePool: threads that measure schedules in the order of their requests, each with a judge and a
// device of its own; they share the tilings that lowering has found.
#ifndef VTA_SIM_ANALYSIS_TUNE_JUDGE_POOL_H_
#define VTA_SIM_ANALYSIS_TUNE_JUDGE_POOL_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/schedule_book.h"
#include "configs/core_config.h"
#include "driver/device.h"
#include "sim/analysis/tune/judge.h"

namespace vta::sim {

class JudgePool {
  struct Job {
    lower::ScheduleBook book;
    lower::LayerRange window;
    std::promise<uint64_t> cycles;
  };

 public:
  // A request. If it is destroyed before a thread takes it, nothing is measured.
  class Measurement {
   public:
    // Waits. Errors: as Judge::cycles(). At most once.
    uint64_t cycles() { return cycles_.get(); }

   private:
    friend class JudgePool;
    std::shared_ptr<Job> job_;
    std::future<uint64_t> cycles_;
  };
  enum class Place { kLast, kFirst };  // among the requests that wait

  // Opens a device for each of at least one worker. The graph outlives the pool.
  JudgePool(const graph::Graph& graph, const CoreConfig& core, size_t workers,
            const std::function<std::unique_ptr<driver::Device>()>& open_device);
  ~JudgePool();  // waits for the measurements that have begun
  JudgePool(const JudgePool&) = delete;
  JudgePool& operator=(const JudgePool&) = delete;

  // As Judge::lower(), by the caller's thread.
  lower::LoweredGraph lower(const lower::ScheduleBook& book);

  size_t num_workers() const { return devices_.size(); }
  // As Judge::cycles().
  Measurement measure(lower::ScheduleBook book, lower::LayerRange window = {},
                      Place place = Place::kLast);

 private:
  void work(size_t worker);
  std::shared_ptr<Job> wait_for_job();  // null: the pool ends

  lower::TilingCache tilings_;
  std::vector<std::unique_ptr<driver::Device>> devices_;  // by worker, as the others
  std::vector<std::unique_ptr<Judge>> judges_;
  std::mutex mutex_;  // of the next three
  std::condition_variable changed_;
  std::deque<std::weak_ptr<Job>> queue_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_TUNE_JUDGE_POOL_H_
