// SPDX-License-Identifier: Apache-2.0
//
// Recording: keeps what a report shows of the runs of a device.
#ifndef VTA_SIM_ANALYSIS_REPORT_RECORDING_H_
#define VTA_SIM_ANALYSIS_REPORT_RECORDING_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/timed/run_listener.h"

namespace vta::sim {

// An instruction in the process of its stage that moves the data, in cycles of its run. Of a load
// and a store this is the process after the one that takes their tokens.
struct InstructionSpan {
  uint64_t begin = 0, end = 0;
  uint64_t token_cycles = 0, memory_cycles = 0;  // waits in it
  uint32_t index = 0;
};

// Cycles in which gemm waits, by the channel that it waits for, which is the cause.
struct GemmStall {
  const char* channel;  // "load_to_gemm"
  const char* cause;    // "operands are not loaded yet"
  uint64_t cycles = 0;
};

// One layer of a run, from the end of the layer before to its own end.
struct RecordedPart {
  std::string name;
  uint32_t first_instruction = 0, end_instruction = 0;
  uint64_t begin = 0, end = 0;    // cycles of the run
  std::vector<GemmStall> stalls;  // every channel of gemm
};

struct RecordedDeviceRun {
  std::string name;
  uint64_t first_cycle = 0, cycles = 0;
  std::vector<RecordedPart> parts;
  std::vector<isa::Instruction> instructions;
  std::array<std::vector<InstructionSpan>, hw::kNumCycleStages> spans;  // without carriers
  std::array<std::vector<uint32_t>, kNumMemoryMasters> beats;           // BeatCounts::beats()
};

class Recording final : public RunListener {
 public:
  void begin(const driver::DeviceDescription& device) override { core_ = device.core; }
  void add(const RecordedRun& run) override;

  const std::vector<RecordedDeviceRun>& runs() const { return runs_; }

 private:
  CoreConfig core_;
  std::vector<RecordedDeviceRun> runs_;
};

// All channels that gemm can wait for, with 0 cycles.
std::vector<GemmStall> gemm_stalls();

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_RECORDING_H_
