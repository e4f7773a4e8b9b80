// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden_machine.h"

#include <algorithm>

namespace vta::support {
namespace {

// The low 32 bits of a sum or product, as a signed number.
int32_t wrap(int64_t value) { return static_cast<int32_t>(static_cast<uint32_t>(value)); }

int32_t wrapping_product(int32_t a, int32_t b) { return wrap(static_cast<int64_t>(a) * b); }

int32_t shift_left(int32_t x, int64_t distance) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) << distance);
}

int32_t requantize(int32_t sum, uint32_t imm_bits) {
  const uint32_t n = imm_bits & 31;
  const bool round = imm_bits & 32;
  int32_t x = sum;
  if (round && n > 0) x = wrap(static_cast<int64_t>(x) + (int64_t{1} << (n - 1)));
  x >>= n;
  const uint32_t lo = (imm_bits >> 6) & 3;
  const uint32_t hi = imm_bits >> 8;
  if (lo == 0) x = std::max(x, -128);
  if (lo == 1) x = std::max(x, -127);
  if (lo == 2) x = std::max(x, 0);
  if (hi <= 127) x = std::min(x, static_cast<int32_t>(hi));
  return x;
}

}  // namespace

int32_t golden_alu(uint32_t alu_opcode, int32_t x, int32_t y, uint32_t imm_bits) {
  switch (alu_opcode) {
    case isa::kMin:
      return std::min(x, y);
    case isa::kMax:
      return std::max(x, y);
    case isa::kAdd:
      return wrap(static_cast<int64_t>(x) + y);
    case isa::kShr:
      if (y >= 0) return x >> std::min(y, 31);
      return shift_left(x, std::min<int64_t>(-static_cast<int64_t>(y), 31));
    case isa::kMul:
      return wrapping_product(x, y);
    case isa::kReq:
      return requantize(wrap(static_cast<int64_t>(x) + y), imm_bits);
  }
  VTA_ASSERT(false, "the encoding was already checked");
  return 0;
}

GoldenMachine::GoldenMachine(const CoreConfig& config, std::span<uint8_t> arena,
                             uint64_t program_offset_bytes, uint32_t num_instructions,
                             uint64_t max_micro_ops)
    : config_(config),
      arena_(arena),
      uop_(config.uop_depth()),
      inp_(config.inp_buffer_bytes),
      wgt_(config.wgt_buffer_bytes),
      out_(config.acc_buffer_bytes / 4),
      acc_(config.acc_buffer_bytes / 4),
      log_(config, arena.size(), program_offset_bytes, num_instructions),
      micro_ops_left_(max_micro_ops) {}

std::optional<GoldenCause> GoldenMachine::execute(const GoldenInstruction& in) {
  if (in.is_carrier) return std::nullopt;
  if (in.encoding_fault) return in.encoding_fault;
  switch (in.opcode) {
    case isa::kLoad:
      return load(in);
    case isa::kStore:
      return store(in);
    case isa::kGemm:
      return for_each_micro_op(in, [&](const Operands& at) { return gemm(in, at); });
    case isa::kAlu:
      return for_each_micro_op(in, [&](const Operands& at) { return alu(in, at); });
  }
  return std::nullopt;  // FINISH
}

uint64_t GoldenMachine::depth_of(uint64_t memory) const {
  switch (memory) {
    case isa::kUop:
      return config_.uop_depth();
    case isa::kWgt:
      return config_.wgt_depth();
    case isa::kInp:
      return config_.inp_depth();
  }
  return config_.acc_depth();  // ACC, ACC_8BIT, OUT
}

uint64_t GoldenMachine::dram_element_bytes(uint64_t memory) const {
  switch (memory) {
    case isa::kUop:
      return 4;
    case isa::kWgt:
      return uint64_t{config_.block_out} * config_.block_in;
    case isa::kInp:
      return uint64_t{config_.batch} * config_.block_in;
    case isa::kAcc:
      return uint64_t{config_.batch} * config_.block_out * 4;
  }
  return uint64_t{config_.batch} * config_.block_out;  // OUT, ACC_8BIT
}

GoldenMachine::Fault GoldenMachine::check_ranges(const GoldenInstruction& in,
                                                 uint64_t num_elements) const {
  const uint64_t sram_end = in.sram_base + num_elements;
  if (sram_end > depth_of(in.memory)) return GoldenCause{isa::kScratchpadRange, sram_end};
  if (in.y_size == 0) return std::nullopt;  // only padding
  const uint64_t dram_end =
      (in.dram_base + (in.y_size - 1) * in.x_stride + in.x_size) * dram_element_bytes(in.memory);
  if (dram_end > arena_.size()) return GoldenCause{isa::kDramRange, dram_end};
  return std::nullopt;
}

