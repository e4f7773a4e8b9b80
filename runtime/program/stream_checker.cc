// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/stream_checker.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/program/access_history.h"
#include "runtime/program/stream_builder.h"

namespace vta::program {
namespace {

constexpr int kLoadStage = 0, kGemmStage = 1, kAluStage = 2, kStoreStage = 3;
constexpr uint64_t kDramGranuleBytes = 4;  // the smallest element, a micro-op

struct Token {
  VectorClock clock;
};

// Queue of tokens from one stage to another.
using TokenQueue = std::deque<Token>;

// Sorted, disjoint byte ranges written by the stream's stores: the only DRAM for which stages can
// race.
class WrittenRanges {
 public:
  void add(uint64_t first, uint64_t last) { ranges_.push_back({first, last, 0}); }

  // Call once after the last add(). Returns the number of granules in all ranges.
  size_t close() {
    std::ranges::sort(ranges_, {}, &Range::first);
    std::vector<Range> merged;
    for (const Range& range : ranges_) {
      if (!merged.empty() && range.first <= merged.back().last) {
        merged.back().last = std::max(merged.back().last, range.last);
      } else {
        merged.push_back(range);
      }
    }
    size_t granules = 0;
    for (Range& range : merged) {
      range.granule = granules;
      granules += (range.last - range.first) / kDramGranuleBytes;
    }
    ranges_ = std::move(merged);
    return granules;
  }

  // Calls visit(granule) for each granule of [first, last) that a store writes.
  template <typename Visit>
  void for_each(uint64_t first, uint64_t last, Visit&& visit) const {
    auto range = std::ranges::upper_bound(ranges_, first, {}, &Range::last);
    for (; range != ranges_.end() && range->first < last; ++range) {
      const uint64_t from = std::max(first, range->first), to = std::min(last, range->last);
      for (uint64_t byte = from; byte < to; byte += kDramGranuleBytes) {
        visit(range->granule + (byte - range->first) / kDramGranuleBytes);
      }
    }
  }

 private:
  struct Range {
    uint64_t first, last;
    size_t granule;
  };
  std::vector<Range> ranges_;
};

class Checker {
 public:
  Checker(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
          std::span<const uint8_t> arena_image, uint64_t arena_bytes)
      : core_(core),
        image_(arena_image),
        arena_bytes_(arena_bytes),
        inp_(core.inp_depth()),
        wgt_(core.wgt_depth()),
        acc_(core.acc_depth()),
        out_(core.acc_depth()),
        uop_(core.uop_depth()),
        uops_(core.uop_depth()) {
    decode(stream);
  }

  void run() {
    while (dispatch() || execute_ready()) {
    }
    if (done_ != instructions_.size()) report_deadlock();
    size_t left = 0;
    for (const auto& row : tokens_) {
      for (const TokenQueue& queue : row) left += queue.size();
    }
    if (left != 0) fail(ErrorCode::kCorrupt, "stream: {} tokens are left at the end", left);
  }

 private:
  // --- reading the stream

  void decode(std::span<const isa::InstructionBits> stream) {
    if (stream.empty()) fail(ErrorCode::kCorrupt, "stream: no instructions");
    bool any_split = false, any_plain = false;
    for (size_t index = 0; index < stream.size(); ++index) {
      instructions_.push_back(isa::decode(stream[index], core_));
      const isa::Instruction& i = instructions_.back();
      if (const auto fault = isa::find_encoding_fault(stream[index], core_)) {
        refuse(index, fmt::format("{} ({})", isa::to_string(fault->code), fault->value));
      }
      const bool is_last = index + 1 == stream.size();
      if ((i.opcode == isa::kFinish) != is_last)
        refuse(index, "the last instruction must be FINISH, and no other");
      const isa::Stage stage = isa::stage_of(i);
      if ((stage == isa::Stage::kGemm || stage == isa::Stage::kAlu) && !is_last) {
        (i.split ? any_split : any_plain) = true;
      }
    }
    if (any_split && any_plain)
      fail(ErrorCode::kCorrupt, "stream: mixes plain and split instructions");
    split_ = any_split;
    for (size_t index = 0; index < instructions_.size(); ++index) {
      if (instructions_[index].opcode == isa::kStore) collect_store(index);
    }
    dram_ = AccessHistory(written_.close());
  }

  void collect_store(size_t index) {
    const isa::Instruction& i = instructions_[index];
    for_each_dram_row(index, [&](uint64_t first, uint64_t last) { written_.add(first, last); });
    if (uint64_t{i.sram_base} + uint64_t{i.x_size} * i.y_size > core_.acc_depth()) {
      refuse(index, "exceeds the scratchpad");
    }
  }

