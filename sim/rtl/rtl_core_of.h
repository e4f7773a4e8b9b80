// SPDX-License-Identifier: Apache-2.0
//
// RtlCore for one Verilated model: included by the one generated source file of each core.
#ifndef VTA_SIM_RTL_RTL_CORE_OF_H_
#define VTA_SIM_RTL_RTL_CORE_OF_H_

#include <string>
#include <utility>
#include <vector>

#include "sim/functional/run_end.h"
#include "sim/memory/dram_model.h"
#include "sim/rtl/rtl_core.h"
#include "sim/rtl/stage_clock.h"
#include "sim/rtl/write_addresses.h"

namespace vta::sim {

template <class Model>
class RtlCoreOf : public RtlCore {
 public:
  RtlCoreOf(bool extension, const MemoryConfig& memory) : memory_(memory) {
    top_.has_extension = extension ? 1 : 0;
  }

  NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes, uint32_t count,
                std::chrono::steady_clock::time_point deadline, WriteObserver* observer) override {
    reset();
    memory_.reset(arena, arena_bytes);
    writes_.start(observer);
    top_.dram_base_bytes = 0;
    top_.dram_size_bytes = arena_bytes;
    const uint64_t command = program_offset_bytes | uint64_t{count} << 32;
    top_.run_request_data = top_.run_fetch_data = command;
    request_taken_ = fetch_taken_ = false;
    NativeRun result;
    const uint64_t cycles = until_quiet(deadline, result.timed_out);
    if (result.timed_out) return result;
    result.counters = counters();
    result.counters.cycles = cycles;
    result.counters.stages = stages_;
    find_fault(result);
    return result;
  }

 private:
  // Longer than anything can take that shows nowhere: an item's way through a FIFO.
  static constexpr uint64_t kQuietCycles = 16;

