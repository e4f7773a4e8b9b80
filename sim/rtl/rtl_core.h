// SPDX-License-Identifier: Apache-2.0
//
// hw/core as Verilated SystemVerilog, behind an interface that hides the configuration.
#ifndef VTA_SIM_RTL_RTL_CORE_H_
#define VTA_SIM_RTL_RTL_CORE_H_

#include <array>
#include <chrono>
#include <memory>

#include "configs/core_config.h"
#include "configs/memory_config.h"
#include "sim/functional/native_core.h"

namespace vta::sim {

// Told of each beat that the core writes to DRAM, in their order. What it throws ends the run; the
// core can run again.
class WriteObserver {
 public:
  virtual ~WriteObserver() = default;
  virtual void beat_written(uint64_t cycle, uint64_t address, uint64_t value) = 0;
};

class RtlCore {
 public:
  virtual ~RtlCore() = default;

  // As NativeCore::run(), clock by clock; the result's counters have cycles: from the cycle in
  // which the run is asked for to the last one in which anything moves. `observer` may be null.
  virtual NativeRun run(uint8_t* arena, uint64_t arena_bytes, uint32_t program_offset_bytes,
                        uint32_t count, std::chrono::steady_clock::time_point deadline,
                        WriteObserver* observer) = 0;
};

// Errors: kUnsupported if no Verilated core has the values of `config`; names the CMake list to
// extend.
std::unique_ptr<RtlCore> make_rtl_core(const CoreConfig& config, const MemoryConfig& memory);

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_RTL_CORE_H_
