// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden_instruction.h"

#include <algorithm>
#include <bit>

#include "base/errors/error.h"

namespace vta::support {
namespace {

// Widths of an index into each scratchpad (ISA chapter, second paragraph).
struct Widths {
  int uop, acc, src, wgt;
};

Widths index_widths(const CoreConfig& config) {
  const auto log2 = [](uint32_t depth) { return static_cast<int>(std::bit_width(depth)) - 1; };
  return {log2(config.uop_depth()), log2(config.acc_depth()),
          std::max(log2(config.inp_depth()), log2(config.acc_depth())), log2(config.wgt_depth())};
}

// Bits of an instruction, numbered 0 to 127 as in the ISA chapter.
class Bits {
 public:
  explicit Bits(std::span<const uint8_t> bytes) : bytes_(bytes) {
    VTA_ASSERT(bytes.size() == 16, "an instruction has 16 bytes");
  }
  bool bit(int number) const { return (bytes_[number / 8] >> (number % 8)) & 1; }
  uint64_t range(int first, int last) const {
    uint64_t value = 0;
    for (int number = last; number >= first; --number) value = value * 2 + bit(number);
    return value;
  }

 private:
  std::span<const uint8_t> bytes_;
};

// Reads consecutive fields: bit-fields of two 64-bit words.
class FieldReader {
 public:
  FieldReader(const Bits& bits, int first) : bits_(bits), next_(first) {}
  uint64_t take(int width) {
    if (next_ < 64 && next_ + width > 64) {
      low_end_ = next_;
      next_ = 64;
    }
    next_ += width;
    return bits_.range(next_ - width, next_ - 1);
  }
  // The first bit after the fields of each word.
  int low_end() const { return low_end_; }
  int high_end() const { return next_; }