  struct Waits {
    const char* channel;
    bool for_room;
    const CData* wire;
  };

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
  }

  uint64_t until_quiet(std::chrono::steady_clock::time_point deadline, bool& timed_out) {
    constexpr uint64_t kCyclesBetweenLooks = 1 << 14;
    uint64_t quiet = 0, cycle = 0;
    clock_.clear();
    for (; quiet < kQuietCycles; ++cycle) {
      if (cycle % kCyclesBetweenLooks == 0 && std::chrono::steady_clock::now() > deadline) {
        timed_out = true;
        return 0;
      }
      drive();
      top_.eval();
      quiet = is_quiet() ? quiet + 1 : 0;
      if (quiet == 1) stages_ = clock_.cycles();
      clock_.count(top_);
      sample();
      edge();
    }
    return cycle - kQuietCycles;
  }

  // Inputs change after the clock's edge only.
  void drive() {
    memory_.begin_cycle();
    top_.run_request_empty = request_taken_ ? 1 : 0;
    top_.run_fetch_empty = fetch_taken_ ? 1 : 0;
#define VTA_READ_MASTERS(X)           \
  X(fetch_port, MemoryMaster::kFetch) \
  X(load_port, MemoryMaster::kLoad) X(uop_port, MemoryMaster::kUop) X(acc_port, MemoryMaster::kAcc)
#define VTA_DRIVE(port, master)                               \
  {                                                           \
    const DramModel::Beat& beat = memory_.read_beat(master);  \
    top_.port##_arready = memory_.takes_read(master) ? 1 : 0; \
    top_.port##_rvalid = beat.valid ? 1 : 0;                  \
    if (beat.valid) {                                         \
      top_.port##_rdata = beat.data;                          \
      top_.port##_rlast = beat.last ? 1 : 0;                  \
      top_.port##_rresp = beat.error ? kSlaveError : 0;       \
    }                                                         \
  }
    VTA_READ_MASTERS(VTA_DRIVE)
#undef VTA_DRIVE
    const DramModel::Response& response = memory_.write_response(MemoryMaster::kStore);
    top_.store_port_awready = memory_.takes_write(MemoryMaster::kStore) ? 1 : 0;
    top_.store_port_wready = memory_.takes_beat(MemoryMaster::kStore) ? 1 : 0;
    top_.store_port_bvalid = response.valid ? 1 : 0;
    top_.store_port_bresp = response.error ? kSlaveError : 0;
  }
  static constexpr uint8_t kSlaveError = 2;  // of xRESP

  void sample() {
    request_taken_ |= top_.run_request_pop != 0;
    fetch_taken_ |= top_.run_fetch_pop != 0;
#define VTA_SAMPLE(port, master)                 \
  if (top_.port##_arvalid & top_.port##_arready) \
    memory_.read(master, top_.port##_araddr, top_.port##_arlen + 1u);
    VTA_READ_MASTERS(VTA_SAMPLE)
#undef VTA_SAMPLE
#undef VTA_READ_MASTERS
    if (top_.store_port_wvalid & top_.store_port_wready) {
      memory_.write_beat(MemoryMaster::kStore, top_.store_port_wdata);
      writes_.beat(memory_.cycle(), top_.store_port_wdata);
    }
    if (top_.store_port_awvalid & top_.store_port_awready) {
      memory_.write(MemoryMaster::kStore, top_.store_port_awaddr, top_.store_port_awlen + 1u);
      writes_.burst(top_.store_port_awaddr, top_.store_port_awlen + 1u);
    }
  }

  // Every process waits for another, and DRAM has nothing to do.
  bool is_quiet() const {
    const auto& t = top_;
    const int asks = t.fetch_port_arvalid | t.load_port_arvalid | t.uop_port_arvalid |
                     t.acc_port_arvalid | t.store_port_awvalid | t.store_port_wvalid;
    return memory_.is_quiet() && asks == 0 &&
           (t.fetch_request_waits_run_request | t.fetch_request_waits_fetch_port) &
               (t.fetch_waits_run_fetch | t.fetch_waits_fetch_port | t.fetch_waits_load_queue |
                t.fetch_waits_gemm_queue | t.fetch_waits_alu_queue | t.fetch_waits_store_queue |
                t.fetch_ended) &
               (t.load_request_waits_load_port | t.load_request_waits_load_queue |
                t.load_request_waits_gemm_to_load | t.load_request_waits_load_plan |
                t.load_request_ended) &
               (t.load_data_waits_load_port | t.load_data_waits_load_to_gemm |
                t.load_data_waits_load_plan | t.load_data_ended) &
               (t.uop_request_waits_uop_port | t.uop_request_waits_uop_plan) &
               (t.gemm_waits_uop_port | t.gemm_waits_gemm_queue | t.gemm_waits_load_to_gemm |
                t.gemm_waits_gemm_to_load | t.gemm_waits_gemm_to_alu | t.gemm_waits_alu_to_gemm |
                t.gemm_waits_uop_plan | t.gemm_ended) &
               (t.acc_request_waits_acc_port | t.acc_request_waits_acc_plan) &
               (t.alu_waits_acc_port | t.alu_waits_alu_queue | t.alu_waits_gemm_to_alu |
                t.alu_waits_alu_to_gemm | t.alu_waits_alu_to_store | t.alu_waits_store_to_alu |
                t.alu_waits_acc_plan | t.alu_ended) &
               (t.store_read_waits_store_queue | t.store_read_waits_alu_to_store |
                t.store_read_waits_store_plan | t.store_read_waits_store_beats |
                t.store_read_ended) &
               (t.store_write_waits_store_port | t.store_write_waits_store_to_alu |
                t.store_write_waits_store_plan | t.store_write_waits_store_beats |
                t.store_write_ended);
  }

  driver::Counters counters() const {
    driver::Counters counters;
    counters.inp_load_nbytes = top_.inp_load_nbytes;
    counters.wgt_load_nbytes = top_.wgt_load_nbytes;
    counters.acc_load_nbytes = top_.acc_load_nbytes;
    counters.uop_load_nbytes = top_.uop_load_nbytes;
    counters.out_store_nbytes = top_.out_store_nbytes;
    counters.gemm_counter = top_.gemm_counter;
    counters.alu_counter = top_.alu_counter;
    return counters;
  }

  // Where a process waits, by the first of its channels that says so.
  static StageEnd end_of(const char* stage, core::StageStatus status,
                         const std::vector<Waits>& waits) {
    StageEnd end{stage, status, "", false};
    for (const Waits& wait : waits) {
      if (*wait.wire == 0) continue;
      end.channel = wait.channel;
      end.for_room = wait.for_room;
      break;
    }
    return end;
  }

  void find_fault(NativeRun& result) const {
    const auto& t = top_;
    const auto full = [](uint8_t busy, uint32_t index, uint8_t fault, uint64_t value) {
      return core::StageStatus{busy != 0, index, fault, value};
    };
    const std::vector<StageEnd> ends = {
        end_of("fetch",
               full(t.fetch_status_0, t.fetch_status_1, t.fetch_status_2, t.fetch_status_3),
               {{"fetch_port", false, &t.fetch_waits_fetch_port},
                {"load_queue", true, &t.fetch_waits_load_queue},
                {"gemm_queue", true, &t.fetch_waits_gemm_queue},
                {"alu_queue", true, &t.fetch_waits_alu_queue},
                {"store_queue", true, &t.fetch_waits_store_queue}}),
        end_of("load", full(t.load_status_0, t.load_status_1, 0, 0),
               {{"gemm_to_load", false, &t.load_request_waits_gemm_to_load},
                {"load_plan", true, &t.load_request_waits_load_plan},
                {"load_port", true, &t.load_request_waits_load_port}}),
        end_of("load",
               full(t.load_data_status_0, t.load_data_status_1, t.load_data_status_2,
                    t.load_data_status_3),
               {{"load_port", false, &t.load_data_waits_load_port},
                {"load_to_gemm", true, &t.load_data_waits_load_to_gemm}}),
        end_of("gemm", full(t.gemm_status_0, t.gemm_status_1, t.gemm_status_2, t.gemm_status_3),
               {{"load_to_gemm", false, &t.gemm_waits_load_to_gemm},
                {"alu_to_gemm", false, &t.gemm_waits_alu_to_gemm},
                {"gemm_to_load", true, &t.gemm_waits_gemm_to_load},
                {"gemm_to_alu", true, &t.gemm_waits_gemm_to_alu},
                {"uop_plan", true, &t.gemm_waits_uop_plan},
                {"uop_port", false, &t.gemm_waits_uop_port}}),
        end_of("alu", full(t.alu_status_0, t.alu_status_1, t.alu_status_2, t.alu_status_3),
               {{"gemm_to_alu", false, &t.alu_waits_gemm_to_alu},
                {"store_to_alu", false, &t.alu_waits_store_to_alu},
                {"alu_to_gemm", true, &t.alu_waits_alu_to_gemm},
                {"alu_to_store", true, &t.alu_waits_alu_to_store},
                {"acc_plan", true, &t.alu_waits_acc_plan},
                {"acc_port", false, &t.alu_waits_acc_port}}),
        end_of("store", full(t.store_status_0, t.store_status_1, 0, 0),
               {{"alu_to_store", false, &t.store_read_waits_alu_to_store},
                {"store_plan", true, &t.store_read_waits_store_plan},
                {"store_beats", true, &t.store_read_waits_store_beats}}),
        end_of("store",
               full(t.store_write_status_0, t.store_write_status_1, t.store_write_status_2,
                    t.store_write_status_3),
               {{"store_beats", false, &t.store_write_waits_store_beats},
                {"store_to_alu", true, &t.store_write_waits_store_to_alu},
                {"store_port", true, &t.store_write_waits_store_port}})};
    const uint64_t tokens = uint64_t{t.load_to_gemm_count} + t.gemm_to_load_count +
                            t.gemm_to_alu_count + t.alu_to_gemm_count + t.alu_to_store_count +
                            t.store_to_alu_count;
    sim::find_fault({ends, (t.finished & 1) != 0, t.finish_index, tokens}, result);
  }

  Model top_;
  DramModel memory_;
  StageClock clock_;
  WriteAddresses writes_;
  driver::StageCycles stages_;                        // before the core fell quiet
  bool request_taken_ = false, fetch_taken_ = false;  // of the run's command
};

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_RTL_CORE_OF_H_
