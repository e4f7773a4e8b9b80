// SPDX-License-Identifier: Apache-2.0
//
// The second golden model: runs an instruction stream as the ISA chapter describes it, slowly and
// plainly. It shares no code with the core (hw/core) and none with the decoder (hw/isa) but the
// list of fault codes.
#ifndef VTA_TESTS_SUPPORT_GOLDEN_INTERPRETER_H_
#define VTA_TESTS_SUPPORT_GOLDEN_INTERPRETER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "driver/device.h"
#include "hw/isa/layout.h"
#include "tests/support/golden_access_log.h"

namespace vta::support {

struct GoldenOptions {
  // In which order the stages take their steps: any order is allowed, and a legal program does not
  // notice. 0: as early as possible, in the order fetch, load, gemm, alu, store, compute; others:
  // drawn from the seed.
  uint64_t schedule_seed = 0;
  uint64_t max_micro_ops = UINT64_MAX;  // gives up beyond
};

struct GoldenFault {
  isa::FaultCode code = isa::kNoFault;
  uint32_t index = 0;
  uint64_t value = 0;
  bool operator==(const GoldenFault&) const = default;
};

struct GoldenResult {
  std::optional<GoldenFault> fault;
  driver::Counters counters;  // means something only without a fault; `cycles` stays empty
  std::optional<GoldenRace>
      race;  // the program is not legal; its result may differ between devices
  std::optional<GoldenUnwrittenRead> unwritten_read;  // as with a race
  std::vector<std::string> waits;  // what the stages waited for at the end, for messages
  bool gave_up = false;            // max_micro_ops; nothing else means anything then
};

// Runs `count` instructions from `program_offset_bytes` of the arena; `arena` is what the program
// may access, and holds its stores afterwards. Scratchpads start as zeros.
GoldenResult run_golden(const CoreConfig& config, std::span<uint8_t> arena,
                        uint64_t program_offset_bytes, uint32_t count,
                        const GoldenOptions& options = {});

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_GOLDEN_INTERPRETER_H_
