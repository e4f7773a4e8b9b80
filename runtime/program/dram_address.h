// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_PROGRAM_DRAM_ADDRESS_H_
#define VTA_RUNTIME_PROGRAM_DRAM_ADDRESS_H_

#include <cstdint>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"

namespace vta {

// Address of a byte in the arena, relative to the constant image or to the activations, whose
// offset is known only when the image is complete.
struct DramAddress {
  enum class Area { kImage, kActivations };
  Area area = Area::kImage;
  uint64_t offset_bytes = 0;

  DramAddress operator+(uint64_t bytes) const { return {area, offset_bytes + bytes}; }
};

// Bytes of one element of `memory` (isa::MemoryId) in DRAM.
uint32_t dram_elem_bytes(uint32_t memory, const CoreConfig& core);

// Where the last row of a LOAD or STORE of at least one row ends, in bytes of DRAM.
uint64_t dram_end_bytes(const isa::Instruction& transfer, const CoreConfig& core);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_DRAM_ADDRESS_H_