GoldenMachine::Fault GoldenMachine::load(const GoldenInstruction& in) {
  const uint64_t rows = in.y_pad_0 + in.y_size + in.y_pad_1;
  const uint64_t columns = in.x_pad_0 + in.x_size + in.x_pad_1;
  if (const Fault fault = check_ranges(in, rows * columns)) return fault;
  const uint64_t element_bytes = dram_element_bytes(in.memory);
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t column = 0; column < columns; ++column) {
      const bool padding = row < in.y_pad_0 || row >= in.y_pad_0 + in.y_size ||
                           column < in.x_pad_0 || column >= in.x_pad_0 + in.x_size;
      std::optional<uint64_t> offset_bytes;
      if (!padding) {
        offset_bytes = (in.dram_base + (row - in.y_pad_0) * in.x_stride + (column - in.x_pad_0)) *
                       element_bytes;
        log_.read_dram(*offset_bytes, element_bytes);
      }
      load_element(in, in.sram_base + row * columns + column, offset_bytes);
    }
  }
  count_load(in);
  return std::nullopt;
}

// `offset_bytes`: the element's offset in the arena; padding has none.
void GoldenMachine::load_element(const GoldenInstruction& in, uint64_t element,
                                 std::optional<uint64_t> offset_bytes) {
  const uint64_t element_bytes = dram_element_bytes(in.memory);
  const auto byte = [&](uint64_t i) {
    return offset_bytes ? arena_[*offset_bytes + i] : uint8_t{0};
  };
  switch (in.memory) {
    case isa::kUop:
      log_.write(GoldenPlace::kUop, element);
      uop_[element] = 0;
      for (uint64_t i = 0; i < 4; ++i) uop_[element] |= static_cast<uint32_t>(byte(i)) << (8 * i);
      return;
    case isa::kWgt:
      log_.write(GoldenPlace::kWgt, element);
      for (uint64_t i = 0; i < element_bytes; ++i) {
        wgt_[element * element_bytes + i] = static_cast<int8_t>(byte(i));
      }
      return;
    case isa::kInp:
      log_.write(GoldenPlace::kInp, element);
      for (uint64_t i = 0; i < element_bytes; ++i) {
        inp_[element * element_bytes + i] = static_cast<int8_t>(byte(i));
      }
      return;
  }
  load_acc(in, element, offset_bytes);
}

void GoldenMachine::load_acc(const GoldenInstruction& in, uint64_t element,
                             std::optional<uint64_t> offset_bytes) {
  const uint64_t lanes = uint64_t{config_.batch} * config_.block_out;
  const auto byte = [&](uint64_t i) {
    return offset_bytes ? arena_[*offset_bytes + i] : uint8_t{0};
  };
  log_.write(GoldenPlace::kAcc, element);
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    int32_t value = 0;
    if (in.memory == isa::kAcc8Bit) {
      value = static_cast<int8_t>(byte(lane));
    } else {
      uint32_t bits = 0;
      for (uint64_t i = 0; i < 4; ++i) bits |= static_cast<uint32_t>(byte(lane * 4 + i)) << (8 * i);
      value = static_cast<int32_t>(bits);
    }
    acc_[element * lanes + lane] = value;
  }
  if (!in.split) update_out(element);
}

void GoldenMachine::count_load(const GoldenInstruction& in) {
  const uint64_t moved_bytes = in.x_size * in.y_size * dram_element_bytes(in.memory);
  if (in.memory == isa::kUop) counters_.uop_load_nbytes += moved_bytes;
  if (in.memory == isa::kWgt) counters_.wgt_load_nbytes += moved_bytes;
  if (in.memory == isa::kInp) counters_.inp_load_nbytes += moved_bytes;
  if (in.memory == isa::kAcc || in.memory == isa::kAcc8Bit)
    counters_.acc_load_nbytes += moved_bytes;
}

GoldenMachine::Fault GoldenMachine::store(const GoldenInstruction& in) {
  if (const Fault fault = check_ranges(in, in.y_size * in.x_size)) return fault;
  const uint64_t element_bytes = dram_element_bytes(in.memory);
  for (uint64_t row = 0; row < in.y_size; ++row) {
    for (uint64_t column = 0; column < in.x_size; ++column) {
      const uint64_t element = in.sram_base + row * in.x_size + column;
      const uint64_t offset_bytes = (in.dram_base + row * in.x_stride + column) * element_bytes;
      log_.read(GoldenPlace::kOut, element);
      log_.write_dram(offset_bytes, element_bytes);
      for (uint64_t i = 0; i < element_bytes; ++i) {
        arena_[offset_bytes + i] = static_cast<uint8_t>(out_[element * element_bytes + i]);
      }
    }
  }
  counters_.out_store_nbytes += in.x_size * in.y_size * element_bytes;
  return std::nullopt;
}

