// SPDX-License-Identifier: Apache-2.0
//
// hw/core compiled natively, with an interface that hides the configuration.
#ifndef VTA_SIM_FUNCTIONAL_NATIVE_CORE_H_
#define VTA_SIM_FUNCTIONAL_NATIVE_CORE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "base/limits/deadline.h"
#include "configs/core_config.h"
#include "driver/device.h"
#include "driver/fault_message.h"
#include "hw/core/observer.h"
#include "hw/hls/burst.h"

namespace vta::sim {

using driver::WaitingStage;

struct NativeRun {
  bool timed_out = false;
  isa::FaultCode fault = isa::kNoFault;
  uint32_t index = 0;
  uint64_t value = 0;
  std::vector<WaitingStage> waiting;  // of a deadlock
  hw::Counters counters;
};

// Receives the core's own reads of a program: instructions and micro-ops.
struct ProgramBeats {
  hls::beat_sink* fetch = nullptr;
  hls::beat_sink* uop = nullptr;
};

class NativeCore {
 public:
  virtual ~NativeCore() = default;

  // Records the reads of the following runs; null: no recording.
  virtual void record(const ProgramBeats& beats) = 0;

  // Runs `count` instructions at `program_offset_bytes` of the arena until the core is quiet.
  // Scratchpads keep their contents from run to run, as in hardware; all other state is reset.
  // `observer` may be null.
  virtual NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes,
                        uint32_t count, const Deadline& deadline, core::Observer* observer) = 0;
};

// How a native core executes GEMM, ALU, LOAD and STORE: micro-op by micro-op and beat by beat, as
// hw/core is written, or as vector loops (fast_core.h). Both give the same bytes, counters, faults.
enum class NativeLoops { kAsWritten, kVectors };

// Errors: kUnsupported if no compiled core has the values of `config`; lists the compiled cores.
std::unique_ptr<NativeCore> make_native_core(const CoreConfig& config,
                                             NativeLoops loops = NativeLoops::kAsWritten);

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_NATIVE_CORE_H_
