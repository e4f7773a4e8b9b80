// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hw/isa/program_bytes.h"
#include "tests/support/program_generator.h"

namespace vta::support {

GeneratedProgram program_after_data(std::vector<uint8_t> data,
                                    const std::vector<isa::Instruction>& program,
                                    const CoreConfig& config) {
  std::vector<isa::InstructionBits> stream;
  for (const isa::Instruction& in : program) stream.push_back(isa::encode(in, config));
  const std::span<const uint8_t> bytes = isa::bytes_of(stream);
  constexpr size_t kAlignment = isa::kInstructionBytes;
  data.resize((data.size() + kAlignment - 1) / kAlignment * kAlignment);
  GeneratedProgram result{std::move(data), 0, static_cast<uint32_t>(stream.size())};
  result.program_offset_bytes = result.arena.size();
  result.arena.insert(result.arena.end(), bytes.begin(), bytes.end());
  return result;
}

}  // namespace vta::support
