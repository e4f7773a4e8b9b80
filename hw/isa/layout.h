// SPDX-License-Identifier: Apache-2.0
//
// Codes of the instruction set, and the position of each field of an instruction and a micro-op, as
// constant expressions. Shared by the core (compiled to hardware, hence C++14 and no standard
// containers here) and by the host's encoder and decoder.
#ifndef VTA_HW_ISA_LAYOUT_H_
#define VTA_HW_ISA_LAYOUT_H_

#include <cstdint>

namespace vta {
namespace isa {

constexpr uint32_t kInstructionBytes = 16;

enum Opcode : uint8_t { kLoad = 0, kStore = 1, kGemm = 2, kFinish = 3, kAlu = 4 };

enum MemoryId : uint8_t { kUop = 0, kWgt = 1, kInp = 2, kAcc = 3, kOut = 4, kAcc8Bit = 5 };

enum AluOpcode : uint8_t {
#define VTA_ALU_OPCODE(enumerator, code, name, needs_extension, result) enumerator = code,
#include "hw/isa/alu_opcodes.def"
  kNumAluOpcodes
};

constexpr uint32_t kMaxAluOpcode = kNumAluOpcodes - 1;

constexpr bool alu_opcode_needs_extension(uint32_t opcode) {
  return false
#define VTA_ALU_OPCODE(enumerator, code, name, needs_extension, result) \
  || (needs_extension && opcode == enumerator)
#include "hw/isa/alu_opcodes.def"
      ;
}

constexpr int kNumExtensionAluOpcodes = 0
#define VTA_ALU_OPCODE(enumerator, code, name, needs_extension, result) +(needs_extension ? 1 : 0)
#include "hw/isa/alu_opcodes.def"
    ;

// Why a program stopped; the value of the register `fault_code`. faults.def lists the faults in
// the order of a stage's checks, each with the value reported with it.
enum FaultCode : uint8_t {
  kNoFault = 0,
#define VTA_FAULT(enumerator, code, name, value) enumerator = code,
#include "hw/isa/faults.def"
};

// Widths that depend on the configuration: the bits of an index into a scratchpad.
struct IsaWidths {
  int uop_bits;  // log2 UOP depth
  int acc_bits;  // log2 ACC depth
  int src_bits;  // the larger of log2 INP depth and log2 ACC depth
  int wgt_bits;  // log2 WGT depth
};

struct Field {
  int word;   // 0: bits 0-63, 1: bits 64-127
  int lsb;    // from the start of its word
  int width;  // bits
};

// The value of a field in its word, and a value as bits of the word.
constexpr uint64_t field_mask(const Field& f) { return (uint64_t{1} << f.width) - 1; }
constexpr uint64_t extract(uint64_t word, const Field& f) {
  return (word >> f.lsb) & field_mask(f);
}
constexpr uint64_t placed(uint64_t value, const Field& f) {
  return (value & field_mask(f)) << f.lsb;
}

// kAlu_imm
enum FieldId {
#define VTA_FIELD(format, name, width) k##format##_##name,
#include "hw/isa/fields.def"
  kNumFields
};

constexpr int field_width(int id, const IsaWidths& w) {
  const int widths[] = {
#define VTA_FIELD(format, name, width) width,
#include "hw/isa/fields.def"
  };
  return widths[id];
}

// The first field of the instruction format that `id` belongs to.
constexpr int first_field(int id) {
  return id < kGemm_opcode ? 0 : id < kAlu_opcode ? kGemm_opcode : kAlu_opcode;
}

// The field of `width` bits after `previous`: as a bit-field in C, it starts the next word if the
// rest of this one is too narrow.
constexpr Field field_after(const Field& previous, int width) {
  const int lsb = previous.lsb + previous.width;
  return lsb + width <= 64 ? Field{previous.word, lsb, width} : Field{previous.word + 1, 0, width};
}

constexpr Field field(int id, const IsaWidths& w) {
  Field place{0, 0, 0};
  for (int i = first_field(id); i <= id; ++i) place = field_after(place, field_width(i, w));
  return place;
}

// The bits of word 0 or 1 that the fields of a format use; the others are reserved. `first` is the
// format's opcode field.
constexpr uint64_t used_bits(int first, int word, const IsaWidths& w) {
  int bits = 0;
  Field place{0, 0, 0};
  for (int i = first; i < kNumFields && first_field(i) == first; ++i) {
    place = field_after(place, field_width(i, w));
    if (place.word == word) bits = place.lsb + place.width;
  }
  return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

// kSplitBit_Gemm: the bit of word 0 that is `split`.
enum SplitBit {
#define VTA_SPLIT_BIT(format, bit) kSplitBit_##format = bit,
#include "hw/isa/fields.def"
};
// Encoder, fault checks and fetch read the bit before they distinguish the two.
static_assert(int{kSplitBit_Gemm} == int{kSplitBit_Alu});

// kUop_dst: fields of a micro-op, which is as wide as its indices.
enum UopFieldId {
#define VTA_UOP_FIELD(name, width) kUop_##name,
#include "hw/isa/fields.def"
  kNumUopFields
};

constexpr Field uop_field(int id, const IsaWidths& w) {
  const int widths[] = {
#define VTA_UOP_FIELD(name, width) width,
#include "hw/isa/fields.def"
  };
  int lsb = 0;
  for (int i = 0; i < id; ++i) lsb += widths[i];
  return Field{0, lsb, widths[id]};
}

// kReq_shift: fields of REQ's immediate.
enum ReqFieldId {
#define VTA_REQ_FIELD(name, width, meaning) kReq_##name,
#include "hw/isa/req.def"
  kNumReqFields
};

constexpr Field req_field(int id) {
  constexpr int widths[] = {
#define VTA_REQ_FIELD(name, width, meaning) width,
#include "hw/isa/req.def"
  };
  int lsb = 0;
  for (int i = 0; i < id; ++i) lsb += widths[i];
  return Field{0, lsb, widths[id]};
}

// Values of REQ's field `lower`.
enum ReqLower : uint8_t {
#define VTA_REQ_LOWER(enumerator, code, limit) enumerator = code,
#include "hw/isa/req.def"
  kReqLowerNone
};
// Values of REQ's field `upper`: 0 to kReqUpperMax are the limit itself.
constexpr int kReqUpperMax = 127, kReqUpperNone = 255;

constexpr int log2_exact(uint32_t value) { return value <= 1 ? 0 : 1 + log2_exact(value / 2); }

}  // namespace isa
}  // namespace vta

#endif  // VTA_HW_ISA_LAYOUT_H_
