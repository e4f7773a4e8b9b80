// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_RTL_STAGE_CLOCK_H_
#define VTA_SIM_RTL_STAGE_CLOCK_H_

#include "driver/stage_cycles.h"

namespace vta::sim {

// Counts in which state each stage is, from what the processes of a Verilated core say they wait
// for.
//
// A process without an instruction is idle; one with an instruction that waits for nothing works.
// Load and store have two processes: the stage is busy if one of them works; else it is in the
// state of the one that moves the data (load_data, store_write), or, where that one has no
// instruction, of the other. So a load is in wait_memory while its beats are under way, and in
// wait_token only once nothing of an earlier load is left to do.
class StageClock {
 public:
  // The current cycle; once a cycle, after the model has settled.
  template <class Model>
  void count(const Model& t) {
    using namespace driver;
    const Process load_request = {t.load_request_waits_load_queue | t.load_request_ended,
                                  t.load_request_waits_gemm_to_load, t.load_request_waits_load_port,
                                  0, t.load_request_waits_load_plan};
    const Process load_data = {t.load_data_waits_load_plan | t.load_data_ended,
                               t.load_data_waits_load_to_gemm, t.load_data_waits_load_port, 0, 0};
    const Process gemm = {t.gemm_waits_gemm_queue | t.gemm_ended,
                          t.gemm_waits_load_to_gemm | t.gemm_waits_gemm_to_load |
                              t.gemm_waits_gemm_to_alu | t.gemm_waits_alu_to_gemm,
                          t.gemm_waits_uop_port, 0, t.gemm_waits_uop_plan};
    const Process alu = {t.alu_waits_alu_queue | t.alu_ended,
                         t.alu_waits_gemm_to_alu | t.alu_waits_alu_to_gemm |
                             t.alu_waits_alu_to_store | t.alu_waits_store_to_alu,
                         t.alu_waits_acc_port, t.alu_waits_uop | t.alu_waits_acc | t.alu_waits_out,
                         t.alu_waits_acc_plan};
    const Process store_read = {t.store_read_waits_store_queue | t.store_read_ended,
                                t.store_read_waits_alu_to_store, 0, 0,
                                t.store_read_waits_store_plan | t.store_read_waits_store_beats};
    const Process store_write = {t.store_write_waits_store_plan | t.store_write_ended,
                                 t.store_write_waits_store_to_alu, t.store_write_waits_store_port,
                                 0, t.store_write_waits_store_beats};
    ++cycles_.of[kStage_load][both(load_request.state(), load_data.state())];
    ++cycles_.of[kStage_gemm][gemm.state()];
    ++cycles_.of[kStage_alu][alu.state()];
    ++cycles_.of[kStage_store][both(store_read.state(), store_write.state())];
  }

  void clear() { cycles_ = {}; }
  const driver::StageCycles& cycles() const { return cycles_; }

 private:
  // Not 0 where the process waits for it.
  struct Process {
    int instruction, token, memory, port, queue;

    driver::StageState state() const {
      if (instruction != 0) return driver::kStageState_idle;
      if (token != 0) return driver::kStageState_wait_token;
      if (memory != 0) return driver::kStageState_wait_memory;
      if (port != 0) return driver::kStageState_wait_port;
      if (queue != 0) return driver::kStageState_wait_queue;
      return driver::kStageState_busy;
    }
  };

  static driver::StageState both(driver::StageState first, driver::StageState second) {
    if (first == driver::kStageState_busy || second == driver::kStageState_idle) return first;
    return second;
  }

  driver::StageCycles cycles_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_STAGE_CLOCK_H_