 private:
  const Bits& bits_;
  int next_;
  int low_end_ = 64;
};

// Only a core with the extension checks them.
std::optional<GoldenCause> reserved_bits(const CoreConfig& config, const Bits& bits, int first,
                                         int last, int allowed = -1) {
  if (!config.extension) return std::nullopt;
  for (int number = first; number <= last; ++number) {
    if (number != allowed && bits.bit(number)) {
      return GoldenCause{isa::kReservedBits, static_cast<uint64_t>(number)};
    }
  }
  return std::nullopt;
}

bool has_split_form(uint64_t load_memory) {
  return load_memory == isa::kUop || load_memory == isa::kAcc || load_memory == isa::kAcc8Bit;
}

std::optional<GoldenCause> memory_fault(const GoldenInstruction& in, const Bits& bits,
                                        const CoreConfig& config) {
  if (in.is_carrier) return std::nullopt;
  const bool may_split = config.extension && in.opcode == isa::kLoad && has_split_form(in.memory);
  if (auto fault = reserved_bits(config, bits, 58, 63, may_split ? 58 : -1)) return fault;
  const bool legal_memory = in.opcode == isa::kStore
                                ? in.memory == isa::kOut
                                : in.memory <= isa::kAcc || in.memory == isa::kAcc8Bit;
  if (!legal_memory) return GoldenCause{isa::kIllegalMemory, in.memory};
  const bool pads = in.opcode == isa::kLoad && (in.memory == isa::kInp || in.memory == isa::kAcc ||
                                                in.memory == isa::kAcc8Bit);
  if (!pads && bits.range(112, 127) != 0) {
    return GoldenCause{isa::kIllegalPadding, bits.range(112, 127)};
  }
  return std::nullopt;
}

void read_memory_fields(GoldenInstruction& in, const Bits& bits, const CoreConfig& config) {
  in.memory = bits.range(7, 9);
  in.sram_base = bits.range(10, 25);
  in.dram_base = bits.range(26, 57);
  in.y_size = bits.range(64, 79);
  in.x_size = bits.range(80, 95);
  in.x_stride = bits.range(96, 111);
  in.y_pad_0 = bits.range(112, 115);
  in.y_pad_1 = bits.range(116, 119);
  in.x_pad_0 = bits.range(120, 123);
  in.x_pad_1 = bits.range(124, 127);
  const bool pads_rows = in.opcode == isa::kLoad && in.y_pad_0 + in.y_pad_1 > 0;
  in.is_carrier = in.x_size == 0 || (in.y_size == 0 && !pads_rows);
  in.split =
      config.extension && in.opcode == isa::kLoad && has_split_form(in.memory) && bits.bit(58);
  in.encoding_fault = memory_fault(in, bits, config);
}

// GEMM, ALU and FINISH, which has the format of GEMM.
void read_compute_fields(GoldenInstruction& in, const Bits& bits, const CoreConfig& config) {
  const Widths widths = index_widths(config);
  FieldReader fields(bits, 7);
  in.reset = fields.take(1);
  in.uop_bgn = fields.take(widths.uop);
  in.uop_end = fields.take(widths.uop + 1);
  in.iter_out = fields.take(14);
  in.iter_in = fields.take(14);
  in.dst_factor_out = fields.take(widths.acc);
  in.dst_factor_in = fields.take(widths.acc);
  in.src_factor_out = fields.take(widths.src);
  in.src_factor_in = fields.take(widths.src);
  if (in.opcode == isa::kAlu) {
    in.alu_opcode = static_cast<uint32_t>(fields.take(3));
    in.use_imm = fields.take(1);
    in.imm_bits = static_cast<uint32_t>(fields.take(16));
    in.imm = static_cast<int32_t>(in.imm_bits) - (in.imm_bits >= 0x8000 ? 0x10000 : 0);
  } else {
    in.wgt_factor_out = fields.take(widths.wgt);
    in.wgt_factor_in = fields.take(widths.wgt);
  }
  const bool may_split = config.extension && !in.is_finish();
  in.split = may_split && bits.bit(63);
  in.encoding_fault = reserved_bits(config, bits, fields.low_end(), 63, may_split ? 63 : -1);
  if (!in.encoding_fault) in.encoding_fault = reserved_bits(config, bits, fields.high_end(), 127);
  if (in.encoding_fault || in.opcode != isa::kAlu) return;

  if (!is_legal_alu_opcode(in.alu_opcode, config.extension)) {
    in.encoding_fault = GoldenCause{isa::kIllegalAluOpcode, in.alu_opcode};
  } else if (in.alu_opcode == isa::kReq) {
    const uint32_t high_limit = in.imm_bits >> 8;
    if (high_limit >= 128 && high_limit != 255) {
      in.encoding_fault = GoldenCause{isa::kIllegalReq, in.imm_bits};
    }
  }
}

GoldenStage stage_of(const GoldenInstruction& in) {
  if (in.opcode == isa::kStore) return GoldenStage::kStore;
  if (in.opcode == isa::kLoad && (in.memory == isa::kInp || in.memory == isa::kWgt)) {
    return GoldenStage::kLoad;
  }
  if (!in.split) return GoldenStage::kCompute;
  const bool gemm = in.opcode == isa::kGemm || (in.opcode == isa::kLoad && in.memory == isa::kUop);
  return gemm ? GoldenStage::kGemm : GoldenStage::kAlu;
}

// The queue of each of a stage's four flags, or none.
struct Neighbours {
  std::optional<GoldenQueue> pop_prev, pop_next, push_prev, push_next;
};

Neighbours neighbours_of(GoldenStage stage) {
  using Q = GoldenQueue;
  switch (stage) {
    case GoldenStage::kLoad:
      return {std::nullopt, Q::kGemmToLoad, std::nullopt, Q::kLoadToGemm};
    case GoldenStage::kGemm:
      return {Q::kLoadToGemm, Q::kAluToGemm, Q::kGemmToLoad, Q::kGemmToAlu};
    case GoldenStage::kAlu:
      return {Q::kGemmToAlu, Q::kStoreToAlu, Q::kAluToGemm, Q::kAluToStore};
    case GoldenStage::kStore:
      return {Q::kAluToStore, std::nullopt, Q::kStoreToAlu, std::nullopt};
    case GoldenStage::kCompute:
      return {Q::kLoadToGemm, Q::kStoreToAlu, Q::kGemmToLoad, Q::kAluToStore};
  }
  return {};
}

}  // namespace

bool is_legal_alu_opcode(uint32_t opcode, bool has_extension) {
  return opcode <= isa::kMaxAluOpcode &&
         (has_extension || !isa::alu_opcode_needs_extension(opcode));
}

std::vector<uint32_t> alu_opcodes(bool legal, bool has_extension) {
  std::vector<uint32_t> opcodes;
  for (uint32_t opcode = 0; opcode < 8; ++opcode) {
    if (is_legal_alu_opcode(opcode, has_extension) == legal) opcodes.push_back(opcode);
  }
  return opcodes;
}

const char* to_string(GoldenStage stage) {
  constexpr const char* kNames[] = {"load", "gemm", "alu", "store", "compute"};
  return kNames[static_cast<int>(stage)];
}

const char* to_string(GoldenQueue queue) {
  constexpr const char* kNames[] = {"load->gemm", "gemm->load", "gemm->alu",
                                    "alu->gemm",  "alu->store", "store->alu"};
  return kNames[static_cast<int>(queue)];
}

GoldenInstruction decode_golden(std::span<const uint8_t> bytes, const CoreConfig& config) {
  const Bits bits(bytes);
  GoldenInstruction in;
  in.opcode = static_cast<uint32_t>(bits.range(0, 2));
  if (in.opcode == isa::kLoad || in.opcode == isa::kStore) {
    read_memory_fields(in, bits, config);
  } else if (in.opcode <= isa::kAlu) {
    read_compute_fields(in, bits, config);
  } else {
    in.encoding_fault = GoldenCause{isa::kIllegalOpcode, in.opcode};
  }
  in.stage = stage_of(in);
  const Neighbours queues = neighbours_of(in.stage);
  if (bits.bit(3) && queues.pop_prev) in.pops.push_back(*queues.pop_prev);
  if (bits.bit(4) && queues.pop_next) in.pops.push_back(*queues.pop_next);
  if (in.is_finish()) return in;
  if (bits.bit(5) && queues.push_prev) in.pushes.push_back(*queues.push_prev);
  if (bits.bit(6) && queues.push_next) in.pushes.push_back(*queues.push_next);
  return in;
}

GoldenUop decode_golden_uop(uint32_t bits, const CoreConfig& config) {
  const Widths widths = index_widths(config);
  const auto low_bits = [](uint64_t value, int width) { return value % (uint64_t{1} << width); };
  const uint64_t value = bits;
  return {low_bits(value, widths.acc), low_bits(value >> widths.acc, widths.src),
          low_bits(value >> (widths.acc + widths.src), widths.wgt)};
}

}  // namespace vta::support
