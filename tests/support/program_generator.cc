// SPDX-License-Identifier: Apache-2.0
#include "tests/support/program_generator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "hw/isa/field_table.h"
#include "hw/isa/program_bytes.h"
#include "tests/support/golden_instruction.h"
#include "tests/support/program_tokens.h"

namespace vta::support {
namespace {

constexpr uint64_t kUopRegionBytes = 2048;

// The part of a memory that a program uses: small, so that instructions conflict.
struct Window {
  uint64_t begin = 0;
  uint64_t size = 0;
};

// The targets of LOAD and sources of STORE; also ACC's OUT.
Place place_of(uint32_t memory) {
  switch (memory) {
    case isa::kUop:
      return Place::kUop;
    case isa::kWgt:
      return Place::kWgt;
    case isa::kInp:
      return Place::kInp;
    case isa::kOut:
      return Place::kOut;
  }
  return Place::kAcc;
}

class LegalProgram {
 public:
  LegalProgram(const CoreConfig& config, uint64_t seed)
      : config_(config), random_(seed), uops_(config.uop_depth(), 0) {
    for (uint32_t memory = isa::kUop; memory <= isa::kOut; ++memory) {
      written_[static_cast<int>(place_of(memory))].resize(depth(memory));
    }
  }

  GeneratedProgram generate();

 private:
  void lay_out_arena(uint64_t max_instructions);
  void fill_uop_region();
  Window random_window(uint64_t depth);
  uint64_t element_bytes(uint32_t memory) const;
  uint64_t depth(uint32_t memory) const;
  Window& window(uint32_t memory) { return windows_[memory == isa::kAcc8Bit ? isa::kAcc : memory]; }

  void append_random_instruction();
  void append_load(uint32_t memory);
  void append_data_load(isa::Instruction& in);
  void append_store();
  void append_gemm();
  void append_alu();
  void append_shift_of(isa::Instruction in);

  bool append(const isa::Instruction& in, const std::vector<Access>& accesses);
  bool write_what_is_read(const std::vector<Access>& accesses);
  void append_load_of(uint32_t memory, Window elements);

  void set_ignored_bits(isa::InstructionBits& bits);
  void move_program(GeneratedProgram& program);
  bool choose_block(isa::Instruction& in, bool pads);
  void choose_dram(isa::Instruction& in, uint64_t region_begin_bytes, uint64_t region_size_bytes);
  void choose_nest(isa::Instruction& in, bool uses_src, bool uses_wgt);
  void choose_immediate(isa::Instruction& in);
  std::vector<Access> memory_accesses(const isa::Instruction& in) const;
  std::vector<Access> nest_accesses(const isa::Instruction& in, bool uses_src, bool uses_wgt) const;
  void load_uops(const isa::Instruction& in);

  uint32_t one_of(const std::vector<uint32_t>& values) {
    return values[draw(0, static_cast<int64_t>(values.size()) - 1)];
  }
  uint32_t draw(int64_t low, int64_t high) {
    return static_cast<uint32_t>(random_.between(low, high));
  }

