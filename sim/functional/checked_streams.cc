// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/checked_streams.h"

#include <algorithm>

#include "base/files/keyed_hash.h"

namespace vta::sim {
namespace {

constexpr size_t kMaxRemembered = 1024;  // several networks, a stream for each layer

std::span<const uint8_t> bytes_of(std::span<const isa::InstructionBits> stream) {
  return {reinterpret_cast<const uint8_t*>(stream.data()), stream.size_bytes()};
}

}  // namespace

// Micro-ops beyond the arena are left out: their loads end in a fault.
uint64_t CheckedStreams::hash_of(std::span<const isa::InstructionBits> stream,
                                 std::span<const uint8_t> arena,
                                 const StreamExecution::CheckTime& check_time) const {
  KeyedHash hash(KeyedHash::process_key());
  hash.add(bytes_of(stream));
  const isa::Field opcode = isa::field(isa::kMemory_opcode, isa::widths_of(core_));
  for (const isa::InstructionBits& bits : stream) {
    if (isa::extract(bits.lo, opcode) != isa::kLoad) continue;  // cheaper than to decode it
    const isa::Instruction i = isa::decode(bits, core_);
    if (i.opcode != isa::kLoad || i.memory != isa::kUop || i.x_size == 0) continue;
    if (uint64_t{i.x_size} * i.y_size > core_.uop_depth()) continue;
    check_time();
    for (uint64_t y = 0; y < i.y_size; ++y) {
      const uint64_t first = (i.dram_base + y * i.x_stride) * core_.uop_elem_bytes();
      const uint64_t size = uint64_t{i.x_size} * core_.uop_elem_bytes();
      if (first + size > arena.size()) break;
      hash.add(arena.subspan(first, size));
    }
  }
  return hash.value();
}

std::string CheckedStreams::flaw_of(std::span<const isa::InstructionBits> stream,
                                    std::span<const uint8_t> arena, uint64_t program_offset_bytes,
                                    const StreamExecution::CheckTime& check_time) {
  const Checked checked{hash_of(stream, arena, check_time), stream.size(), program_offset_bytes,
                        arena.size()};
  const auto known = std::ranges::find(without_flaw_, checked);
  if (known != without_flaw_.end()) {
    without_flaw_.splice(without_flaw_.begin(), without_flaw_, known);
    return "";
  }
  const uint64_t program_end = program_offset_bytes + stream.size() * isa::kInstructionBytes;
  const StreamFlaws flaws = find_flaws(
      stream, core_, {arena, arena.size(), program_offset_bytes, program_end}, check_time);
  if (flaws.race || flaws.unloaded) return flaw_message(flaws, stream, core_);
  without_flaw_.push_front(checked);
  if (without_flaw_.size() > kMaxRemembered) without_flaw_.pop_back();
  return "";
}

}  // namespace vta::sim
