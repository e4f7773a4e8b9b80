// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/scratchpad_map.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace vta::sim {
namespace {

// Inclusive range of elements.
struct Range {
  uint32_t first = UINT32_MAX, last = 0;

  void include(uint32_t low, uint32_t high) {
    first = std::min(first, low);
    last = std::max(last, high);
  }
  bool is_empty() const { return first > last; }
};

// The live regions of one scratchpad, disjoint, while a run is followed in program order.
class LiveRegions {
  using Regions = std::map<uint32_t, ScratchpadRegion>;  // by first element

 public:
  LiveRegions(uint32_t depth, std::vector<ScratchpadRegion>& closed)
      : depth_(depth), closed_(closed) {}

  // Data of `part` replace what the range held.
  void fill(Range range, const InstructionSpan& span, uint32_t part) {
    range.last = std::min(range.last, depth_ - 1);
    if (range.is_empty()) return;
    cut(range);
    live_[range.first] = {span.begin, span.end, range.first, range.last - range.first + 1, part};
  }

  // Reads, or writes that update data.
  void use(const Range& range, const InstructionSpan& span) {
    if (range.is_empty()) return;
    for (auto at = first_overlap(range.first); at != live_.end() && at->first <= range.last; ++at)
      at->second.end = std::max(at->second.end, span.end);
  }

  void close() {
    for (const auto& [first, region] : live_) closed_.push_back(region);
    std::ranges::sort(closed_, {}, [](const ScratchpadRegion& region) {
      return std::pair(region.begin, region.first);
    });
  }

 private:
  Regions::iterator first_overlap(uint32_t first) {
    auto at = live_.upper_bound(first);
    if (at != live_.begin()) {
      const auto before = std::prev(at);
      if (before->second.first + before->second.count > first) at = before;
    }
    return at;
  }

  // Ends the regions in the range. The elements of a region outside the range live on.
  void cut(const Range& range) {
    for (auto at = first_overlap(range.first); at != live_.end() && at->first <= range.last;) {
      const ScratchpadRegion region = at->second;
      const uint32_t end = region.first + region.count;
      at = live_.erase(at);
      const auto piece = [&](uint32_t from, uint32_t to) {
        ScratchpadRegion one = region;
        one.first = from;
        one.count = to - from;
        return one;
      };
      if (region.first < range.first) live_[region.first] = piece(region.first, range.first);
      if (end > range.last + 1) live_[range.last + 1] = piece(range.last + 1, end);
      closed_.push_back(piece(std::max(region.first, range.first), std::min(end, range.last + 1)));
    }
  }

  const uint32_t depth_;
  std::vector<ScratchpadRegion>& closed_;
  Regions live_;
};

class Replay {
 public:
  Replay(const CoreConfig& core, std::span<const uint8_t> image, ScratchpadMap& map)
      : core_(core), image_(image), uops_(core.uop_depth()) {
    for (size_t i = 0; i < kNumScratchpads; ++i)
      live_.emplace_back(depth_of(static_cast<Scratchpad>(i), core), map.regions[i]);
  }

  void follow(const isa::Instruction& instruction, const InstructionSpan& span, uint32_t part) {
    switch (instruction.opcode) {
      case isa::kLoad:
        return load(instruction, span, part);
      case isa::kStore:
        return in(Scratchpad::kOut).use(stored(instruction), span);
      case isa::kGemm:
        return multiply(instruction, span, part);
      case isa::kAlu:
        return compute(instruction, span, part);
      default:
        return;
    }
  }

  void close() {
    for (LiveRegions& live : live_) live.close();
  }

 private:
  LiveRegions& in(Scratchpad scratchpad) { return live_[static_cast<size_t>(scratchpad)]; }

  static Range stored(const isa::Instruction& i) {
    Range range;
    if (i.x_size > 0 && i.y_size > 0)
      range.include(i.sram_base, i.sram_base + i.x_size * i.y_size - 1);
    return range;
  }

  void load(const isa::Instruction& i, const InstructionSpan& span, uint32_t part) {
    if (isa::is_carrier(i)) return;
    const uint32_t rows = i.y_pad_0 + i.y_size + i.y_pad_1;
    const uint32_t columns = i.x_pad_0 + i.x_size + i.x_pad_1;
    Range range;
    range.include(i.sram_base, i.sram_base + rows * columns - 1);
    switch (i.memory) {
      case isa::kUop:
        load_uops(i);
        return in(Scratchpad::kUop).fill(range, span, part);
      case isa::kWgt:
        return in(Scratchpad::kWgt).fill(range, span, part);
      case isa::kInp:
        return in(Scratchpad::kInp).fill(range, span, part);
      default:
        return in(Scratchpad::kAcc).fill(range, span, part);
    }
  }

