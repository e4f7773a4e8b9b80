// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden_access_log.h"

namespace vta::support {

const char* to_string(GoldenPlace place) {
  constexpr const char* kNames[] = {"UOP", "WGT", "INP", "ACC", "OUT", "DRAM"};
  return kNames[static_cast<int>(place)];
}

AccessLog::AccessLog(const CoreConfig& config, uint64_t arena_bytes, uint64_t program_offset_bytes,
                     uint32_t num_instructions)
    : program_offset_bytes_(program_offset_bytes), authors_(num_instructions) {
  const auto resize = [&](GoldenPlace place, uint64_t size) {
    entries_[static_cast<int>(place)].resize(size);
  };
  resize(GoldenPlace::kUop, config.uop_depth());
  resize(GoldenPlace::kWgt, config.wgt_depth());
  resize(GoldenPlace::kInp, config.inp_depth());
  resize(GoldenPlace::kAcc, config.acc_depth());
  resize(GoldenPlace::kOut, config.acc_depth());
  resize(GoldenPlace::kDram, arena_bytes / kDramGranuleBytes);
}

void AccessLog::begin_instruction(uint32_t index, GoldenStage stage, const GoldenClock& clock) {
  index_ = index;
  stage_ = stage;
  clock_ = clock;
  authors_[index] = {stage, clock[static_cast<int>(stage)]};
}

void AccessLog::read(GoldenPlace place, uint64_t element) {
  Entry& entry = entries_[static_cast<int>(place)][element];
  check_ordered(entry.write, place, element);
  if (entry.write == 0 && place != GoldenPlace::kDram && !first_unwritten_read_) {
    first_unwritten_read_ = GoldenUnwrittenRead{index_, place, element};
  }
  entry.reads[static_cast<int>(stage_)] = index_ + 1;
}

void AccessLog::write(GoldenPlace place, uint64_t element) {
  Entry& entry = entries_[static_cast<int>(place)][element];
  check_ordered(entry.write, place, element);
  for (uint32_t reader : entry.reads) check_ordered(reader, place, element);
  entry.write = index_ + 1;
}

void AccessLog::read_dram(uint64_t offset_bytes, uint64_t size_bytes) {
  for (uint64_t byte = offset_bytes; byte < offset_bytes + size_bytes; byte += kDramGranuleBytes) {
    read(GoldenPlace::kDram, byte / kDramGranuleBytes);
  }
}

void AccessLog::write_dram(uint64_t offset_bytes, uint64_t size_bytes) {
  for (uint64_t byte = offset_bytes; byte < offset_bytes + size_bytes; byte += kDramGranuleBytes) {
    write(GoldenPlace::kDram, byte / kDramGranuleBytes);
    const uint64_t program_end_bytes = program_offset_bytes_ + authors_.size() * 16;
    if (byte >= program_offset_bytes_ && byte < program_end_bytes && !first_race_) {
      const auto overwritten = static_cast<uint32_t>((byte - program_offset_bytes_) / 16);
      first_race_ = GoldenRace{overwritten, index_, GoldenPlace::kDram, byte};
    }
  }
}

void AccessLog::check_ordered(uint32_t earlier, GoldenPlace place, uint64_t element) {
  if (earlier == 0 || first_race_) return;
  const Author& author = authors_[earlier - 1];
  if (clock_[static_cast<int>(author.stage)] >= author.position) return;
  const uint64_t scale = place == GoldenPlace::kDram ? kDramGranuleBytes : 1;
  first_race_ = GoldenRace{earlier - 1, index_, place, element * scale};
}

}  // namespace vta::support
