// SPDX-License-Identifier: Apache-2.0
#include "driver/snapshots.h"

#include <algorithm>

#include "hw/registers/registers.h"

namespace vta::driver {
namespace {

constexpr uint32_t kMaxEnd =
    (1u << 24) - 1;  // the table has 24 bits for the index of an instruction
constexpr uint64_t kMaxCycles = UINT32_MAX;  // 43 seconds at 100 MHz
// The simulators count a first cycle, in which all stages leave reset.
constexpr uint64_t kFirstCycles = 1;

}  // namespace

Snapshots::Snapshots(hw::RegisterBus& bus)
    : bus_(bus), depth_(bus.read(hw::kRegister_snapshot_depth)) {
  bus_.write(hw::kRegister_snapshot_parts, 0);
}

size_t Snapshots::arm(std::span<const RunPart> parts) {
  if (parts.empty() || parts.size() > depth_ || parts.back().end > kMaxEnd) return 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    bus_.write(hw::kRegister_snapshot_select, static_cast<uint32_t>(i));
    bus_.write(hw::kRegister_snapshot_end, parts[i].end);
  }
  armed_ = static_cast<uint32_t>(parts.size());
  bus_.write(hw::kRegister_snapshot_parts, armed_);
  return armed_;
}

void Snapshots::disarm() {
  if (armed_ == 0) return;
  armed_ = 0;
  bus_.write(hw::kRegister_snapshot_parts, 0);
}

std::vector<PartEnd> Snapshots::read(size_t parts, uint64_t run_cycles) {
  std::vector<PartEnd> ends;
  if (run_cycles > kMaxCycles) return ends;
  uint64_t latest = 0;
  for (size_t i = 0; i < parts; ++i) {
    bus_.write(hw::kRegister_snapshot_select, static_cast<uint32_t>(i));
    latest = std::min(std::max(latest, end_of_selected()), run_cycles);
    ends.push_back({latest, std::nullopt});
  }
  return ends;
}

uint64_t Snapshots::end_of_selected() {
  uint32_t latest = 0;
  for (uint32_t offset : {hw::kRegister_snapshot_load, hw::kRegister_snapshot_gemm,
                          hw::kRegister_snapshot_alu, hw::kRegister_snapshot_store})
    latest = std::max(latest, bus_.read(offset));
  return latest == 0 ? 0 : latest + kFirstCycles;
}

}  // namespace vta::driver
