// SPDX-License-Identifier: Apache-2.0
//
// The NativeCore of one class of core and configuration: core::Core or FastCore. Included by the
// generated source file of each core.
#ifndef VTA_SIM_FUNCTIONAL_NATIVE_CORE_OF_H_
#define VTA_SIM_FUNCTIONAL_NATIVE_CORE_OF_H_

#include <memory>
#include <vector>

#include "configs/core_timing.h"
#include "hw/core/processes.h"
#include "sim/functional/fast_core.h"
#include "sim/functional/native_core.h"
#include "sim/functional/run_end.h"

namespace vta::sim {

static_assert(kBeatBytes == hls::kBeatBytes);

template <class Core>
class NativeCoreOf : public NativeCore {
 public:
  explicit NativeCoreOf(bool extension) : core_(std::make_unique<Core>()) {
    core_->has_extension = extension;
  }

  void record(const ProgramBeats& beats) override {
    core_->fetch_port.record(beats.fetch);
    core_->uop_port.record(beats.uop);
  }

  NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
                const Deadline& deadline, core::Observer* observer) override {
    if (scheduler_ == nullptr) reset();
    start(arena, arena_bytes);
    core_->observer = observer;
    core_->run_request.write({program_offset_bytes, count});
    core_->run_fetch.write({program_offset_bytes, count});
    NativeRun result;
    try {
      result.timed_out = !scheduler_->run(deadline.time(), deadline.stop());
    } catch (...) {
      scheduler_.reset();
      throw;
    }
    if (!result.timed_out) {
      result.counters = counters();
      find_fault(result, scheduler_->states());
    }
    // After a run without fault every process waits for its next command, as after a reset;
    // otherwise some processes are in the middle of a command.
    if (result.timed_out || result.fault != isa::kNoFault) scheduler_.reset();
    return result;
  }

 private:
  // Scratchpads, which are in the list because of their ports, keep their contents.
  template <class Channel>
  static void clear(Channel& channel) {
    if constexpr (requires { channel.clear(); }) channel.clear();
  }

  // As the hardware's reset: empty queues, every process at its start.
  void reset() {
    auto* c = core_.get();
#define VTA_WAIT(process, channel, state, for_space) clear(c->channel);
#include "hw/core/processes.def"
    scheduler_ = std::make_unique<hls::scheduler>();
#define VTA_PROCESS(process, stage) scheduler_->add(#process, [c] { c->process(); });
#include "hw/core/processes.def"
  }

  // The settings that a driver writes before it starts a program.
  void start(uint8_t* arena, uint64_t arena_bytes) {
    auto& c = *core_;
    c.dram_base_bytes = 0;
    c.dram_size_bytes = arena_bytes;
    c.fetch_port.bind(arena), c.load_port.bind(arena), c.uop_port.bind(arena);
    c.acc_port.bind(arena), c.store_port.bind(arena);
#define VTA_STATUS(process, status) c.status = {};
#include "hw/core/processes.def"
    c.finished = false;
    c.finish_index = 0;
#define VTA_COUNTER(offset, name, description) c.name = 0;
#include "hw/registers/registers.def"
  }

  // `states`: of all processes, in the order of hw/core/processes.def.
  std::vector<StageEnd> stage_ends(const std::vector<hls::process_state>& states) const {
    std::vector<StageEnd> ends;
    const auto add = [&](core::Process process, const core::StageStatus& status) {
      const hls::process_state& state = states[process];
      const bool waits = status.busy && state.waits_at != nullptr;
      ends.push_back({core::kProcessStages[process], status, waits ? state.waits_at->name() : "",
                      state.for_space});
    };
#define VTA_STATUS(process, status) add(core::kProcess_##process, core_->status);
#include "hw/core/processes.def"
    return ends;
  }

  hw::Counters counters() const {
    const auto& c = *core_;
    hw::Counters counters;
#define VTA_COUNTER(offset, name, description) counters.name = c.name;
#include "hw/registers/registers.def"
    return counters;
  }

  // Call when the core is quiet.
  void find_fault(NativeRun& result, const std::vector<hls::process_state>& states) {
    uint64_t tokens = 0;
#define VTA_TOKENS(queue, from, to) tokens += core_->queue.size();
#include "hw/core/processes.def"
    sim::find_fault({stage_ends(states), core_->finished, core_->finish_index, tokens}, result);
  }

  std::unique_ptr<Core> core_;
  std::unique_ptr<hls::scheduler>
      scheduler_;  // the processes; null before the first run and after a fault
};

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_NATIVE_CORE_OF_H_
