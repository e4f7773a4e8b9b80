// SPDX-License-Identifier: Apache-2.0
//
// Instructions as bytes in memory: 16 bytes each, little-endian, contiguous.
#ifndef VTA_HW_ISA_PROGRAM_BYTES_H_
#define VTA_HW_ISA_PROGRAM_BYTES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "hw/isa/instruction.h"

namespace vta::isa {

// A view of the bytes of `program`.
std::span<const uint8_t> bytes_of(std::span<const InstructionBits> program);

// Copies instructions from bytes at any alignment. An incomplete instruction at the end is dropped.
std::vector<InstructionBits> instructions_in(std::span<const uint8_t> bytes);

}  // namespace vta::isa

#endif  // VTA_HW_ISA_PROGRAM_BYTES_H_
