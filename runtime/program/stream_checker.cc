// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/stream_checker.h"

#include <string>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "runtime/program/stream_races.h"

namespace vta {
namespace {

class Checker {
 public:
  Checker(std::span<const isa::InstructionBits> stream, const CoreConfig& core)
      : stream_(stream), core_(core) {}

  void check_encoding() const {
    if (stream_.empty()) fail(ErrorCode::kCorrupt, "stream: no instructions");
    for (uint32_t index = 0; index < stream_.size(); ++index) {
      if (const auto fault = isa::find_encoding_fault(stream_[index], core_))
        refuse(index, fmt::format("{} ({})", isa::to_string(fault->code), fault->value));
      const bool is_finish = isa::decode(stream_[index], core_).opcode == isa::kFinish;
      if (is_finish != (index + 1 == stream_.size()))
        refuse(index, "the last instruction must be FINISH, and no other");
    }
  }

  void check_execution(const StreamMemory& memory) const {
    StreamAccesses accesses(stream_, core_, memory);
    StreamExecution execution(stream_, core_);
    const StreamEnd end = execution.run(
        [&](const ExecutedInstruction& executed) {
          if (executed.instruction.opcode == isa::kFinish) check_finish(executed);
          return accesses.record(executed);
        },
        [] {});
    if (accesses.fault_index()) refuse(*accesses.fault_index(), accesses.fault());
    if (accesses.unknown_index())
      refuse(*accesses.unknown_index(),
             "its micro-ops are outside the constant image, or stored by the stream");
    if (accesses.foreign_source_index())
      refuse(*accesses.foreign_source_index(), "has an immediate, but its src is not its dst");
    if (accesses.first_race())
      fail(ErrorCode::kCorrupt, "{}", race_message(*accesses.first_race(), stream_, core_));
    check_end(end);
  }

 private:
  void check_finish(const ExecutedInstruction& finish) const {
    constexpr auto kStore = static_cast<size_t>(isa::Stage::kStore);
    for (uint32_t index = finish.index; index-- > 0;) {
      const isa::Instruction instruction = isa::decode(stream_[index], core_);
      if (instruction.opcode != isa::kStore || isa::is_carrier(instruction)) continue;
      if (finish.clock[kStore] <= index)
        refuse(index, "FINISH does not wait for this STORE, the last one");
      return;
    }
  }

  void check_end(const StreamEnd& end) const {
    if (end.tokens_at_change)
      refuse(*end.tokens_at_change,
             "tokens between gemm and alu where a plain instruction follows");
    std::string waiting;
    for (const uint32_t index : end.waiting) {
      if (!waiting.empty()) waiting += "; ";
      waiting += fmt::format("{} ({})", index, text(index));
    }
    if (!waiting.empty()) fail(ErrorCode::kCorrupt, "stream: deadlock, waiting: {}", waiting);
    if (end.tokens_left != 0)
      fail(ErrorCode::kCorrupt, "stream: {} left at the end", counted(end.tokens_left, "token"));
  }

  std::string text(uint32_t index) const {
    return isa::disassemble(isa::decode(stream_[index], core_));
  }
  [[noreturn]] void refuse(uint32_t index, const std::string& why) const {
    fail(ErrorCode::kCorrupt, "instruction {} ({}): {}", index, text(index), why);
  }

  const std::span<const isa::InstructionBits> stream_;
  const CoreConfig& core_;
};

}  // namespace

void check_stream(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
                  std::span<const uint8_t> arena_image, uint64_t arena_bytes) {
  const Checker checker(stream, core);
  checker.check_encoding();
  checker.check_execution({arena_image, arena_bytes});
}

}  // namespace vta
