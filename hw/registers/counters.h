// SPDX-License-Identifier: Apache-2.0
//
// Counters of one run of an instruction stream, the same on every device (docs/instruction_set.md,
// "Counters"). The list is registers.def.
#ifndef VTA_HW_REGISTERS_COUNTERS_H_
#define VTA_HW_REGISTERS_COUNTERS_H_

#include <cstdint>
#include <optional>

#include "hw/registers/stage_cycles.h"

namespace vta::hw {

struct Counters {
#define VTA_COUNTER(offset, name, description) uint64_t name = 0;
#include "hw/registers/registers.def"
  std::optional<uint64_t> cycles;                    // empty if the device does not count cycles
  std::optional<StageCycles> stages = std::nullopt;  // likewise

  // Bytes of all loads and stores of data and micro-ops.
  uint64_t dram_bytes() const {
    return inp_load_nbytes + wgt_load_nbytes + acc_load_nbytes + uop_load_nbytes + out_store_nbytes;
  }

  Counters& operator+=(const Counters& other);
  bool operator==(const Counters&) const = default;
};

}  // namespace vta::hw

#endif  // VTA_HW_REGISTERS_COUNTERS_H_
