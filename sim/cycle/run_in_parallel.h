// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_CYCLE_RUN_IN_PARALLEL_H_
#define VTA_SIM_CYCLE_RUN_IN_PARALLEL_H_

#include <future>

namespace vta::sim {

// Runs `model` in a new thread while `native` runs in this one, and waits for both. Rethrows an
// exception of either; stop() cancels the model.
template <class Native, class Model, class Stop>
void run_in_parallel(Native&& native, Model&& model, Stop&& stop) {
  std::future<void> other = std::async(std::launch::async, model);
  try {
    native();
  } catch (...) {
    stop();
    other.wait();
    throw;
  }
  other.get();
}

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_RUN_IN_PARALLEL_H_
