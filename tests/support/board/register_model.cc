// SPDX-License-Identifier: Apache-2.0
#include "tests/support/board/register_model.h"

#include <algorithm>
#include <utility>

#include "tests/support/board/core_words.h"

namespace vta::support {
namespace {

using namespace hw;

const RegisterInfo* find_register(uint32_t offset) {
  const auto found =
      std::find_if(std::begin(kRegisters), std::end(kRegisters), [&](const RegisterInfo& info) {
        return offset >= info.offset && offset < info.offset + info.bits / 8 && offset % 4 == 0;
      });
  return found == std::end(kRegisters) ? nullptr : found;
}

Stage stage_of(const std::string& name) {
#define VTA_STAGE(stage, number) \
  if (name == #stage) return kStage_##stage;
#include "hw/registers/registers.def"
  fail(ErrorCode::kInvalidArgument, "no stage {}", name);
}

}  // namespace

RegisterModel::RegisterModel(const CoreConfig& core, sim::CoreRunner runner, BusMemory memory,
                             uint32_t clock_hz)
    : runner_(std::move(runner)), memory_(memory) {
  words = core_words(core);
  words[kRegister_clock_hz] = clock_hz;
  reset();
}

uint32_t RegisterModel::read(uint32_t offset) {
  if (find_register(offset) == nullptr) {
    fail(ErrorCode::kDevice, "read of {:#x}, which is not a register", offset);
  }
  const auto found = words.find(offset);
  return found == words.end() ? 0 : found->second;
}

void RegisterModel::write(uint32_t offset, uint32_t value) {
  const RegisterInfo* info = find_register(offset);
  if (info == nullptr) fail(ErrorCode::kDevice, "write to {:#x}, which is not a register", offset);
  const bool runs = words[kRegister_status] == kBits_status_running;
  if (info->access == RegisterAccess::kReadWrite && !runs) words[offset] = value;
  if (offset != kRegister_control) return;
  if ((value & kBits_control_soft_reset) != 0) reset();
  if ((value & kBits_control_start) != 0 && words[kRegister_status] == kBits_status_idle) start();
}

void RegisterModel::write64(uint32_t offset, uint64_t value) {
  words[offset] = static_cast<uint32_t>(value);
  words[offset + 4] = static_cast<uint32_t>(value >> 32);
}

// Settings and configuration keep their values.
void RegisterModel::reset() {
  for (const RegisterInfo& info : kRegisters) {
    if (info.offset < kRegister_fault_code) continue;
    for (uint32_t byte = 0; byte < info.bits / 8; byte += 4) words[info.offset + byte] = 0;
  }
  words[kRegister_status] = kBits_status_idle;
}

void RegisterModel::start() {
  const uint64_t base = words[kRegister_dram_base_bytes];
  const uint64_t size = read_register64(*this, kRegister_dram_size_bytes);
  words[kRegister_status] = kBits_status_running;
  const bool is_there = base >= memory_.base && base - memory_.base <= memory_.bytes.size() &&
                        size <= memory_.bytes.size() - (base - memory_.base);
  if (!is_there) {
    words[kRegister_bus_error] = kBits_bus_error_fetch_port | kBits_bus_error_store_port;
    words[kRegister_status] = kBits_status_fault;
    return;
  }
  end(runner_(memory_.bytes.data() + (base - memory_.base), size,
              words[kRegister_program_offset_bytes], words[kRegister_num_instructions],
              std::chrono::steady_clock::time_point::max()));
}

void RegisterModel::end(const sim::NativeRun& run) {
  if (run.timed_out) return;
  set_counters(run.counters);
  if (run.fault == isa::kNoFault) {
    words[kRegister_status] = kBits_status_done;
    return;
  }
  words[kRegister_status] = kBits_status_fault;
  words[kRegister_fault_code] = run.fault;
  words[kRegister_fault_index] = run.index;
  write64(kRegister_fault_value, run.value);
  for (const driver::WaitingStage& waiting : run.waiting) {
    const Stage stage = stage_of(waiting.stage);
    words[kRegister_status] |= kBits_status_stage_busy & (256u << stage);
    if (waiting.index == run.index) words[kRegister_fault_stage] = stage;
  }
}

void RegisterModel::set_counters(const Counters& counters) {
#define VTA_COUNTER(offset, name, description) write64(kRegister_##name, counters.name);
#include "hw/registers/registers.def"
  write64(kRegister_cycles, counters.cycles.value_or(1) + kRunEndCycles - 1);
  set_stages(counters.stages.value_or(StageCycles{}));
}

void RegisterModel::set_stages(const StageCycles& stages) {
  for (uint32_t stage = 0; stage < kNumCycleStages; ++stage) {
    for (uint32_t state = 0; state < kNumStageStates; ++state) {
      // As counted by the hardware (driver/register_device.cc).
      const uint64_t more = state == kStageState_idle ? kRunEndCycles : 0;
      const uint64_t less = state == kStageState_busy ? 1 : 0;
      write64(stage_cycles_register(static_cast<Stage>(stage), static_cast<StageState>(state)),
              stages.of[stage][state] + more - less);
    }
  }
}

}  // namespace vta::support
