// SPDX-License-Identifier: Apache-2.0
//
// Transfer: a LOAD or STORE with its DRAM address, and the limits of its fields.
#ifndef VTA_COMPILER_LOWER_TRANSFER_H_
#define VTA_COMPILER_LOWER_TRANSFER_H_

#include <cstdint>

#include "compiler/lower/stream_builder.h"
#include "hw/isa/instruction.h"

namespace vta::lower {

// The largest value of a field whose width does not depend on the core.
constexpr int64_t max_of(isa::FieldId id) {
  return static_cast<int64_t>(isa::field_mask(isa::field(id, isa::IsaWidths{})));
}

// Limits of LOAD and STORE: of each pad; of sizes and strides.
inline constexpr int64_t kMaxPad = max_of(isa::kMemory_y_pad_0);
inline constexpr int64_t kMaxExtent = max_of(isa::kMemory_x_size);
static_assert(kMaxExtent == max_of(isa::kMemory_y_size) &&
              kMaxExtent == max_of(isa::kMemory_x_stride));

// From the signed numbers of lowering to unsigned fields of instructions.
constexpr uint32_t u32(int64_t value) { return static_cast<uint32_t>(value); }

struct Transfer {
  isa::Instruction instruction;
  DramAddress address;
};

// A LOAD of `elems` contiguous elements.
inline isa::Instruction load_of_run(isa::MemoryId memory, uint32_t sram_base, int64_t elems) {
  isa::Instruction load;
  load.opcode = isa::kLoad;
  load.memory = memory;
  load.sram_base = sram_base;
  load.y_size = 1;
  load.x_size = load.x_stride = u32(elems);
  return load;
}

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_TRANSFER_H_
