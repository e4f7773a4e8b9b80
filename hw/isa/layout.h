// SPDX-License-Identifier: Apache-2.0
//
// Where each field of an instruction stands, as constant expressions: shared by the core (which is
// compiled to hardware, hence C++14 and no standard containers here) and by the host's encoder and
// decoder.
#ifndef VTA_HW_ISA_LAYOUT_H_
#define VTA_HW_ISA_LAYOUT_H_

#include <cstdint>

namespace vta {
namespace isa {

enum Opcode : uint8_t { kLoad = 0, kStore = 1, kGemm = 2, kFinish = 3, kAlu = 4 };

enum MemoryId : uint8_t { kUop = 0, kWgt = 1, kInp = 2, kAcc = 3, kOut = 4, kAcc8Bit = 5 };

enum AluOpcode : uint8_t { kMin = 0, kMax = 1, kAdd = 2, kShr = 3, kMul = 4, kReq = 5 };

// Why a program stopped; the value of the core's status register. faults.def lists them in the
// order in which a stage checks, each with the value reported beside it.
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

enum FieldId {
#define VTA_FIELD(shape, word, name, width) k##shape##_##name,
#include "hw/isa/fields.def"
  kNumFields
};

constexpr int field_word(int id) {
  constexpr int words[] = {
#define VTA_FIELD(shape, word, name, width) word,
#include "hw/isa/fields.def"
  };
  return words[id];
}

constexpr int field_width(int id, const IsaWidths& w) {
  const int widths[] = {
#define VTA_FIELD(shape, word, name, width) width,
#include "hw/isa/fields.def"
  };
  return widths[id];
}

// The first field of the instruction shape that `id` belongs to.
constexpr int first_field(int id) {
  return id < kGemm_opcode ? 0 : id < kAlu_opcode ? kGemm_opcode : kAlu_opcode;
}

constexpr Field field(int id, const IsaWidths& w) {
  int lsb = 0;
  for (int i = first_field(id); i < id; ++i) {
    if (field_word(i) == field_word(id)) lsb += field_width(i, w);
  }
  return Field{field_word(id), lsb, field_width(id, w)};
}

// Bits of word 0 or 1 that the fields of a shape fill; the rest must be zero. `first` is the
// shape's opcode field.
constexpr uint64_t used_bits(int first, int word, const IsaWidths& w) {
  int bits = 0;
  for (int i = first; i < kNumFields && first_field(i) == first; ++i) {
    if (field_word(i) == word) bits += field_width(i, w);
  }
  return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

constexpr int kSplitBitCompute = 63;  // of GEMM and ALU
constexpr int kSplitBitLoad = 58;     // of LOAD UOP, ACC and ACC_8BIT

// A micro-op: dst, src, wgt from bit 0 upwards; as wide as the indices they hold.
struct UopLayout {
  int dst_lsb, src_lsb, wgt_lsb;
  int dst_bits, src_bits, wgt_bits;
};
constexpr UopLayout uop_layout(const IsaWidths& w) {
  return UopLayout{0, w.acc_bits, w.acc_bits + w.src_bits, w.acc_bits, w.src_bits, w.wgt_bits};
}

constexpr int log2_exact(uint32_t value) { return value <= 1 ? 0 : 1 + log2_exact(value / 2); }

}  // namespace isa
}  // namespace vta

#endif  // VTA_HW_ISA_LAYOUT_H_