  int stage(const isa::Instruction& i) const {
    if (i.opcode == isa::kFinish) return kGemmStage;
    switch (isa::stage_of(i)) {
      case isa::Stage::kLoad:
        return kLoadStage;
      case isa::Stage::kGemm:
        return kGemmStage;
      case isa::Stage::kAlu:
        return split_ ? kAluStage : kGemmStage;
      case isa::Stage::kStore:
        return kStoreStage;
    }
    return kGemmStage;
  }
  // The adjacent stages in the pipeline; -1: none.
  int previous(int stage) const {
    if (stage == kStoreStage && !split_) return kGemmStage;
    return stage - 1;
  }
  int next(int stage) const {
    if (stage == kStoreStage) return -1;
    if (stage == kGemmStage && !split_) return kStoreStage;
    return stage + 1;
  }

  // --- queues and tokens

  // Moves instructions from the stream to their stages' queues while these have space.
  bool dispatch() {
    bool moved = false;
    while (dispatched_ < instructions_.size()) {
      auto& queue = queues_[stage(instructions_[dispatched_])];
      if (queue.size() >= core_.command_queue_depth) break;
      queue.push_back(dispatched_++);
      moved = true;
    }
    return moved;
  }

  // Executes the ready instructions. Tokens make the result independent of the order of stages.
  bool execute_ready() {
    bool moved = false;
    for (int s = 0; s < kStages; ++s) {
      while (!queues_[s].empty() && can_run(queues_[s].front())) {
        execute(queues_[s].front());
        queues_[s].pop_front();
        ++done_;
        moved = true;
      }
    }
    return moved;
  }

  bool can_run(size_t index) {
    const isa::Instruction& i = instructions_[index];
    const int s = stage(i);
    const auto has_token = [&](uint32_t flag, int from) {
      return !flag || !tokens(index, from, s).empty();
    };
    const auto has_space = [&](uint32_t flag, int to) {
      return !flag || tokens(index, s, to).size() < core_.token_queue_depth;
    };
    return has_token(i.pop_prev, previous(s)) && has_token(i.pop_next, next(s)) &&
           has_space(i.push_prev, previous(s)) && has_space(i.push_next, next(s));
  }

  TokenQueue& tokens(size_t index, int from, int to) {
    if (from < 0 || to < 0) refuse(index, "a token to or from a stage that does not exist");
    return tokens_[from][to];
  }

  void execute(size_t index) {
    const isa::Instruction& i = instructions_[index];
    const int s = stage(i);
    if (i.pop_prev) pop(s, previous(s));
    if (i.pop_next) pop(s, next(s));
    index_ = index;
    stage_ = s;
    time_ = clocks_[s][s] + 1;
    access(i);
    clocks_[s][s] = time_;
    if (i.push_prev) tokens_[s][previous(s)].push_back({clocks_[s]});
    if (i.push_next) tokens_[s][next(s)].push_back({clocks_[s]});
  }

  void pop(int s, int from) {
    const VectorClock& other = tokens_[from][s].front().clock;
    for (int k = 0; k < kStages; ++k) clocks_[s][k] = std::max(clocks_[s][k], other[k]);
    tokens_[from][s].pop_front();
  }

  // --- accesses

  void access(const isa::Instruction& i) {
    switch (i.opcode) {
      case isa::kLoad:
        return access_load(i);
      case isa::kStore:
        return access_store(i);
      case isa::kGemm:
        return access_gemm(i);
      case isa::kAlu:
        return access_alu(i);
      default:
        return;
    }
  }

  void read(AccessHistory& memory, const char* name, uint64_t element) {
    if (element >= memory.size())
      refuse(index_, fmt::format("{}[{}] is out of range", name, element));
    report(memory.read(element, stage_, time_, clocks_[stage_]), name, element);
  }
  void write(AccessHistory& memory, const char* name, uint64_t element) {
    if (element >= memory.size())
      refuse(index_, fmt::format("{}[{}] is out of range", name, element));
    report(memory.write(element, stage_, time_, clocks_[stage_]), name, element);
  }
  void report(int conflict, const char* name, uint64_t element) {
    static constexpr const char* kNames[] = {"load", "gemm", "alu", "store"};
    if (conflict < 0) return;
    refuse(index_, fmt::format("{}[{}] was accessed by {}; no token orders the two accesses", name,
                               element, kNames[conflict]));
  }

  template <typename Visit>
  void for_each_dram_row(size_t index, Visit&& visit) {
    const isa::Instruction& i = instructions_[index];
    if (i.x_size == 0) return;
    const uint64_t elem = dram_elem_bytes(i.memory, core_);
    for (uint32_t y = 0; y < i.y_size; ++y) {
      const uint64_t first = (uint64_t{i.dram_base} + uint64_t{y} * i.x_stride) * elem;
      const uint64_t last = first + i.x_size * elem;
      if (last > arena_bytes_) refuse(index, fmt::format("DRAM byte {} is out of the arena", last));
      visit(first, last);
    }
  }

  void access_load(const isa::Instruction& i) {
    if (i.x_size == 0 || i.y_size == 0) return;
    for_each_dram_row(index_, [&](uint64_t first, uint64_t last) {
      written_.for_each(first, last, [&](size_t granule) { read(dram_, "DRAM word", granule); });
    });
    const uint64_t rows = uint64_t{i.y_pad_0} + i.y_size + i.y_pad_1;
    const uint64_t end = i.sram_base + rows * (uint64_t{i.x_pad_0} + i.x_size + i.x_pad_1);
    for (uint64_t e = i.sram_base; e < end; ++e) write_loaded(i, e);
    if (i.memory == isa::kUop) load_uops(i);
  }

