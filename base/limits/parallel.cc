// SPDX-License-Identifier: Apache-2.0
#include "base/limits/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace vta {

void in_parallel(size_t count, size_t workers,
                 const std::function<void(size_t worker, size_t index)>& action) {
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&](size_t worker) {
    for (size_t i = next++; i < count; i = next++) {
      try {
        action(worker, i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> threads;
  for (size_t worker = 1; worker < std::min(workers, count); ++worker)
    threads.emplace_back(work, worker);
  work(0);
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

void in_parallel(size_t count, const std::function<void(size_t index)>& action) {
  constexpr size_t kMaxThreads = 16;
  const size_t processors = std::max(1u, std::thread::hardware_concurrency());
  in_parallel(count, std::min(processors, kMaxThreads),
              [&](size_t, size_t index) { action(index); });
}

}  // namespace vta
