// SPDX-License-Identifier: Apache-2.0
//
// The golden interpreter: runs an instruction stream according to the ISA chapter, slowly and
// simply. It shares no code with the core (hw/core) or the decoder (hw/isa) except the list of
// fault codes.
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
  // The order of the stages' actions. Any order is allowed, and the result of a legal program does
  // not depend on it. 0: as early as possible, in the order fetch, load, gemm, alu, store, compute;
  // other values are random seeds.
  uint64_t schedule_seed = 0;
  uint64_t max_micro_ops = UINT64_MAX;  // the run stops after this number
  // Instructions in the queue of each compute stage; 0: command_queue_depth. How many a core's
  // queues hold depends on the instructions (docs/instruction_set.md, Order), and so does how far
  // fetch runs ahead of a deadlock.
  uint32_t compute_queue_depth = 0;
};

struct GoldenFault {
  isa::FaultCode code = isa::kNoFault;
  uint32_t index = 0;
  uint64_t value = 0;
  bool operator==(const GoldenFault&) const = default;
};

struct GoldenResult {
  std::optional<GoldenFault> fault;
  hw::Counters counters;           // valid only without a fault; `cycles` is empty
  std::optional<GoldenRace> race;  // the program is illegal; its result may differ between devices
  std::optional<GoldenUnwrittenRead> unwritten_read;  // as with a race
  std::vector<std::string> waits;  // what the stages waited for at the end, for messages
  bool gave_up = false;            // max_micro_ops was reached; all else is invalid
};

// Runs `count` instructions from `program_offset_bytes` of the arena. `arena`: the memory
// accessible to the program; holds its stores afterwards. Scratchpads start as zeros.
GoldenResult run_golden(const CoreConfig& config, std::span<uint8_t> arena,
                        uint64_t program_offset_bytes, uint32_t count,
                        const GoldenOptions& options = {});

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_GOLDEN_INTERPRETER_H_
