// SPDX-License-Identifier: Apache-2.0
//
// Instructions as they lie in memory: 16 bytes each, little-endian, one behind the other.
#ifndef VTA_HW_ISA_PROGRAM_BYTES_H_
#define VTA_HW_ISA_PROGRAM_BYTES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "hw/isa/instruction.h"

namespace vta::isa {

// The bytes of `program` itself: they live as long as it does.
std::span<const uint8_t> bytes_of(std::span<const InstructionBits> program);

// A copy, of bytes at any alignment. Less than an instruction at the end is left out.
std::vector<InstructionBits> instructions_in(std::span<const uint8_t> bytes);

}  // namespace vta::isa

#endif  // VTA_HW_ISA_PROGRAM_BYTES_H_