  void write_loaded(const isa::Instruction& i, uint64_t element) {
    switch (i.memory) {
      case isa::kUop:
        return write(uop_, "UOP", element);
      case isa::kWgt:
        return write(wgt_, "WGT", element);
      case isa::kInp:
        return write(inp_, "INP", element);
      default:
        write(acc_, "ACC", element);
        if (!i.split) write(out_, "OUT", element);
    }
  }

  void load_uops(const isa::Instruction& i) {
    uint32_t element = i.sram_base;
    for_each_dram_row(index_, [&](uint64_t first, uint64_t last) {
      if (last > image_.size()) refuse(index_, "micro-ops are outside the constant image");
      for (uint64_t byte = first; byte < last; byte += 4) {
        uint32_t word;
        std::memcpy(&word, &image_[byte], sizeof word);
        uops_[element++] = isa::decode_uop(word, core_);
      }
    });
  }

  void access_store(const isa::Instruction& i) {
    if (i.x_size == 0) return;
    for (uint32_t e = 0; e < i.x_size * i.y_size; ++e) read(out_, "OUT", i.sram_base + e);
    for_each_dram_row(index_, [&](uint64_t first, uint64_t last) {
      written_.for_each(first, last, [&](size_t granule) { write(dram_, "DRAM word", granule); });
    });
  }

  // Calls visit(uop, i, j) for each iteration of the loop nest.
  template <typename Visit>
  void for_each_micro_op(const isa::Instruction& i, Visit&& visit) {
    if (i.uop_bgn > i.uop_end || i.uop_end > uops_.size())
      refuse(index_, "micro-ops exceed the scratchpad");
    if (i.iter_out == 0 || i.iter_in == 0) return;
    for (uint32_t u = i.uop_bgn; u < i.uop_end; ++u) {
      read(uop_, "UOP", u);
      for (uint32_t a = 0; a < i.iter_out; ++a) {
        for (uint32_t b = 0; b < i.iter_in; ++b) visit(uops_[u], a, b);
      }
    }
  }

  void access_gemm(const isa::Instruction& i) {
    for_each_micro_op(i, [&](const isa::Uop& uop, uint64_t a, uint64_t b) {
      const uint64_t dst = uop.dst + a * i.dst_factor_out + b * i.dst_factor_in;
      if (!i.reset || i.split) {
        read(inp_, "INP", uop.src + a * i.src_factor_out + b * i.src_factor_in);
        read(wgt_, "WGT", uop.wgt + a * i.wgt_factor_out + b * i.wgt_factor_in);
      }
      if (!i.reset) read(acc_, "ACC", dst);
      write(acc_, "ACC", dst);
      if (!i.split) write(out_, "OUT", dst);
    });
  }

  void access_alu(const isa::Instruction& i) {
    for_each_micro_op(i, [&](const isa::Uop& uop, uint64_t a, uint64_t b) {
      const uint64_t dst = uop.dst + a * i.dst_factor_out + b * i.dst_factor_in;
      if (!i.use_imm) read(acc_, "ACC", uop.src + a * i.src_factor_out + b * i.src_factor_in);
      read(acc_, "ACC", dst);
      write(acc_, "ACC", dst);
      write(out_, "OUT", dst);
    });
  }

  // --- messages

  [[noreturn]] void refuse(size_t index, const std::string& why) const {
    fail(ErrorCode::kCorrupt, "instruction {} ({}): {}", index,
         isa::disassemble(instructions_[index]), why);
  }

  [[noreturn]] void report_deadlock() const {
    std::string waiting;
    for (const auto& queue : queues_) {
      if (queue.empty()) continue;
      if (!waiting.empty()) waiting += "; ";
      waiting +=
          fmt::format("{} ({})", queue.front(), isa::disassemble(instructions_[queue.front()]));
    }
    fail(ErrorCode::kCorrupt, "stream: deadlock, waiting: {}", waiting);
  }

  const CoreConfig core_;
  const std::span<const uint8_t> image_;
  const uint64_t arena_bytes_;
  bool split_ = false;
  std::vector<isa::Instruction> instructions_;

  size_t dispatched_ = 0, done_ = 0;
  std::array<std::deque<size_t>, kStages> queues_;
  std::array<std::array<TokenQueue, kStages>, kStages> tokens_;
  std::array<VectorClock, kStages> clocks_{};

  // The current instruction.
  size_t index_ = 0;
  int stage_ = 0;
  uint32_t time_ = 0;

  AccessHistory inp_, wgt_, acc_, out_, uop_, dram_;
  std::vector<isa::Uop> uops_;
  WrittenRanges written_;
};

}  // namespace

void check_stream(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
                  std::span<const uint8_t> arena_image, uint64_t arena_bytes) {
  Checker(stream, core, arena_image, arena_bytes).run();
}

}  // namespace vta::program
