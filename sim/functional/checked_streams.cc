// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/checked_streams.h"

#include <algorithm>

namespace vta::sim {
namespace {

constexpr size_t kMaxRemembered = 16;
// Longer streams are checked again in each run.
constexpr size_t kMaxRememberedInstructions = size_t{1} << 20;

}  // namespace

// Micro-ops beyond the arena are left out: their loads end in a fault.
std::vector<uint8_t> CheckedStreams::uops_of(std::span<const isa::InstructionBits> stream,
                                             std::span<const uint8_t> arena) const {
  std::vector<uint8_t> bytes;
  for (const isa::InstructionBits& bits : stream) {
    const isa::Instruction i = isa::decode(bits, core_);
    if (i.opcode != isa::kLoad || i.memory != isa::kUop || i.x_size == 0) continue;
    if (uint64_t{i.x_size} * i.y_size > core_.uop_depth()) continue;
    for (uint64_t y = 0; y < i.y_size; ++y) {
      const uint64_t first = (i.dram_base + y * i.x_stride) * core_.uop_elem_bytes();
      const uint64_t size = uint64_t{i.x_size} * core_.uop_elem_bytes();
      if (first + size > arena.size()) break;
      bytes.insert(bytes.end(), &arena[first], &arena[first] + size);
    }
  }
  return bytes;
}

std::string CheckedStreams::race_of(std::span<const isa::InstructionBits> stream,
                                    std::span<const uint8_t> arena, uint64_t program_offset_bytes,
                                    const program::StreamExecution::CheckTime& check_time) {
  const bool remembers = stream.size() <= kMaxRememberedInstructions;
  Checked checked{{}, {}, program_offset_bytes, arena.size()};
  if (remembers) {
    checked.stream.assign(stream.begin(), stream.end());
    checked.uops = uops_of(stream, arena);
    const auto known = std::ranges::find(without_race_, checked);
    if (known != without_race_.end()) {
      without_race_.splice(without_race_.begin(), without_race_, known);
      return "";
    }
  }
  const uint64_t program_end = program_offset_bytes + stream.size() * isa::kInstructionBytes;
  if (const auto race = program::find_race(
          stream, core_, {arena, arena.size(), program_offset_bytes, program_end}, check_time))
    return program::race_message(*race, stream, core_);
  if (remembers) {
    without_race_.push_front(std::move(checked));
    if (without_race_.size() > kMaxRemembered) without_race_.pop_back();
  }
  return "";
}

}  // namespace vta::sim