template <typename MicroOp>
GoldenMachine::Fault GoldenMachine::for_each_micro_op(const GoldenInstruction& in,
                                                      MicroOp micro_op) {
  if (in.uop_bgn > in.uop_end) return GoldenCause{isa::kUopRange, in.uop_bgn};
  if (in.uop_end > config_.uop_depth()) return GoldenCause{isa::kUopRange, in.uop_end};
  for (uint64_t i = 0; i < in.iter_out; ++i) {
    for (uint64_t j = 0; j < in.iter_in; ++j) {
      for (uint64_t u = in.uop_bgn; u < in.uop_end; ++u) {
        if (micro_ops_left_-- == 0) throw TooLong{};
        log_.read(GoldenPlace::kUop, u);
        const GoldenUop uop = decode_golden_uop(uop_[u], config_);
        const Operands at{uop.dst + i * in.dst_factor_out + j * in.dst_factor_in,
                          uop.src + i * in.src_factor_out + j * in.src_factor_in,
                          uop.wgt + i * in.wgt_factor_out + j * in.wgt_factor_in};
        if (const Fault fault = micro_op(at)) return fault;
      }
    }
  }
  return std::nullopt;
}

GoldenMachine::Fault GoldenMachine::gemm(const GoldenInstruction& in, const Operands& at) {
  if (at.dst >= config_.acc_depth()) return GoldenCause{isa::kDstIndex, at.dst};
  const uint64_t lanes = uint64_t{config_.batch} * config_.block_out;
  if (in.reset && !in.split) {
    log_.write(GoldenPlace::kAcc, at.dst);
    for (uint64_t lane = 0; lane < lanes; ++lane) acc_[at.dst * lanes + lane] = 0;
    update_out(at.dst);
    return std::nullopt;
  }
  if (at.src >= config_.inp_depth()) return GoldenCause{isa::kSrcIndex, at.src};
  if (at.wgt >= config_.wgt_depth()) return GoldenCause{isa::kWgtIndex, at.wgt};
  log_.read(GoldenPlace::kInp, at.src);
  log_.read(GoldenPlace::kWgt, at.wgt);
  if (!in.reset) log_.read(GoldenPlace::kAcc, at.dst);
  log_.write(GoldenPlace::kAcc, at.dst);
  for (uint64_t b = 0; b < config_.batch; ++b) {
    for (uint64_t o = 0; o < config_.block_out; ++o) {
      int32_t& acc = acc_[at.dst * lanes + b * config_.block_out + o];
      int64_t sum = in.reset ? 0 : acc;
      for (uint64_t k = 0; k < config_.block_in; ++k) {
        const int64_t x = inp_[(at.src * config_.batch + b) * config_.block_in + k];
        const int64_t w = wgt_[(at.wgt * config_.block_out + o) * config_.block_in + k];
        sum += x * w;
      }
      acc = wrap(sum);
    }
  }
  if (!in.split) update_out(at.dst);
  ++counters_.gemm_counter;
  return std::nullopt;
}

GoldenMachine::Fault GoldenMachine::alu(const GoldenInstruction& in, const Operands& at) {
  if (at.dst >= config_.acc_depth()) return GoldenCause{isa::kDstIndex, at.dst};
  if (!in.use_imm && at.src >= config_.acc_depth()) return GoldenCause{isa::kSrcIndex, at.src};
  const uint64_t lanes = uint64_t{config_.batch} * config_.block_out;
  log_.read(GoldenPlace::kAcc, at.dst);
  if (!in.use_imm) log_.read(GoldenPlace::kAcc, at.src);
  log_.write(GoldenPlace::kAcc, at.dst);
  const int32_t immediate = in.alu_opcode == isa::kReq ? 0 : in.imm;
  for (uint64_t lane = 0; lane < lanes; ++lane) {
    int32_t& x = acc_[at.dst * lanes + lane];
    const int32_t y = in.use_imm ? immediate : acc_[at.src * lanes + lane];
    x = golden_alu(in.alu_opcode, x, y, in.imm_bits);
  }
  update_out(at.dst);
  ++counters_.alu_counter;
  return std::nullopt;
}

// OUT mirrors ACC: the low byte of every lane.
void GoldenMachine::update_out(uint64_t element) {
  log_.write(GoldenPlace::kOut, element);
  const uint64_t lanes = uint64_t{config_.batch} * config_.block_out;
  for (uint64_t i = element * lanes; i < (element + 1) * lanes; ++i) {
    out_[i] = static_cast<int8_t>(static_cast<uint8_t>(static_cast<uint32_t>(acc_[i])));
  }
}

}  // namespace vta::support
