// SPDX-License-Identifier: Apache-2.0
#include "sim/rtl/lockstep_run.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "hw/isa/program_bytes.h"

namespace vta::sim {
namespace {

struct StoredBeat {
  uint32_t index;  // of the instruction
  uint32_t address;
  uint64_t value;
};

class StoreLog : public core::Observer {
 public:
  void beat_stored(uint32_t index, uint32_t address, uint64_t value) override {
    beats.push_back({index, address, value});
  }

  std::vector<StoredBeat> beats;
};

class Comparison : public WriteObserver {
 public:
  Comparison(const LockstepCores& cores, const LockstepProgram& program,
             const std::vector<StoredBeat>& expected)
      : config_(cores.config),
        stream_(isa::instructions_in({program.arena + program.program_offset_bytes,
                                      size_t{program.count} * isa::kInstructionBytes})),
        expected_(expected) {}

  void beat_written(uint64_t cycle, uint64_t address, uint64_t value) override {
    if (next_ == expected_.size()) {
      fail(ErrorCode::kDevice,
           "lockstep: RTL writes {:#018x} to address {:#x} in cycle {}, functional ends after "
           "{} beats",
           value, address, cycle, expected_.size());
    }
    const StoredBeat& beat = expected_[next_++];
    if (beat.address == address && beat.value == value) return;
    fail(ErrorCode::kDevice,
         "lockstep: {}: functional writes {:#018x} to address {:#x}, RTL {:#018x} to address {:#x} "
         "in cycle {}",
         instruction(beat.index), beat.value, beat.address, value, address, cycle);
  }

  void expect_no_more() const {
    if (next_ == expected_.size()) return;
    const StoredBeat& beat = expected_[next_];
    fail(ErrorCode::kDevice,
         "lockstep: {}: functional writes {:#018x} to address {:#x}, RTL ends before",
         instruction(beat.index), beat.value, beat.address);
  }

 private:
  std::string instruction(uint32_t index) const {
    return fmt::format("instruction {} ({})", index,
                       isa::disassemble(isa::decode(stream_.at(index), config_)));
  }

  const CoreConfig& config_;
  std::vector<isa::InstructionBits> stream_;  // as it is before the run
  const std::vector<StoredBeat>& expected_;
  size_t next_ = 0;
};

std::string end_text(const NativeRun& run) {
  if (run.fault == isa::kNoFault) return "no fault";
  return fmt::format("{} (value {}) at instruction {}", isa::to_string(run.fault), run.value,
                     run.index);
}

void compare_counters(const hw::Counters& functional, const hw::Counters& rtl) {
  const auto compare = [](const char* name, uint64_t expected, uint64_t value) {
    if (expected == value) return;
    fail(ErrorCode::kDevice, "lockstep: {} is {} in the functional simulator, {} in RTL", name,
         expected, value);
  };
#define VTA_COUNTER(offset, name, description) compare(#name, functional.name, rtl.name);
#include "hw/registers/registers.def"
}

void compare_ends(const NativeRun& functional, const NativeRun& rtl,
                  const std::vector<uint8_t>& expected, const uint8_t* arena) {
  if (functional.fault != rtl.fault || functional.index != rtl.index ||
      functional.value != rtl.value) {
    fail(ErrorCode::kDevice, "lockstep: functional ends with {}, RTL with {}", end_text(functional),
         end_text(rtl));
  }
  if (rtl.fault == isa::kNoFault) compare_counters(functional.counters, rtl.counters);
  const auto [byte, own] = std::mismatch(expected.begin(), expected.end(), arena);
  if (byte == expected.end()) return;
  fail(ErrorCode::kDevice,
       "lockstep: byte {:#x} of the arena is {:#04x} in the functional simulator, {:#04x} in RTL",
       byte - expected.begin(), *byte, *own);
}

}  // namespace

NativeRun run_in_lockstep(const LockstepCores& cores, const LockstepProgram& program) {
  std::vector<uint8_t> arena(program.arena, program.arena + program.arena_bytes);
  StoreLog log;
  const NativeRun functional =
      cores.functional.run(arena.data(), program.arena_bytes, program.program_offset_bytes,
                           program.count, program.deadline, &log);
  if (functional.timed_out) return functional;
  Comparison comparison(cores, program, log.beats);
  const NativeRun rtl =
      cores.rtl.run(program.arena, program.arena_bytes, program.program_offset_bytes, program.count,
                    program.deadline, &comparison);
  if (rtl.timed_out) return rtl;
  comparison.expect_no_more();
  compare_ends(functional, rtl, arena, program.arena);
  return rtl;
}

}  // namespace vta::sim
