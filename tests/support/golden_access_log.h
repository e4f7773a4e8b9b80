// SPDX-License-Identifier: Apache-2.0
//
// The happens-before check: finds two accesses of different stages to one location, one of them a
// write, that are ordered neither by queues nor by tokens.
#ifndef VTA_TESTS_SUPPORT_GOLDEN_ACCESS_LOG_H_
#define VTA_TESTS_SUPPORT_GOLDEN_ACCESS_LOG_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "configs/core_config.h"
#include "tests/support/golden_instruction.h"

namespace vta::support {

// A vector clock: per stage, the number of instructions known to be complete.
using GoldenClock = std::array<uint32_t, kNumGoldenStages>;

// A location: one element of a scratchpad, or 4 bytes of DRAM.
enum class GoldenPlace { kUop, kWgt, kInp, kAcc, kOut, kDram };
inline constexpr int kNumGoldenPlaces = 6;
const char* to_string(GoldenPlace place);

struct GoldenRace {
  uint32_t first_index = 0;  // the instructions, in the order of execution in this run
  uint32_t second_index = 0;
  GoldenPlace place = GoldenPlace::kDram;
  uint64_t element = 0;  // in DRAM: a byte offset from the arena's start
};

// A scratchpad element that is read before it was written: its value is undefined.
struct GoldenUnwrittenRead {
  uint32_t index = 0;
  GoldenPlace place = GoldenPlace::kUop;
  uint64_t element = 0;
};

class AccessLog {
 public:
  // 4 bytes divide the size and the alignment of every element, so that a granule is accessed as a
  // whole.
  static constexpr uint64_t kDramGranuleBytes = 4;

  // `program_offset_bytes`: of the first instruction. Fetch reads ahead, so a write to an
  // instruction is never ordered with its fetch: it always counts as a race with that instruction.
  AccessLog(const CoreConfig& config, uint64_t arena_bytes, uint64_t program_offset_bytes,
            uint32_t num_instructions);

  // The following accesses are made by instruction `index` of `stage`, which knows `clock`; its own
  // entry includes this instruction.
  void begin_instruction(uint32_t index, GoldenStage stage, const GoldenClock& clock);
  void read(GoldenPlace place, uint64_t element);
  void write(GoldenPlace place, uint64_t element);
  void read_dram(uint64_t offset_bytes, uint64_t size_bytes);
  void write_dram(uint64_t offset_bytes, uint64_t size_bytes);

  const std::optional<GoldenRace>& first_race() const { return first_race_; }
  const std::optional<GoldenUnwrittenRead>& first_unwritten_read() const {
    return first_unwritten_read_;
  }

 private:
  // Instruction indices plus one; 0 for none. The last write and the last read of each stage
  // suffice: earlier accesses were ordered before them, or a race was already found.
  struct Entry {
    uint32_t write = 0;
    std::array<uint32_t, kNumGoldenStages> reads{};
  };
  struct Author {
    GoldenStage stage = GoldenStage::kLoad;
    uint32_t position = 0;  // in its stage, from 1
  };

  void check_ordered(uint32_t earlier, GoldenPlace place, uint64_t element);

  std::array<std::vector<Entry>, kNumGoldenPlaces> entries_;
  uint64_t program_offset_bytes_;
  std::vector<Author> authors_;  // by instruction index
  uint32_t index_ = 0;
  GoldenStage stage_ = GoldenStage::kLoad;
  GoldenClock clock_{};
  std::optional<GoldenRace> first_race_;
  std::optional<GoldenUnwrittenRead> first_unwritten_read_;
};

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_GOLDEN_ACCESS_LOG_H_
