// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "base/errors/error.h"
#include "hw/isa/field_table.h"
#include "hw/isa/mnemonic.h"

namespace vta::isa {
namespace {

uint64_t& word_of(InstructionBits& bits, int word) { return word == 0 ? bits.lo : bits.hi; }

// `bits` bits of two's complement as a number.
int64_t sign_extend(uint64_t value, int bits) {
  const uint64_t sign = uint64_t{1} << (bits - 1);
  return static_cast<int64_t>(value ^ sign) - static_cast<int64_t>(sign);
}

constexpr bool format_has_field(const Format& format, std::string_view name) {
  for (int id = format.first; id < format.end; ++id) {
    if (name == kFieldTable[id].name) return true;
  }
  return false;
}

// By FieldId: true if instructions of `format` do not use its member.
using ForeignFields = std::array<bool, kNumFields>;
constexpr ForeignFields foreign_fields(const Format& format) {
  ForeignFields foreign{};
  for (int id = 0; id < kNumFields; ++id) {
    foreign[id] = !format_has_field(format, kFieldTable[id].name);
  }
  return foreign;
}
constexpr ForeignFields kForeignToMemory = foreign_fields(kMemoryFormat);
constexpr ForeignFields kForeignToGemm = foreign_fields(kGemmFormat);
constexpr ForeignFields kForeignToAlu = foreign_fields(kAluFormat);

void require_foreign_fields_zero(const Instruction& instruction, const Format& format) {
  const ForeignFields& foreign = format.first == kMemoryFormat.first ? kForeignToMemory
                                 : format.first == kAluFormat.first  ? kForeignToAlu
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

// 64 bits wide, so that a value that does not fit is not shifted out unseen.
uint64_t encoded_uop_field(const char* name, uint32_t value, const Field& field) {
  if (value > field_mask(field)) {
    fail(ErrorCode::kInvalidArgument, "micro-op: {} is {}, must be from 0 to {} ({} bits)", name,
         value, field_mask(field), field.width);
  }
  return placed(value, field);
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

bool is_carrier(const Instruction& i) {
  if (!is_memory_access(i.opcode)) return false;
  const bool pads_rows = i.opcode == kLoad && (i.y_pad_0 != 0 || i.y_pad_1 != 0);
  return i.x_size == 0 || (i.y_size == 0 && !pads_rows);
}

InstructionBits encode(const Instruction& instruction, const CoreConfig& config) {
  const IsaWidths widths = widths_of(config);
  const Format format = format_of(instruction.opcode);
  require_foreign_fields_zero(instruction, format);
  InstructionBits bits;
  Field place{};
  for (int id = format.first; id < format.end; ++id) {
    const int64_t value = kFieldTable[id].get(instruction);
    require_fits(instruction, id, value, widths);
    place = field_after(place, field_width(id, widths));
    word_of(bits, place.word) |= placed(static_cast<uint64_t>(value), place);
  }
  if (instruction.split) {
    require_split_allowed(instruction, config);
    bits.lo |= split_mask(instruction.opcode);
  }
  return bits;
}

Instruction decode(InstructionBits bits, const CoreConfig& config) {
  const IsaWidths widths = widths_of(config);
  const Format format = format_of(extract(bits.lo, field(kMemory_opcode, widths)));
  Instruction instruction;
  Field place{};
  for (int id = format.first; id < format.end; ++id) {
    place = field_after(place, field_width(id, widths));
    const uint64_t value = extract(word_of(bits, place.word), place);
    const FieldAccess& access = kFieldTable[id];
    access.set(instruction,
               access.is_signed ? sign_extend(value, place.width) : static_cast<int64_t>(value));
  }
  instruction.split =
      config.extension && has_split(instruction) && (bits.lo & split_mask(instruction.opcode)) != 0;
  return instruction;
}

uint32_t encode(const Uop& uop, const CoreConfig& config) {
  const IsaWidths widths = widths_of(config);
  uint64_t bits = 0;
#define VTA_UOP_FIELD(name, width) \
  bits |= encoded_uop_field(#name, uop.name, uop_field(kUop_##name, widths));
#include "hw/isa/fields.def"
  return static_cast<uint32_t>(bits);
}

Uop decode_uop(uint32_t bits, const CoreConfig& config) {
  const IsaWidths widths = widths_of(config);
  Uop uop;
#define VTA_UOP_FIELD(name, width) \
  uop.name = static_cast<uint32_t>(extract(bits, uop_field(kUop_##name, widths)));
#include "hw/isa/fields.def"
  return uop;
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
