// SPDX-License-Identifier: Apache-2.0
#include "configs/core_config.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <vector>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "configs/config_files.h"
#include "configs/core_fields.h"

namespace vta {
namespace {

constexpr uint32_t kMinElementBytes = 8;  // one beat of the 64-bit memory port
// ACC is two banks by the top index bit, so an index has at least one bit.
constexpr uint32_t kMinDepth = 2;
// With pixel pairs INP is four RAMs of at least two words, and ACC two RAMs of two such banks.
constexpr uint32_t kMinPairedDepth = 8;
// Width of sram_base, which addresses elements of every memory.
constexpr int kSramBaseBits = 16;

void check_ranges(const CoreConfig& core) {
  for (const CoreField& field : kCoreFields) {
    const uint32_t value = core.*field.member;
    if (value < 1 || value > field.max) {
      fail(ErrorCode::kInvalidArgument, "{} is {}, must be from 1 to {}", field.key, value,
           field.max);
    }
    if (field.power_of_two && !std::has_single_bit(value)) {
      fail(ErrorCode::kInvalidArgument, "{} is {}, must be a power of two", field.key, value);
    }
  }
}

void check_folding(const CoreConfig& core) {
  if (core.alu_folding <= core.lanes()) return;
  fail(ErrorCode::kInvalidArgument,
       "alu_folding is {}, must be at most {}: an element of ACC has batch * block_out lanes",
       core.alu_folding, core.lanes());
}

struct Buffer {
  const char* memory;
  const char* key;
  uint32_t buffer_bytes;
  uint32_t elem_bytes;
  uint32_t min_elem_bytes;
  uint32_t min_depth = kMinDepth;
};

void check_buffer(const Buffer& buffer) {
  if (buffer.elem_bytes < buffer.min_elem_bytes) {
    fail(ErrorCode::kInvalidArgument,
         "an element of {} has {}, must have at least {} (one 64-bit beat)", buffer.memory,
         counted(buffer.elem_bytes, "byte"), buffer.min_elem_bytes);
  }
  const uint32_t depth = buffer.buffer_bytes / buffer.elem_bytes;
  if (depth < buffer.min_depth) {
    fail(ErrorCode::kInvalidArgument, "{} is {}, which holds {} of {}; must hold at least {}{}",
         buffer.key, buffer.buffer_bytes, counted(depth, "element"),
         counted(buffer.elem_bytes, "byte"), buffer.min_depth,
         buffer.min_depth > kMinDepth ? " with pixels 2" : "");
  }
  if (depth > uint32_t{1} << kSramBaseBits) {
    fail(ErrorCode::kInvalidArgument,
         "{} is {}, which holds {} elements: an index needs {} bits, but sram_base has {}",
         buffer.key, buffer.buffer_bytes, depth, std::countr_zero(depth), kSramBaseBits);
  }
}

void check_buffers(const CoreConfig& core) {
  const uint32_t beat = kMinElementBytes;
  const uint32_t min_depth = core.pixels > 1 ? kMinPairedDepth : kMinDepth;
  check_buffer({"UOP", "uop_buffer_bytes", core.uop_buffer_bytes, core.uop_elem_bytes(), 1});
  check_buffer(
      {"INP", "inp_buffer_bytes", core.inp_buffer_bytes, core.inp_elem_bytes(), beat, min_depth});
  check_buffer({"WGT", "wgt_buffer_bytes", core.wgt_buffer_bytes, core.wgt_elem_bytes(), beat});
  check_buffer(
      {"ACC", "acc_buffer_bytes", core.acc_buffer_bytes, core.acc_elem_bytes(), beat, min_depth});
  // OUT has no size of its own: it is as deep as ACC.
  check_buffer({"OUT", "acc_buffer_bytes", core.acc_depth() * core.out_elem_bytes(),
                core.out_elem_bytes(), beat});
}

struct BitField {
  const char* name;
  int bits;
};

void check_micro_op(std::initializer_list<BitField> fields) {
  constexpr int kBits = 32;
  int left = kBits;
  for (const BitField& field : fields) {
    if (field.bits > left) {
      fail(ErrorCode::kInvalidArgument,
           "micro-op: field {} has {} bits, but of {} only {} are left", field.name, field.bits,
           kBits, left);
    }
    left -= field.bits;
  }
}

// Checks that `fields` fit an instruction's two words, as bit-fields of C: a field that does not
// fit the rest of word 0 starts word 1. With the extension, bit 63 is `split`.
void check_instruction(const char* format, bool has_split, const std::vector<BitField>& fields) {
  constexpr int kWordBits = 64;
  int word = 0, left = kWordBits;
  for (const BitField& field : fields) {
    if (field.bits > left && word == 0) {
      word = 1;
      left = kWordBits;
    }
    if (field.bits > left) {
      fail(ErrorCode::kInvalidArgument,
           "{}, bits 64-127: field {} has {} bits, but of {} only {} are left", format, field.name,
           field.bits, kWordBits, left);
    }
    left -= field.bits;
    if (has_split && word == 0 && left == 0) {
      fail(ErrorCode::kInvalidArgument,
           "{}: field {} ends at bit 63, which is the extension's split", format, field.name);
    }
  }
}

// The fields of instructions as in hw/isa/fields.def (a test of hw/isa compares the two). Formats
// whose widths do not depend on the core always fit.
void check_field_widths(const CoreConfig& core) {
  const int uop = std::countr_zero(core.uop_depth());
  const int acc = std::countr_zero(core.acc_depth());
  const int src = std::max(std::countr_zero(core.inp_depth()), acc);
  const int wgt = std::countr_zero(core.wgt_depth());
  check_micro_op({{"dst", acc}, {"src", src}, {"wgt", wgt}});
  const std::vector<BitField> both = {
      {"opcode", 3},           {"dependence flags", 4}, {"reset", 1},
      {"uop_bgn", uop},        {"uop_end", uop + 1},    {"iter_out", 14},
      {"iter_in", 14},         {"dst_factor_out", acc}, {"dst_factor_in", acc},
      {"src_factor_out", src}, {"src_factor_in", src}};
  const auto check = [&](const char* format, std::initializer_list<BitField> own) {
    std::vector<BitField> fields = both;
    fields.insert(fields.end(), own);
    check_instruction(format, core.extension, fields);
  };
  check("GEMM", {{"wgt_factor_out", wgt}, {"wgt_factor_in", wgt}});
  check("ALU", {{"alu_opcode", 3}, {"use_imm", 1}, {"imm", 16}});
}

}  // namespace

bool CoreConfig::same_hardware(const CoreConfig& other) const {
  for (const CoreField& field : kCoreFields) {
    if (this->*field.member != other.*field.member) return false;
  }
  return extension == other.extension;
}

void check(const CoreConfig& config) {
  with_context(is_config_name(config.name) ? "core " + config.name : "core", [&] {
    check_ranges(config);
    check_folding(config);
    check_buffers(config);
    check_field_widths(config);
  });
}

}  // namespace vta