  const CoreConfig config_;
  Random random_;
  std::array<std::vector<bool>, kNumPlaces> written_;  // by element, not for DRAM
  std::vector<uint32_t> uops_;                         // the contents of UOP in program order
  std::vector<uint8_t> arena_;
  uint64_t uop_region_bytes_ = 0;  // offsets
  uint64_t data_region_bytes_ = 0;
  uint64_t data_size_bytes_ = 0;
  uint64_t program_offset_bytes_ = 0;
  std::array<Window, 5> windows_;  // by memory id
  std::optional<TokenPlanner> planner_;
  bool split_ = false;
};

// Without the extension, bits outside the fields have no meaning.
void LegalProgram::set_ignored_bits(isa::InstructionBits& bits) {
  if (random_.chance(50)) return;
  const isa::IsaWidths widths = isa::widths_of(config_);
  const int first = isa::format_of(isa::decode(bits, config_).opcode).first;
  const auto any = [&] { return uint64_t{draw(0, 0xffffffff)} << 32 | draw(0, 0xffffffff); };
  bits.lo |= any() & ~isa::used_bits(first, 0, widths);
  bits.hi |= any() & ~isa::used_bits(first, 1, widths);
}

GeneratedProgram LegalProgram::generate() {
  const bool is_long = random_.chance(1);
  const uint32_t target = is_long ? draw(600, 1200) : draw(3, 60);
  lay_out_arena(is_long ? 8192 : 1024);
  fill_uop_region();
  planner_.emplace(config_, arena_.size(), random_);

  enum { kPlain, kSplit, kMixed };
  const int kind = config_.extension ? static_cast<int>(random_.between(kPlain, kMixed)) : kPlain;
  split_ = kind == kSplit || (kind == kMixed && random_.chance(50));
  planner_->begin_segment(split_);
  while (planner_->size() < target) {
    if (kind == kMixed && random_.chance(12)) planner_->begin_segment(split_ = !split_);
    append_random_instruction();
  }
  isa::Instruction finish;  // only its pops matter
  if (random_.chance(30)) {
    finish.push_prev = finish.push_next = 1;
    finish.reset = 1;
    finish.uop_bgn = draw(0, config_.uop_depth() - 1);
    finish.iter_out = draw(0, 100);
    finish.dst_factor_out = draw(0, config_.acc_depth() - 1);
  }
  const bool shuffle = !is_long && random_.chance(50);
  const std::vector<isa::Instruction> program = planner_->finish(finish, shuffle);

  GeneratedProgram result{std::move(arena_), program_offset_bytes_,
                          static_cast<uint32_t>(program.size())};
  VTA_ASSERT(
      program_offset_bytes_ > 0 || program.size() * isa::kInstructionBytes <= uop_region_bytes_,
      "the instructions must fit before the data");
  result.arena.resize(std::max<uint64_t>(
      result.arena.size(), program_offset_bytes_ + program.size() * isa::kInstructionBytes));
  std::vector<isa::InstructionBits> stream;
  for (const isa::Instruction& instruction : program) {
    stream.push_back(isa::encode(instruction, config_));
    if (!config_.extension) set_ignored_bits(stream.back());
  }
  std::ranges::copy(isa::bytes_of(stream), result.arena.data() + program_offset_bytes_);
  if (program_offset_bytes_ > 0) move_program(result);
  return result;
}

// The program is last and starts at any instruction of a burst.
void LegalProgram::move_program(GeneratedProgram& program) {
  const uint64_t distance_bytes = draw(0, 7) * uint64_t{isa::kInstructionBytes};
  program.arena.insert(
      program.arena.begin() + static_cast<std::ptrdiff_t>(program.program_offset_bytes),
      distance_bytes, 0);
  program.program_offset_bytes += distance_bytes;
}

// Either the instructions or the data are last, so that legal accesses reach the last byte of the
// arena.
void LegalProgram::lay_out_arena(uint64_t max_instructions) {
  const uint64_t wgt_bytes = config_.wgt_elem_bytes();
  data_size_bytes_ = std::max<uint64_t>(8192, 64 * wgt_bytes);
  const bool program_last = random_.chance(50);
  const uint64_t program_room_bytes = program_last ? 0 : max_instructions * isa::kInstructionBytes;
  program_offset_bytes_ = 0;
  uop_region_bytes_ = program_room_bytes;
  data_region_bytes_ = uop_region_bytes_ + kUopRegionBytes;
  const uint64_t end_bytes = data_region_bytes_ + data_size_bytes_;
  if (program_last) program_offset_bytes_ = end_bytes;
  arena_.resize(end_bytes);
  for (uint64_t i = data_region_bytes_; i < end_bytes; ++i) {
    arena_[i] = static_cast<uint8_t>(random_.next());
  }
  for (uint32_t memory = 0; memory < windows_.size(); ++memory) {
    windows_[memory] = random_window(depth(memory));
  }
  windows_[isa::kOut] = windows_[isa::kAcc];
}

Window LegalProgram::random_window(uint64_t depth) {
  const uint64_t size = std::min<uint64_t>(depth, random_.between(12, 40));
  const int where = static_cast<int>(random_.between(0, 2));
  if (where == 0) return {0, size};
  if (where == 1) return {depth - size, size};
  return {static_cast<uint64_t>(random_.between(0, static_cast<int64_t>(depth - size))), size};
}

// Tables of micro-ops in several styles: random, one repeated dst, or counting up.
void LegalProgram::fill_uop_region() {
  const auto element = [&](uint32_t memory) {
    const Window& w = window(memory);
    return static_cast<uint32_t>(w.begin) + draw(0, static_cast<int64_t>(w.size) - 1);
  };
  const uint64_t count = kUopRegionBytes / 4;
  uint64_t i = 0;
  while (i < count) {
    const int manner = static_cast<int>(random_.between(0, 3));
    isa::Uop uop{element(isa::kAcc), element(isa::kInp), element(isa::kWgt)};
    for (uint64_t end = std::min(count, i + draw(1, 12)); i < end; ++i) {
      if (manner == 0 || manner == 1) uop.src = element(isa::kInp);
      if (manner == 0 || manner == 2) uop.dst = element(isa::kAcc);
      if (manner != 3) uop.wgt = element(isa::kWgt);
      if (manner == 3) {
        uop.dst = std::min(uop.dst + 1, config_.acc_depth() - 1);
        uop.src = std::min(uop.src + 1, config_.inp_depth() - 1);
      }
      // ALU tables: src is an ACC element then.
      if (random_.chance(20)) uop.src = element(isa::kAcc);
      const uint32_t bits = isa::encode(uop, config_);
      std::memcpy(arena_.data() + uop_region_bytes_ + i * 4, &bits, 4);
    }
  }
}

uint64_t LegalProgram::element_bytes(uint32_t memory) const {
  switch (memory) {
    case isa::kUop:
      return config_.uop_elem_bytes();
    case isa::kWgt:
      return config_.wgt_elem_bytes();
    case isa::kInp:
      return config_.inp_elem_bytes();
    case isa::kAcc:
      return config_.acc_elem_bytes();
  }
  return config_.out_elem_bytes();
}

uint64_t LegalProgram::depth(uint32_t memory) const {
  switch (memory) {
    case isa::kUop:
      return config_.uop_depth();
    case isa::kWgt:
      return config_.wgt_depth();
    case isa::kInp:
      return config_.inp_depth();
  }
  return config_.acc_depth();
}

void LegalProgram::append_random_instruction() {
  const int choice = static_cast<int>(random_.between(0, 99));
  if (choice < 12) return append_load(isa::kInp);
  if (choice < 22) return append_load(isa::kWgt);
  if (choice < 34) return append_load(isa::kUop);
  if (choice < 42) return append_load(isa::kAcc);
  if (choice < 48) return append_load(isa::kAcc8Bit);
  if (choice < 60) return append_store();
  if (choice < 80) return append_gemm();
  append_alu();
}

void LegalProgram::append_load(uint32_t memory) {
  isa::Instruction in;
  in.opcode = isa::kLoad;
  in.memory = memory;
  const bool to_load_stage = memory == isa::kInp || memory == isa::kWgt;
  in.split = split_ && !to_load_stage;
  const bool pads = memory != isa::kWgt && memory != isa::kUop;
  if (random_.chance(4)) {
    // Only its tokens matter: all other fields are out of range.
    in.dram_base = 0xffffffff;
    in.y_size = draw(0, 1) * 0xffff;
    in.x_stride = 0xffff;
    append(in, {});
    return;
  }
  if (!choose_block(in, pads)) return;
  append_data_load(in);
}

void LegalProgram::append_data_load(isa::Instruction& in) {
  if (in.memory == isa::kUop) {
    choose_dram(in, uop_region_bytes_, kUopRegionBytes);
    load_uops(in);
  } else {
    choose_dram(in, data_region_bytes_, data_size_bytes_);
  }
  append(in, memory_accesses(in));
}

// Appends an instruction after LOADs of its unwritten operands; false if these are too many or
// impossible: OUT is only written by the ALU among split instructions.
bool LegalProgram::append(const isa::Instruction& in, const std::vector<Access>& accesses) {
  if (!write_what_is_read(accesses)) return false;
  planner_->append(in, accesses);
  for (const Access& access : accesses) {
    if (access.write && access.place != Place::kDram) {
      written_[static_cast<int>(access.place)][access.element] = true;
    }
  }
  return true;
}

bool LegalProgram::write_what_is_read(const std::vector<Access>& accesses) {
  // Runs of elements to load, by memory.
  constexpr uint64_t kLongestRun = 40;
  constexpr size_t kMaxRuns = 6;
  std::array<std::set<uint64_t>, kNumPlaces> missing;
  for (const Access& access : accesses) {
    const int place = static_cast<int>(access.place);
    if (access.write || access.place == Place::kDram) continue;
    if (!written_[place][access.element]) missing[place].insert(access.element);
  }
  if (split_ && !missing[static_cast<int>(Place::kOut)].empty()) return false;
  std::vector<std::pair<uint32_t, Window>> runs;
  for (uint32_t memory = isa::kUop; memory <= isa::kOut; ++memory) {
    const uint32_t loaded = memory == isa::kOut ? uint32_t{isa::kAcc} : memory;
    const size_t first_of_memory = runs.size();
    for (uint64_t element : missing[static_cast<int>(place_of(memory))]) {
      const bool joins =
          runs.size() > first_of_memory && element < runs.back().second.begin + kLongestRun;
      if (!joins) runs.push_back({loaded, {element, 0}});
      runs.back().second.size = element + 1 - runs.back().second.begin;
    }
  }
  if (runs.size() > kMaxRuns) return false;
  for (const auto& [memory, elements] : runs) append_load_of(memory, elements);
  return true;
}

void LegalProgram::append_load_of(uint32_t memory, Window elements) {
  isa::Instruction in;
  in.opcode = isa::kLoad;
  in.memory = memory == isa::kAcc && random_.chance(50) ? uint32_t{isa::kAcc8Bit} : memory;
  in.split = split_ && memory != isa::kInp && memory != isa::kWgt;
  in.sram_base = static_cast<uint32_t>(elements.begin);
  in.x_size = static_cast<uint32_t>(elements.size);
  in.y_size = 1;
  append_data_load(in);
}

void LegalProgram::append_store() {
  isa::Instruction in;
  in.opcode = isa::kStore;
  in.memory = isa::kOut;
  if (!choose_block(in, false)) return;
  choose_dram(in, data_region_bytes_, data_size_bytes_);
  append(in, memory_accesses(in));
}

// Chooses sizes, pads and sram_base of a block inside the memory's window, or rarely anywhere;
// false if none was found.
bool LegalProgram::choose_block(isa::Instruction& in, bool pads) {
  const Window space = random_.chance(5) ? Window{0, depth(in.memory)} : window(in.memory);
  for (int attempt = 0; attempt < 20; ++attempt) {
    in.x_size = draw(1, 6);
    in.y_size = random_.chance(40) ? 1 : draw(1, 5);
    const bool wide = random_.chance(10);
    in.x_pad_0 = pads && random_.chance(40) ? draw(0, wide ? 15 : 3) : 0;
    in.x_pad_1 = pads && random_.chance(40) ? draw(0, wide ? 15 : 3) : 0;
    in.y_pad_0 = pads && random_.chance(40) ? draw(0, wide ? 15 : 2) : 0;
    in.y_pad_1 = pads && random_.chance(40) ? draw(0, wide ? 15 : 2) : 0;
    if (in.y_pad_0 + in.y_pad_1 > 0 && random_.chance(15)) in.y_size = 0;  // only padding
    const uint64_t elements =
        uint64_t{in.y_pad_0 + in.y_size + in.y_pad_1} * (in.x_pad_0 + in.x_size + in.x_pad_1);
    if (elements > space.size) continue;
    in.sram_base =
        static_cast<uint32_t>(space.begin) + draw(0, static_cast<int64_t>(space.size - elements));
    return true;
  }
  return false;
}

// Chooses dram_base and x_stride so that all rows are inside the region; rows may overlap.
void LegalProgram::choose_dram(isa::Instruction& in, uint64_t region_begin_bytes,
                               uint64_t region_size_bytes) {
  const uint64_t bytes = element_bytes(in.memory);
  in.x_stride = random_.chance(30) ? in.x_size : draw(0, 2 * in.x_size + 1);
  if (in.y_size <= 1 && random_.chance(30)) in.x_stride = draw(0, 0xffff);  // without effect
  if (in.y_size == 0) {
    in.dram_base = draw(0, 0xffffffff);  // likewise
    return;
  }
  const uint64_t extent = uint64_t{in.y_size - 1} * in.x_stride + in.x_size;
  const uint64_t first = (region_begin_bytes + bytes - 1) / bytes;
  const uint64_t end = (region_begin_bytes + region_size_bytes) / bytes;
  VTA_ASSERT(first + extent <= end, "the region holds the largest block");
  in.dram_base = static_cast<uint32_t>(random_.chance(10) ? end - extent
                                                          : random_.between(first, end - extent));
}

void LegalProgram::load_uops(const isa::Instruction& in) {
  for (uint64_t row = 0; row < in.y_size; ++row) {
    for (uint64_t column = 0; column < in.x_size; ++column) {
      std::memcpy(&uops_[in.sram_base + row * in.x_size + column],
                  arena_.data() + (in.dram_base + row * in.x_stride + column) * 4, 4);
    }
  }
}

void LegalProgram::append_gemm() {
  isa::Instruction in;
  in.opcode = isa::kGemm;
  in.split = split_;
  in.reset = random_.chance(30);
  const bool multiplies = !in.reset || in.split;
  choose_nest(in, multiplies, multiplies);
  if (append(in, nest_accesses(in, multiplies, multiplies)) && random_.chance(20))
    append_shift_of(in);
}

void LegalProgram::append_alu() {
  isa::Instruction in;
  in.opcode = isa::kAlu;
  in.split = split_;
  in.reset = random_.chance(20);  // ignored
  in.alu_opcode = one_of(alu_opcodes(true, config_.extension));
  in.use_imm = random_.chance(50);
  choose_immediate(in);
  choose_nest(in, !in.use_imm, false);
  in.wgt_factor_out = in.wgt_factor_in = 0;
  if (append(in, nest_accesses(in, !in.use_imm, false)) && random_.chance(25)) append_shift_of(in);
}

// Only the low byte of an accumulator reaches OUT: shifts the high bits of the results of a GEMM or
// an ALU instruction there.
void LegalProgram::append_shift_of(isa::Instruction in) {
  in.opcode = isa::kAlu;
  in.reset = 0;
  in.alu_opcode = isa::kShr;
  in.use_imm = 1;
  in.imm = static_cast<int32_t>(one_of({8, 16, 24}));
  in.wgt_factor_out = in.wgt_factor_in = 0;
  append(in, nest_accesses(in, false, false));
}

void LegalProgram::choose_immediate(isa::Instruction& in) {
  if (in.alu_opcode == isa::kReq) {
    const uint32_t hi = random_.chance(30) ? 255 : draw(0, 127);
    const uint32_t bits = hi << 8 | draw(0, 255);
    in.imm = static_cast<int16_t>(bits);
    return;
  }
  constexpr int32_t kCorners[] = {0, 1, -1, 7, 8, 31, 32, -31, -32, 127, -128, 32767, -32768};
  const bool corner = random_.chance(50);
  in.imm = corner ? kCorners[draw(0, std::size(kCorners) - 1)]
                  : static_cast<int32_t>(random_.between(-32768, 32767));
  if (in.alu_opcode == isa::kShr && random_.chance(60))
    in.imm = static_cast<int32_t>(random_.between(-12, 12));
}

// A loop nest whose indices are inside their memories: factors are chosen from the space that the
// largest micro-op leaves.
void LegalProgram::choose_nest(isa::Instruction& in, bool uses_src, bool uses_wgt) {
  const Window& table = window(isa::kUop);
  in.uop_bgn = static_cast<uint32_t>(table.begin) + draw(0, static_cast<int64_t>(table.size) - 1);
  in.uop_end = in.uop_bgn + draw(random_.chance(5) ? 0 : 1, 6);
  in.uop_end = std::min<uint32_t>(in.uop_end, config_.uop_depth());
  const uint32_t longest = random_.chance(5) ? 60 : 5;
  in.iter_out = draw(random_.chance(5) ? 0 : 1, longest);
  in.iter_in = draw(random_.chance(5) ? 0 : 1, 5);
  std::vector<Access> table_accesses;
  for (uint32_t u = in.uop_bgn; u < in.uop_end; ++u)
    table_accesses.push_back({Place::kUop, u, false});
  write_what_is_read(table_accesses);  // before the factors are chosen, which depend on it

  isa::Uop largest;
  for (uint32_t u = in.uop_bgn; u < in.uop_end; ++u) {
    const isa::Uop uop = isa::decode_uop(uops_[u], config_);
    largest = {std::max(largest.dst, uop.dst), std::max(largest.src, uop.src),
               std::max(largest.wgt, uop.wgt)};
  }
  const bool alu = in.opcode == isa::kAlu;
  const uint32_t src_depth = alu ? config_.acc_depth() : config_.inp_depth();
  const uint32_t src_field = std::max(config_.inp_depth(), config_.acc_depth());
  // A table for the other kind of instruction: run none of it.
  if (uses_src && largest.src >= src_depth) in.uop_end = in.uop_bgn;
  const bool runs = in.iter_out > 0 && in.iter_in > 0 && in.uop_bgn < in.uop_end;
  // Factors of one operand that stay below `depth`; without effect, any that fit `field_size`.
  const auto choose = [&](uint32_t& out, uint32_t& inner, uint32_t max_index,
                          uint32_t operand_depth, uint32_t field_size, bool used) {
    const auto factor = [&](uint32_t iterations, int64_t slack) -> uint32_t {
      if (!runs || !used || iterations <= 1) return draw(0, field_size - 1);
      return draw(0, std::min<int64_t>(slack / (iterations - 1), random_.chance(80) ? 6 : 4096));
    };
    int64_t slack = int64_t{operand_depth} - 1 - max_index;
    out = factor(in.iter_out, slack);
    if (in.iter_out > 1) slack -= int64_t{out} * (in.iter_out - 1);
    inner = factor(in.iter_in, slack);
  };
  choose(in.dst_factor_out, in.dst_factor_in, largest.dst, config_.acc_depth(), config_.acc_depth(),
         true);
  choose(in.src_factor_out, in.src_factor_in, largest.src, src_depth, src_field, uses_src);
  choose(in.wgt_factor_out, in.wgt_factor_in, largest.wgt, config_.wgt_depth(), config_.wgt_depth(),
         uses_wgt);
}

// The accesses of a LOAD or STORE of at least one element.
std::vector<Access> LegalProgram::memory_accesses(const isa::Instruction& in) const {
  std::vector<Access> accesses;
  const bool store = in.opcode == isa::kStore;
  const uint64_t bytes = element_bytes(in.memory);
  for (uint64_t row = 0; row < in.y_size; ++row) {
    const uint64_t first = (in.dram_base + row * in.x_stride) * bytes / 4;
    for (uint64_t i = 0; i < in.x_size * bytes / 4; ++i)
      accesses.push_back({Place::kDram, first + i, store});
  }
  const uint64_t rows = in.y_pad_0 + in.y_size + in.y_pad_1;
  const uint64_t columns = in.x_pad_0 + in.x_size + in.x_pad_1;
  for (uint64_t element = in.sram_base; element < in.sram_base + rows * columns; ++element) {
    const Place place = place_of(in.memory);
    accesses.push_back({place, element, !store});
    if (place == Place::kAcc && !in.split) accesses.push_back({Place::kOut, element, true});
  }
  return accesses;
}

std::vector<Access> LegalProgram::nest_accesses(const isa::Instruction& in, bool uses_src,
                                                bool uses_wgt) const {
  std::vector<Access> accesses;
  const bool alu = in.opcode == isa::kAlu;
  const bool reads_dst = alu || !in.reset;
  for (uint32_t i = 0; i < in.iter_out; ++i) {
    for (uint32_t j = 0; j < in.iter_in; ++j) {
      for (uint32_t u = in.uop_bgn; u < in.uop_end; ++u) {
        const isa::Uop uop = isa::decode_uop(uops_[u], config_);
        const uint32_t dst = uop.dst + i * in.dst_factor_out + j * in.dst_factor_in;
        const uint32_t src = uop.src + i * in.src_factor_out + j * in.src_factor_in;
        const uint32_t wgt = uop.wgt + i * in.wgt_factor_out + j * in.wgt_factor_in;
        accesses.push_back({Place::kUop, u, false});
        if (reads_dst) accesses.push_back({Place::kAcc, dst, false});
        accesses.push_back({Place::kAcc, dst, true});
        if (alu || !in.split) accesses.push_back({Place::kOut, dst, true});
        if (uses_src) accesses.push_back({alu ? Place::kAcc : Place::kInp, src, false});
        if (uses_wgt) accesses.push_back({Place::kWgt, wgt, false});
      }
    }
  }
  return accesses;
}

}  // namespace

std::vector<isa::InstructionBits> GeneratedProgram::instructions() const {
  return isa::instructions_in(std::span(arena).subspan(
      program_offset_bytes, uint64_t{num_instructions} * isa::kInstructionBytes));
}

GeneratedProgram generate_legal_program(const CoreConfig& config, uint64_t seed) {
  return LegalProgram(config, seed).generate();
}

}  // namespace vta::support
