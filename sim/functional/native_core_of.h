// SPDX-License-Identifier: Apache-2.0
//
// NativeCore for one configuration: included by the one generated source file of each core.
#ifndef VTA_SIM_FUNCTIONAL_NATIVE_CORE_OF_H_
#define VTA_SIM_FUNCTIONAL_NATIVE_CORE_OF_H_

#include <algorithm>
#include <iterator>
#include <utility>

#include "hw/core/core.h"
#include "sim/functional/native_core.h"
#include "sim/functional/run_end.h"

namespace vta::sim {

template <class Params>
class NativeCoreOf : public NativeCore {
 public:
  explicit NativeCoreOf(bool extension) : core_(std::make_unique<core::Core<Params>>()) {
    core_->has_extension = extension;
  }

  void record(const ProgramBeats& beats) override {
    core_->fetch_port.record(beats.fetch);
    core_->uop_port.record(beats.uop);
  }

  NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
                std::chrono::steady_clock::time_point deadline, core::Observer* observer) override {
    if (scheduler_ == nullptr) reset();
    start(arena, arena_bytes);
    core_->observer = observer;
    core_->run_request.write({program_offset_bytes, count});
    core_->run_fetch.write({program_offset_bytes, count});
    NativeRun result;
    try {
      result.timed_out = !scheduler_->run(deadline);
    } catch (...) {
      scheduler_.reset();
      throw;
    }
    if (!result.timed_out) {
      result.counters = counters();
      find_fault(result, scheduler_->states());
    }
    // After a clean end every process waits for its next command, as after a reset. Otherwise some
    // are in the middle of one.
    if (result.timed_out || result.fault != isa::kNoFault) scheduler_.reset();
    return result;
  }

 private:
  struct Stage {
    const char* name;
    const char* process;
    const core::StageStatus* status;
  };

  template <class Action>
  void for_each_channel(Action&& action) {
    auto& c = *core_;
    action(c.run_request), action(c.run_fetch);
    action(c.fetch_port), action(c.load_port), action(c.uop_port), action(c.acc_port);
    action(c.load_queue), action(c.gemm_queue), action(c.alu_queue), action(c.store_queue);
    action(c.load_plan), action(c.uop_plan), action(c.acc_plan), action(c.store_plan),
        action(c.store_beats);
    for_each_token_queue(action);
  }
  template <class Action>
  void for_each_token_queue(Action&& action) {
    auto& c = *core_;
    action(c.load_to_gemm), action(c.gemm_to_load), action(c.gemm_to_alu);
    action(c.alu_to_gemm), action(c.alu_to_store), action(c.store_to_alu);
  }

  // As the hardware's reset: empty queues, every process at its beginning.
  void reset() {
    for_each_channel([](auto& channel) { channel.clear(); });
    scheduler_ = std::make_unique<hls::scheduler>();
    add_processes(*scheduler_);
  }

  // What the driver sets and clears before it starts a program.
  void start(uint8_t* arena, uint64_t arena_bytes) {
    auto& c = *core_;
    c.dram_base_bytes = 0;
    c.dram_size_bytes = arena_bytes;
    c.fetch_port.bind(arena), c.load_port.bind(arena), c.uop_port.bind(arena);
    c.acc_port.bind(arena), c.store_port.bind(arena);
    c.fetch_status = c.load_status = c.load_data_status = c.gemm_status = {};
    c.alu_status = c.store_status = c.store_write_status = {};
    c.finished = false;
    c.finish_index = 0;
#define VTA_COUNTER(offset, name, description) c.name = 0;
#include "hw/registers/registers.def"
  }

  void add_processes(hls::scheduler& scheduler) {
    auto* c = core_.get();
    scheduler.add("fetch_request", [c] { c->fetch_request(); });
    scheduler.add("fetch", [c] { c->fetch(); });
    scheduler.add("load_request", [c] { c->load_request(); });
    scheduler.add("load_data", [c] { c->load_data(); });
    scheduler.add("uop_request", [c] { c->uop_request(); });
    scheduler.add("gemm", [c] { c->gemm(); });
    scheduler.add("acc_request", [c] { c->acc_request(); });
    scheduler.add("alu", [c] { c->alu(); });
    scheduler.add("store_read", [c] { c->store_read(); });
    scheduler.add("store_write", [c] { c->store_write(); });
  }

  std::vector<Stage> stages() const {
    const auto& c = *core_;
    return {{"fetch", "fetch", &c.fetch_status},
            {"load", "load_request", &c.load_status},
            {"load", "load_data", &c.load_data_status},
            {"gemm", "gemm", &c.gemm_status},
            {"alu", "alu", &c.alu_status},
            {"store", "store_read", &c.store_status},
            {"store", "store_write", &c.store_write_status}};
  }

  driver::Counters counters() const {
    const auto& c = *core_;
    driver::Counters counters;
#define VTA_COUNTER(offset, name, description) counters.name = c.name;
#include "hw/registers/registers.def"
    return counters;
  }

  // The network is quiet.
  void find_fault(NativeRun& result, const std::vector<hls::process_state>& states) {
    std::vector<StageEnd> ends;
    for (const Stage& stage : stages()) {
      const auto state =
          std::find_if(states.begin(), states.end(),
                       [&](const hls::process_state& s) { return s.name == stage.process; });
      const bool waits = stage.status->busy && state->waits_at != nullptr;
      ends.push_back(
          {stage.name, *stage.status, waits ? state->waits_at->name() : "", state->for_room});
    }
    uint64_t tokens = 0;
    for_each_token_queue([&](auto& queue) { tokens += queue.size(); });
    sim::find_fault({ends, core_->finished, core_->finish_index, tokens}, result);
  }

  std::unique_ptr<core::Core<Params>> core_;
  std::unique_ptr<hls::scheduler>
      scheduler_;  // the processes; null before the first run and after a fault
};

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_NATIVE_CORE_OF_H_
