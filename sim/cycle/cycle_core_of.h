// SPDX-License-Identifier: Apache-2.0
//
// TimedCore for one cycle model: included by the one generated source file of each core.
#ifndef VTA_SIM_CYCLE_CYCLE_CORE_OF_H_
#define VTA_SIM_CYCLE_CYCLE_CORE_OF_H_

#include <memory>
#include <utility>

#include "sim/cycle/model_records.h"
#include "sim/cycle/process_times.h"
#include "sim/functional/native_core.h"
#include "sim/functional/run_end.h"
#include "sim/network/core_dram.h"
#include "sim/timed/timed_core.h"

namespace vta::sim {

template <class Model>
class CycleCoreOf : public TimedCore {
 public:
  // `native`: computes what the model leaves out; null: nobody does.
  CycleCoreOf(bool extension, const MemoryConfig& memory, std::unique_ptr<NativeCore> native)
      : extension_(extension), memory_(memory), native_(std::move(native)) {
    static_assert(!Model::dram_load_port_has_content && !Model::dram_acc_port_has_content,
                  "time depends on data");
  }

  NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
                std::chrono::steady_clock::time_point deadline, WriteObserver*) override {
    RecordedBeats beats;
    NativeRun computed;
    if (native_ != nullptr) {
      native_->record(&beats);
      computed = native_->run(arena, arena_bytes, program_offset_bytes, count, deadline, nullptr);
      native_->record(nullptr);
      if (computed.timed_out) return computed;
    }
    network::Network network;
    const auto model = std::make_unique<Model>(network, rams_);
    model->input_has_extension = extension_ ? 1 : 0;
    model->input_dram_base_bytes = 0;
    model->input_dram_size_bytes = arena_bytes;
    const uint64_t command = program_offset_bytes | uint64_t{count} << 32;
    model->stream_run_request.items.push_back(command);
    model->stream_run_fetch.items.push_back(command);
    if (native_ != nullptr) {
      model->dram_fetch_port.read_from(&beats.fetch);
      model->dram_uop_port.read_from(&beats.uop);
    } else {
      model->dram_fetch_port.read_from(arena, arena_bytes);
      model->dram_uop_port.read_from(arena, arena_bytes);
    }
    const std::unique_ptr<network::CoreDram> dram = network::make_dram(network, memory_);
    dram->add(model->dram_fetch_port, MemoryMaster::kFetch);
    dram->add(model->dram_load_port, MemoryMaster::kLoad);
    dram->add(model->dram_uop_port, MemoryMaster::kUop);
    dram->add(model->dram_acc_port, MemoryMaster::kAcc);
    dram->add(model->dram_store_port, MemoryMaster::kStore);
    ModelRecords records;
    if (trace_ != nullptr) records.attach(*model, *dram, *trace_);
    NativeRun result;
    result.timed_out = !network.run(deadline);
    if (result.timed_out) return result;
    const ProcessTimes times(network, Model::kObjects, dram->last_cycle());
    if (trace_ != nullptr) records.finish(times, *trace_);
    if (native_ != nullptr) {
      result = computed;
    } else {
      result.counters = counters(*model);
      find_fault(*model, times.waits(), result);
    }
    result.counters.cycles = times.cycles();
    result.counters.stages = times.stages();
    return result;
  }

  void record(RunTrace* trace) override { trace_ = trace; }

 private:
  static driver::Counters counters(const Model& m) {
    driver::Counters counters;
    counters.inp_load_nbytes = m.register_inp_load_nbytes;
    counters.wgt_load_nbytes = m.register_wgt_load_nbytes;
    counters.acc_load_nbytes = m.register_acc_load_nbytes;
    counters.uop_load_nbytes = m.register_uop_load_nbytes;
    counters.out_store_nbytes = m.register_out_store_nbytes;
    counters.gemm_counter = m.register_gemm_counter;
    counters.alu_counter = m.register_alu_counter;
    return counters;
  }

  static ProcessStatuses statuses(const Model& m) {
    const auto status = [](auto busy, auto index, auto fault, auto value) {
      return core::StageStatus{busy != 0, static_cast<uint32_t>(index), static_cast<uint8_t>(fault),
                               static_cast<uint64_t>(value)};
    };
    ProcessStatuses all{};
    all[kProcess_fetch] = status(m.register_fetch_status_0, m.register_fetch_status_1,
                                 m.register_fetch_status_2, m.register_fetch_status_3);
    all[kProcess_load_request] = status(m.register_load_status_0, m.register_load_status_1, 0, 0);
    all[kProcess_load_data] = status(m.register_load_data_status_0, m.register_load_data_status_1,
                                     m.register_load_data_status_2, m.register_load_data_status_3);
    all[kProcess_gemm] = status(m.register_gemm_status_0, m.register_gemm_status_1,
                                m.register_gemm_status_2, m.register_gemm_status_3);
    all[kProcess_alu] = status(m.register_alu_status_0, m.register_alu_status_1,
                               m.register_alu_status_2, m.register_alu_status_3);
    all[kProcess_store_read] = status(m.register_store_status_0, m.register_store_status_1, 0, 0);
    all[kProcess_store_write] =
        status(m.register_store_write_status_0, m.register_store_write_status_1,
               m.register_store_write_status_2, m.register_store_write_status_3);
    return all;
  }

  static void find_fault(const Model& m, const CoreWaits& waits, NativeRun& result) {
    const uint64_t tokens = m.stream_load_to_gemm.size() + m.stream_gemm_to_load.size() +
                            m.stream_gemm_to_alu.size() + m.stream_alu_to_gemm.size() +
                            m.stream_alu_to_store.size() + m.stream_store_to_alu.size();
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
