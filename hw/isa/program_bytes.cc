// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/program_bytes.h"

#include <bit>
#include <cstring>

namespace vta::isa {

static_assert(std::endian::native == std::endian::little && sizeof(InstructionBits) == 16,
              "the host must store instructions as the core's memory does");

std::span<const uint8_t> bytes_of(std::span<const InstructionBits> program) {
  return {reinterpret_cast<const uint8_t*>(program.data()), program.size_bytes()};
}

std::vector<InstructionBits> instructions_in(std::span<const uint8_t> bytes) {
  std::vector<InstructionBits> program(bytes.size() / kInstructionBytes);
  if (!program.empty())
    std::memcpy(program.data(), bytes.data(), program.size() * kInstructionBytes);
  return program;
}

}  // namespace vta::isa
