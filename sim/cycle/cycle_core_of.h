// SPDX-License-Identifier: Apache-2.0
//
// The TimedCore of one cycle model: included by the generated source file of each core.
#ifndef VTA_SIM_CYCLE_CYCLE_CORE_OF_H_
#define VTA_SIM_CYCLE_CYCLE_CORE_OF_H_

#include <memory>
#include <utility>

#include "sim/cycle/beat_record.h"
#include "sim/cycle/model_records.h"
#include "sim/cycle/process_times.h"
#include "sim/cycle/run_in_parallel.h"
#include "sim/functional/native_core.h"
#include "sim/functional/run_end.h"
#include "sim/process_network/core_dram.h"
#include "sim/timed/timed_core.h"

namespace vta::sim {

template <class Model>
class CycleCoreOf : public TimedCore {
 public:
  // `native`: computes the data that the model omits; null: no data is computed.
  CycleCoreOf(bool extension, const MemoryConfig& memory, std::unique_ptr<NativeCore> native)
      : extension_(extension), memory_(memory), native_(std::move(native)) {
    static_assert(!Model::dram_load_port_has_content && !Model::dram_acc_port_has_content,
                  "timing depends on data");
  }

  NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
                const Deadline& deadline, WriteObserver* observer) override {
    VTA_ASSERT(observer == nullptr, "cycle models have no beat observer");
    const Request request{arena, arena_bytes, program_offset_bytes, count, deadline};
    process_network::ProcessNetwork network;
    if (native_ == nullptr) return run_model(network, request, nullptr);
    ProgramRecord record;
    NativeRun timed, computed;
    run_in_parallel(
        [&] {
          computed = run_native(request, record);
          if (computed.timed_out) network.stop();
        },
        [&] { timed = run_model(network, request, &record); }, [&] { network.stop(); });
    if (computed.timed_out || timed.timed_out) return computed.timed_out ? computed : timed;
    computed.counters.cycles = timed.counters.cycles;
    computed.counters.stages = timed.counters.stages;
    return computed;
  }

  void record(RunTrace* trace) override { trace_ = trace; }

 private:
  struct Request {
    uint8_t* arena;
    uint64_t arena_bytes;
    uint32_t program_offset_bytes, count;
    Deadline deadline;
  };
  // The native core's reads, forwarded to the cycle model that runs in parallel.
  struct ProgramRecord {
    BeatRecord fetch, uop;
  };

  NativeRun run_native(const Request& request, ProgramRecord& record) {
    struct End {
      CycleCoreOf& core;
      ProgramRecord& record;
      ~End() {
        core.native_->record({});
        record.fetch.end();
        record.uop.end();
      }
    } end{*this, record};
    native_->record({&record.fetch, &record.uop});
    return native_->run(request.arena, request.arena_bytes, request.program_offset_bytes,
                        request.count, request.deadline, nullptr);
  }

  // `record`: the source of the program's reads; null: the arena.
  NativeRun run_model(process_network::ProcessNetwork& network, const Request& request,
                      ProgramRecord* record) {
    const auto model = std::make_unique<Model>(network, rams_);
    model->input_has_extension = extension_ ? 1 : 0;
    model->input_dram_base_bytes = 0;
    model->input_dram_size_bytes = request.arena_bytes;
    const uint64_t command = request.program_offset_bytes | uint64_t{request.count} << 32;
    model->stream_run_request.items.push_back(command);
    model->stream_run_fetch.items.push_back(command);
    if (record != nullptr) {
      model->dram_fetch_port.read_from(record->fetch);
      model->dram_uop_port.read_from(record->uop);
    } else {
      model->dram_fetch_port.read_from(request.arena, request.arena_bytes);
      model->dram_uop_port.read_from(request.arena, request.arena_bytes);
    }
    const std::unique_ptr<process_network::CoreDram> dram =
        process_network::make_dram(network, memory_);
    dram->add(model->dram_fetch_port, MemoryMaster::kFetch);
    dram->add(model->dram_load_port, MemoryMaster::kLoad);
    dram->add(model->dram_uop_port, MemoryMaster::kUop);
    dram->add(model->dram_acc_port, MemoryMaster::kAcc);
    dram->add(model->dram_store_port, MemoryMaster::kStore);
    ModelRecords records;
    if (trace_ != nullptr) records.attach(*model, *dram, *trace_);
    NativeRun result;
    result.timed_out = !network.run(request.deadline);
    if (result.timed_out) return result;
    const ProcessTimes times(network, Model::kObjects, dram->last_cycle());
    if (trace_ != nullptr) records.finish(times, *trace_);
    result.counters = counters(*model);
    result.counters.cycles = times.cycles();
    result.counters.stages = times.stages();
    find_fault(*model, times.waits(), result);
    return result;
  }

  static hw::Counters counters(const Model& m) {
    hw::Counters counters;
#define VTA_COUNTER(offset, name, description) counters.name = m.register_##name;
#include "hw/registers/registers.def"
    return counters;
  }

  static ProcessStatuses statuses(const Model& m) {
    ProcessStatuses all{};
#define VTA_STATUS(process, status)                            \
  all[kProcess_##process].busy = m.register_##status##_0 != 0; \
  all[kProcess_##process].index = static_cast<uint32_t>(m.register_##status##_1);
#define VTA_FAULTS(process, status)                                              \
  all[kProcess_##process].fault = static_cast<uint8_t>(m.register_##status##_2); \
  all[kProcess_##process].value = m.register_##status##_3;
#include "hw/core/processes.def"
    return all;
  }

  static void find_fault(const Model& m, const CoreWaits& waits, NativeRun& result) {
    uint64_t tokens = 0;
#define VTA_TOKENS(queue, from, to) tokens += m.stream_##queue.size();
#include "hw/core/processes.def"
    sim::find_fault({waits.stage_ends(statuses(m)), (m.register_finished & 1) != 0,
                     static_cast<uint32_t>(m.register_finish_index), tokens},
                    result);
  }

  const bool extension_;
  const MemoryConfig memory_;
  const std::unique_ptr<NativeCore> native_;
  typename Model::Rams rams_;  // scratchpads keep their contents
  RunTrace* trace_ = nullptr;
};

}  // namespace vta::sim

#endif  // VTA_SIM_CYCLE_CYCLE_CORE_OF_H_
