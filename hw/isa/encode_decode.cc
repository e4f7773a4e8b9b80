// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "hw/isa/field_table.h"
#include "hw/isa/mnemonic.h"
#include "runtime/base/error.h"

namespace vta::isa {
namespace {

constexpr uint64_t mask_of(int bits) { return (uint64_t{1} << bits) - 1; }

uint64_t& word_of(InstructionBits& bits, int word) { return word == 0 ? bits.lo : bits.hi; }

// `bits` bits of two's complement as a number.
int64_t sign_extend(uint64_t value, int bits) {
  const uint64_t sign = uint64_t{1} << (bits - 1);
  return static_cast<int64_t>(value ^ sign) - static_cast<int64_t>(sign);
}

constexpr bool shape_has_field(const Shape& shape, std::string_view name) {
  for (int id = shape.first; id < shape.end; ++id) {
    if (name == kFieldTable[id].name) return true;
  }
  return false;
}

// For each FieldId, whether its member is one that instructions of `shape` do not use.
using ForeignFields = std::array<bool, kNumFields>;
constexpr ForeignFields foreign_fields(const Shape& shape) {
  ForeignFields foreign{};
  for (int id = 0; id < kNumFields; ++id) {
    foreign[id] = !shape_has_field(shape, kFieldTable[id].name);
  }
  return foreign;
}
constexpr ForeignFields kForeignToMemory = foreign_fields(kMemoryShape);
constexpr ForeignFields kForeignToGemm = foreign_fields(kGemmShape);
constexpr ForeignFields kForeignToAlu = foreign_fields(kAluShape);

void require_foreign_fields_zero(const Instruction& instruction, const Shape& shape) {
  const ForeignFields& foreign = shape.first == kMemoryShape.first ? kForeignToMemory
                                 : shape.first == kAluShape.first  ? kForeignToAlu
                                                                   : kForeignToGemm;
  for (int id = 0; id < kNumFields; ++id) {
    if (!foreign[id] || kFieldTable[id].get(instruction) == 0) continue;
    fail(ErrorCode::kInvalidArgument, "{}: {} is {}, but the instruction has no such field",
         mnemonic(instruction), kFieldTable[id].name, kFieldTable[id].get(instruction));
  }
}

void require_fits(const Instruction& instruction, int id, int64_t value, const IsaWidths& widths) {
  const FieldRange range = field_range(id, widths);
  if (value >= range.min && value <= range.max) return;
  fail(ErrorCode::kInvalidArgument, "{}: {} is {}, must be from {} to {} ({} bits)",
       mnemonic(instruction), kFieldTable[id].name, value, range.min, range.max,
       field_width(id, widths));
}

void require_split_allowed(const Instruction& instruction, const CoreConfig& config) {
  if (!has_split(instruction)) {
    fail(ErrorCode::kInvalidArgument, "{}: this instruction has no split", mnemonic(instruction));
  }
  if (!config.extension) {
    fail(ErrorCode::kInvalidArgument, "{}: split needs the extension, which core {} lacks",
         mnemonic(instruction), config.name);
  }
}

uint64_t split_mask(const Instruction& instruction) {
  return uint64_t{1} << (instruction.opcode == kLoad ? kSplitBitLoad : kSplitBitCompute);
}

void require_uop_fits(const char* name, uint32_t value, int bits) {
  if (value <= mask_of(bits)) return;
  fail(ErrorCode::kInvalidArgument, "micro-op: {} is {}, must be from 0 to {} ({} bits)", name,
       value, mask_of(bits), bits);
}

}  // namespace

IsaWidths widths_of(const CoreConfig& config) {
  const int inp_bits = log2_exact(config.inp_depth());
  const int acc_bits = log2_exact(config.acc_depth());
  return IsaWidths{log2_exact(config.uop_depth()), acc_bits, std::max(inp_bits, acc_bits),
                   log2_exact(config.wgt_depth())};
}

bool has_split(const Instruction& instruction) {
  if (instruction.opcode == kGemm || instruction.opcode == kAlu) return true;
  return instruction.opcode == kLoad && (instruction.memory == kUop || instruction.memory == kAcc ||
                                         instruction.memory == kAcc8Bit);
}

InstructionBits encode(const Instruction& instruction, const CoreConfig& config) {
  const IsaWidths widths = widths_of(config);
  const Shape shape = shape_of(instruction.opcode);
  require_foreign_fields_zero(instruction, shape);
  InstructionBits bits;
  int lsb[2] = {0, 0};
  for (int id = shape.first; id < shape.end; ++id) {
    const int64_t value = kFieldTable[id].get(instruction);
    require_fits(instruction, id, value, widths);
    const int word = field_word(id);
    const int width = field_width(id, widths);
    word_of(bits, word) |= (static_cast<uint64_t>(value) & mask_of(width)) << lsb[word];
    lsb[word] += width;
  }
  if (instruction.split) {
    require_split_allowed(instruction, config);
    bits.lo |= split_mask(instruction);
  }
  return bits;
}

Instruction decode(InstructionBits bits, const CoreConfig& config) {
  const IsaWidths widths = widths_of(config);
  const Shape shape = shape_of(bits.lo & mask_of(3));
  Instruction instruction;
  int lsb[2] = {0, 0};
  for (int id = shape.first; id < shape.end; ++id) {
    const int word = field_word(id);
    const int width = field_width(id, widths);
    const uint64_t value = (word_of(bits, word) >> lsb[word]) & mask_of(width);
    const FieldAccess& access = kFieldTable[id];
    access.set(instruction,
               access.is_signed ? sign_extend(value, width) : static_cast<int64_t>(value));
    lsb[word] += width;
  }
  instruction.split =
      config.extension && has_split(instruction) && (bits.lo & split_mask(instruction)) != 0;
  return instruction;
}

uint32_t encode(const Uop& uop, const CoreConfig& config) {
  const UopLayout layout = uop_layout(widths_of(config));
  require_uop_fits("dst", uop.dst, layout.dst_bits);
  require_uop_fits("src", uop.src, layout.src_bits);
  require_uop_fits("wgt", uop.wgt, layout.wgt_bits);
  // In 64 bits, so that no value of a field can be shifted out unseen.
  const uint64_t bits = uint64_t{uop.dst} << layout.dst_lsb | uint64_t{uop.src} << layout.src_lsb |
                        uint64_t{uop.wgt} << layout.wgt_lsb;
  return static_cast<uint32_t>(bits);
}

Uop decode_uop(uint32_t bits, const CoreConfig& config) {
  const UopLayout layout = uop_layout(widths_of(config));
  const uint64_t wide = bits;
  return Uop{static_cast<uint32_t>(wide >> layout.dst_lsb & mask_of(layout.dst_bits)),
             static_cast<uint32_t>(wide >> layout.src_lsb & mask_of(layout.src_bits)),
             static_cast<uint32_t>(wide >> layout.wgt_lsb & mask_of(layout.wgt_bits))};
}

Stage stage_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case kStore:
      return Stage::kStore;
    case kGemm:
    case kFinish:
      return Stage::kGemm;
    case kLoad:
      break;
    default:
      return Stage::kAlu;
  }
  switch (instruction.memory) {
    case kInp:
    case kWgt:
      return Stage::kLoad;
    case kUop:
      return Stage::kGemm;
    default:
      return Stage::kAlu;
  }
}

const char* to_string(Stage stage) {
  switch (stage) {
    case Stage::kLoad:
      return "load";
    case Stage::kGemm:
      return "gemm";
    case Stage::kAlu:
      return "alu";
    case Stage::kStore:
      return "store";
  }
  return "unknown";
}

}  // namespace vta::isa
