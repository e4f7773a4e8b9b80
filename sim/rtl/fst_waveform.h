// SPDX-License-Identifier: Apache-2.0
//
// The waveform of a Verilated model, or none: the last parameter of RtlCoreOf.
#ifndef VTA_SIM_RTL_FST_WAVEFORM_H_
#define VTA_SIM_RTL_FST_WAVEFORM_H_

#include <verilated_fst_c.h>

#include "sim/timed/waveform.h"

namespace vta::sim {

class NoWaveform {
 public:
  template <class Model>
  void cycle(Model&) {}
  void end() {}
};

// Writes an FST file. A cycle is 10 ns and starts with the rising clock edge: cycle 7 starts at 70
// ns. The model must be Verilated with --trace-fst.
class FstWaveform {
 public:
  explicit FstWaveform(const WaveformRequest& request) : request_(request) {}

  // The settled values of the cycle, before the edge that ends it.
  template <class Model>
  void cycle(Model& top) {
    const uint64_t cycle = cycle_++;
    if (cycle < request_.first_cycle || cycle >= request_.end_cycle) return;
    if (cycle == request_.first_cycle) open(top);
    top.clk = 1;  // for the file only: the model has already had this edge
    fst_.dump(cycle * kTimeOfACycle);
    top.clk = 0;
    top.eval();  // only triggers another dump
    fst_.dump(cycle * kTimeOfACycle + kTimeOfACycle / 2);
    if (cycle + 1 == request_.end_cycle) end();
  }

  void end() { fst_.close(); }

 private:
  static constexpr uint64_t kTimeOfACycle = 10;

  template <class Model>
  void open(Model& top) {
    constexpr int kAllLevels = 99;
    top.contextp()->traceEverOn(true);
    top.trace(&fst_, kAllLevels);
    fst_.set_time_unit("1ns");
    fst_.set_time_resolution("1ns");
    fst_.open(request_.path.c_str());
  }

  const WaveformRequest request_;
  uint64_t cycle_ = 0;
  VerilatedFstC fst_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_FST_WAVEFORM_H_
