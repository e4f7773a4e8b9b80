// SPDX-License-Identifier: Apache-2.0
//
// The TimedCore of one Verilated model: included by the generated source file of each core.
// `Waveform` is FstWaveform or NoWaveform.
#ifndef VTA_SIM_RTL_RTL_CORE_OF_H_
#define VTA_SIM_RTL_RTL_CORE_OF_H_

#include "sim/functional/run_end.h"
#include "sim/memory/dram_model.h"
#include "sim/rtl/axi_pins.h"
#include "sim/rtl/model_context.h"
#include "sim/timed/cycle_recorder.h"
#include "sim/timed/run_clock.h"
#include "sim/timed/timed_core.h"

namespace vta::sim {

template <class Model, class Waveform>
class RtlCoreOf : public TimedCore {
 public:
  template <class... WaveformArgs>
  RtlCoreOf(bool extension, const MemoryConfig& memory, const WaveformArgs&... waveform)
      : memory_(memory), waveform_(waveform...) {
    context_.leave_thread();
    top_.has_extension = extension ? 1 : 0;
  }

  NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
                const Deadline& deadline, WriteObserver* observer) override {
    reset();
    memory_.reset(arena, arena_bytes, observer);
    top_.dram_base_bytes = 0;
    top_.dram_size_bytes = arena_bytes;
    const uint64_t command = program_offset_bytes | uint64_t{count} << 32;
    top_.run_request_data = top_.run_fetch_data = command;
    top_.run_request_empty = top_.run_fetch_empty = 0;
    RunClock clock(deadline);
    const CoreWaits waits = trace_ == nullptr ? run_until_quiet(clock) : run_recorded(clock);
    NativeRun result;
    result.timed_out = clock.timed_out();
    if (result.timed_out) return result;
    result.counters = counters();
    result.counters.cycles = clock.cycles();
    result.counters.stages = clock.stages();
    find_fault(waits, result);
    return result;
  }

  void record(RunTrace* trace) override { trace_ = trace; }
  void end_waveform() override { waveform_.end(); }

 private:
  // Both return the waits of the last cycle.
  CoreWaits run_until_quiet(RunClock& clock) {
    CoreWaits waits;
    do {
      waits = cycle([] {});
    } while (clock.count(waits, !is_memory_quiet()));
    return waits;
  }
  CoreWaits run_recorded(RunClock& clock) {
    CycleRecorder recorder(*trace_);
    memory_.count_beats(&trace_->beats);
    CoreWaits waits;
    do {
      waits = cycle([&] { recorder.cycle(waits_now(), statuses(), token_moves()); });
    } while (clock.count(waits, !is_memory_quiet()));
    memory_.count_beats(nullptr);
    recorder.end(clock.cycles());
    return waits;
  }

  void edge() {
    top_.clk = 1;
    top_.eval();
    top_.clk = 0;
  }

  // Scratchpads keep their contents.
  void reset() {
    top_.rst = 1;
    top_.run_request_empty = top_.run_fetch_empty = 1;
    top_.clk = 0;
    for (int i = 0; i < 2; ++i) {
      top_.eval();
      edge();
    }
    top_.rst = 0;
    fetch_.reset(), load_.reset(), uop_.reset(), acc_.reset(), store_.reset();
  }

  // Inputs change only after the clock edge. Calls `look` when all signals have settled.
  template <class Look>
  CoreWaits cycle(Look&& look) {
    auto& pins = *top_.rootp;
    memory_.begin_cycle();
    VTA_DRIVE_READ(pins, fetch_port, fetch_)
    VTA_DRIVE_READ(pins, load_port, load_)
    VTA_DRIVE_READ(pins, uop_port, uop_)
    VTA_DRIVE_READ(pins, acc_port, acc_)
    VTA_DRIVE_WRITE(pins, store_port, store_)
    top_.eval();
    waveform_.cycle(top_);
    look();
    const CoreWaits waits = waits_now();
    const bool takes_request = pins.run_request_pop != 0, takes_fetch = pins.run_fetch_pop != 0;
    VTA_SAMPLE_READ(pins, fetch_port, fetch_)
    VTA_SAMPLE_READ(pins, load_port, load_)
    VTA_SAMPLE_READ(pins, uop_port, uop_)
    VTA_SAMPLE_READ(pins, acc_port, acc_)
    VTA_SAMPLE_WRITE(pins, store_port, store_)
    edge();
    if (takes_request) top_.run_request_empty = 1;
    if (takes_fetch) top_.run_fetch_empty = 1;
    return waits;
  }

  CoreWaits waits_now() const {
    const auto& pins = *top_.rootp;
    CoreWaits waits;
    // An interleaved ACC is two RAMs.
#define VTA_WAIT(process, channel, what, for_space)                                     \
  if constexpr (requires { pins.process##_waits_##channel; }) {                         \
    waits.set(kWait_##process##_##channel, pins.process##_waits_##channel);             \
  } else {                                                                              \
    waits.set(kWait_##process##_##channel,                                              \
              pins.process##_waits_##channel##_0 | pins.process##_waits_##channel##_1); \
  }
#define VTA_END(process) waits.set(kEnd_##process, pins.process##_ended);
#include "hw/core/processes.def"
    return waits;
  }

  TokenMoves token_moves() const {
    const auto& pins = *top_.rootp;
    TokenMoves moves;
#define VTA_TOKENS(queue, from, to)                                            \
  moves.pushes |= uint32_t{pins.Core__DOT__##queue##_push} << kTokens_##queue; \
  moves.pops |= uint32_t{pins.Core__DOT__##queue##_pop} << kTokens_##queue;
#include "hw/core/processes.def"
    return moves;
  }

  bool is_memory_quiet() const {
    return memory_.is_quiet() && fetch_.is_quiet() && load_.is_quiet() && uop_.is_quiet() &&
           acc_.is_quiet() && store_.is_quiet();
  }

  hw::Counters counters() const {
    hw::Counters counters;
#define VTA_COUNTER(offset, name, description) counters.name = top_.name;
#include "hw/registers/registers.def"
    return counters;
  }

  ProcessStatuses statuses() const {
    ProcessStatuses all{};
// As the board's top (vta_top.sv), which takes bit 0 of `busy`.
#define VTA_STATUS(process, status)                          \
  all[kProcess_##process].busy = (top_.status##_0 & 1) != 0; \
  all[kProcess_##process].index = top_.status##_1;
#define VTA_FAULTS(process, status)                \
  all[kProcess_##process].fault = top_.status##_2; \
  all[kProcess_##process].value = top_.status##_3;
#include "hw/core/processes.def"
    return all;
  }

  void find_fault(const CoreWaits& waits, NativeRun& result) const {
    uint64_t tokens = 0;
#define VTA_TOKENS(queue, from, to) tokens += top_.queue##_count;
#include "hw/core/processes.def"
    sim::find_fault(
        {waits.stage_ends(statuses()), (top_.finished & 1) != 0, top_.finish_index, tokens},
        result);
  }

  ModelContext context_;
  Model top_{context_.get()};
  DramModel memory_;
  AxiReadSlave fetch_{memory_, MemoryMaster::kFetch}, load_{memory_, MemoryMaster::kLoad},
      uop_{memory_, MemoryMaster::kUop}, acc_{memory_, MemoryMaster::kAcc};
  AxiWriteSlave store_{memory_, MemoryMaster::kStore};
  Waveform waveform_;
  RunTrace* trace_ = nullptr;
};

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_RTL_CORE_OF_H_