  void load_uops(const isa::Instruction& i) {
    for (uint32_t y = 0; y < i.y_size; ++y) {
      for (uint32_t x = 0; x < i.x_size; ++x) {
        const uint64_t byte = (uint64_t{i.dram_base} + uint64_t{y} * i.x_stride + x) * 4;
        const uint32_t element = i.sram_base + y * i.x_size + x;
        uint32_t word = 0;
        if (byte + sizeof word > image_.size() || element >= uops_.size()) return;
        std::memcpy(&word, &image_[byte], sizeof word);
        uops_[element] = isa::decode_uop(word, core_);
      }
    }
  }

  struct Accesses {
    Range dst, src, wgt;
  };

  Accesses accesses_of(const isa::Instruction& i) const {
    Accesses accesses;
    if (i.iter_out == 0 || i.iter_in == 0) return accesses;
    const auto reach = [&](uint32_t out, uint32_t in) {
      return (i.iter_out - 1) * out + (i.iter_in - 1) * in;
    };
    const uint32_t dst = reach(i.dst_factor_out, i.dst_factor_in);
    const uint32_t src = reach(i.src_factor_out, i.src_factor_in);
    const uint32_t wgt = reach(i.wgt_factor_out, i.wgt_factor_in);
    for (uint32_t u = i.uop_bgn; u < std::min<size_t>(i.uop_end, uops_.size()); ++u) {
      accesses.dst.include(uops_[u].dst, uops_[u].dst + dst);
      accesses.src.include(uops_[u].src, uops_[u].src + src);
      accesses.wgt.include(uops_[u].wgt, uops_[u].wgt + wgt);
    }
    return accesses;
  }

  void use_uops(const isa::Instruction& i, const InstructionSpan& span) {
    if (i.uop_bgn < i.uop_end) in(Scratchpad::kUop).use({i.uop_bgn, i.uop_end - 1}, span);
  }

  void multiply(const isa::Instruction& i, const InstructionSpan& span, uint32_t part) {
    const Accesses accesses = accesses_of(i);
    use_uops(i, span);
    if (!i.reset || i.split) {
      in(Scratchpad::kInp).use(accesses.src, span);
      in(Scratchpad::kWgt).use(accesses.wgt, span);
    }
    if (i.reset) {
      in(Scratchpad::kAcc).fill(accesses.dst, span, part);
    } else {
      in(Scratchpad::kAcc).use(accesses.dst, span);
    }
  }

  // Each pass writes OUT, and nothing reads the data of any but the last one.
  void compute(const isa::Instruction& i, const InstructionSpan& span, uint32_t part) {
    const Accesses accesses = accesses_of(i);
    use_uops(i, span);
    if (!i.use_imm) in(Scratchpad::kAcc).use(accesses.src, span);
    in(Scratchpad::kAcc).use(accesses.dst, span);
    in(Scratchpad::kOut).fill(accesses.dst, span, part);
  }

  const CoreConfig& core_;
  const std::span<const uint8_t> image_;
  std::vector<isa::Uop> uops_;
  std::vector<LiveRegions> live_;
};

// The cycles of each instruction; nullopt for those that no stage executed.
std::vector<std::optional<InstructionSpan>> spans_by_index(const RecordedDeviceRun& run) {
  std::vector<std::optional<InstructionSpan>> spans(run.instructions.size());
  for (const auto& stage : run.spans)
    for (const InstructionSpan& span : stage) spans[span.index] = span;
  return spans;
}

}  // namespace

uint32_t depth_of(Scratchpad scratchpad, const CoreConfig& core) {
  switch (scratchpad) {
    case Scratchpad::kUop:
      return core.uop_depth();
    case Scratchpad::kInp:
      return core.inp_depth();
    case Scratchpad::kWgt:
      return core.wgt_depth();
    case Scratchpad::kAcc:
    case Scratchpad::kOut:
      return core.acc_depth();
  }
  return 0;
}

ScratchpadMap scratchpad_map(const RecordedDeviceRun& run, const CoreConfig& core,
                             std::span<const uint8_t> arena_image) {
  ScratchpadMap map;
  Replay replay(core, arena_image, map);
  const auto spans = spans_by_index(run);
  uint32_t part = 0;
  for (uint32_t index = 0; index < run.instructions.size(); ++index) {
    while (index >= run.parts[part].end_instruction) ++part;
    if (spans[index]) replay.follow(run.instructions[index], *spans[index], part);
  }
  replay.close();
  return map;
}

}  // namespace vta::sim
