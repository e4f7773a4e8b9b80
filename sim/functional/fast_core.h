// SPDX-License-Identifier: Apache-2.0
//
// FastCore: the native core with whole instructions as vector loops. It leaves the same bytes,
// counters and faults as core::Core. Checks are hoisted to the instruction: one that is illegal, or
// an index of which leaves its scratchpad, is left to core::Core, which finds the fault.
#ifndef VTA_SIM_FUNCTIONAL_FAST_CORE_H_
#define VTA_SIM_FUNCTIONAL_FAST_CORE_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "hw/core/core.h"
#include "sim/functional/packed_products.h"

namespace vta::sim {

template <class P>
class FastCore final : public core::Core<P> {
  using Base = core::Core<P>;
  using S = core::Sizes<P>;
  using Command = core::Command;
  using Products = PackedProducts<P>;
  typedef int32_t Word __attribute__((vector_size(S::kLanes * sizeof(int32_t))));
  typedef int8_t Bytes __attribute__((vector_size(S::kLanes)));

 protected:
  // Also packs what it loads.
  bool has_loaded(const core::LoadPlan& plan) override {
    plan.wgt ? load_weights(plan) : load_inputs(plan);
    return true;
  }

  // The rows follow each other in OUT.
  bool has_read(const Command& command, const core::StorePlan& plan) override {
    const uint64_t columns = core::get<P, isa::kMemory_x_size>(command);
    if (plan.rows.rows == 0) return true;  // the element of a carrier is any
    this->store_beats.write(&this->out[core::get<P, isa::kMemory_sram_base>(command)],
                            plan.rows.rows * columns * S::kOutBeats);
    return true;
  }

  bool has_sent(const core::StorePlan& plan) override {
    uint32_t row = plan.rows.address;
    for (uint32_t y = 0; y < plan.rows.rows; ++y, row += plan.rows.stride_bytes)
      write_row(plan.index, row, plan.rows.row_bytes / hls::kBeatBytes);
    return true;
  }

  core::Fault multiply(const Command& command) override {
    Gemm gemm;
    if (!decode(command, gemm)) return Base::multiply(command);
    if (!runs_.empty()) gemm.multiplies ? multiply(gemm) : clear(gemm);
    return core::no_fault();
  }

  core::Fault calculate(const Command& command) override {
    Alu alu;
    if (!decode(command, alu)) return Base::calculate(command);
    using Function = void (FastCore::*)(Alu);
    constexpr Function kFunctions[][2] = {
#define VTA_ALU_OPCODE(opcode, code, name, needs_extension, result) \
  {&FastCore::calculate<isa::opcode, false>, &FastCore::calculate<isa::opcode, true>},
#include "hw/isa/alu_opcodes.def"
    };
    if (!operands_.empty()) (this->*kFunctions[alu.opcode][alu.use_imm])(alu);
    return core::no_fault();
  }

  core::Fault load_accumulators(const Command& command, bool writes_out) override {
    const bool narrow = core::get<P, isa::kMemory_memory>(command) == isa::kAcc8Bit;
    const uint32_t elem_bytes = narrow ? S::kOutBytes : S::kAccBytes;
    if (!is_legal_load(command, elem_bytes)) return Base::load_accumulators(command, writes_out);
    const core::RowPlan plan = core::rows_of<P>(command, elem_bytes, this->dram_base_bytes);
    this->acc_plan.write(plan);
    this->acc_load_nbytes += core::moved_bytes<P>(command, elem_bytes);

    const uint32_t x_pad_0 = core::get<P, isa::kMemory_x_pad_0>(command),
                   y_pad_0 = core::get<P, isa::kMemory_y_pad_0>(command),
                   x_size = core::get<P, isa::kMemory_x_size>(command);
    const uint32_t columns = x_pad_0 + x_size + core::get<P, isa::kMemory_x_pad_1>(command);
    uint32_t element = core::get<P, isa::kMemory_sram_base>(command);
    if (core::has_padding<P>(command)) {
      const uint64_t elements = core::scratchpad_elems<P>(command);
      std::fill_n(this->acc + element, elements, core::AccWord<P>{});
      if (writes_out) std::fill_n(this->out + element, elements, core::OutWord<P>{});
    }
    element += y_pad_0 * columns + x_pad_0;
    for (uint32_t y = 0; y < plan.rows; ++y, element += columns)
      load_accumulator_row({this->acc + element, x_size}, narrow,
                           writes_out ? this->out + element : nullptr);
    return core::no_fault();
  }

 private:
  // What an index grows by in each iteration of the two loops.
  struct Factors {
    uint32_t out, in;
  };
  struct Loops {
    uint32_t out, in;
    bool are_empty() const { return out == 0 || in == 0; }
    // The largest offset of an index; not for empty loops.
    uint64_t last(Factors factors) const {
      return uint64_t{out - 1} * factors.out + uint64_t{in - 1} * factors.in;
    }
  };
  struct Gemm {
    Loops loops;
    Factors dst, src, wgt;
    bool multiplies;
    bool adds;        // else each micro-op overwrites its destination
    bool writes_out;  // as plain instructions do
  };
  struct Alu {
    Loops loops;
    Factors dst, src;
    uint32_t opcode;
    bool use_imm;
    int32_t imm;
    bool has_any_order;  // the result does not depend on the order of the micro-ops
  };
  struct Operands {
    uint32_t dst, src;
  };
  // Consecutive micro-ops of one destination: terms [begin, end).
  struct Run {
    uint32_t dst, begin, end;
  };
  // Rows of batch whose products have the same weights, and no two of them the same destination.
  struct RowBlock {
    uint32_t size = 0;
    uint32_t last_dst = 0;
    uint32_t weight = 0;                    // offset of every weight
    uint32_t src[Products::kMaxRows] = {};  // in groups
    uint32_t dst[Products::kMaxRows] = {};  // in lanes
  };

  void load_weights(const core::LoadPlan& plan) {
    uint32_t element = plan.sram_base;
    for (uint32_t y = 0; y < plan.y_size; ++y) {
      this->load_port.read(&this->wgt[element], plan.x_size * S::kWgtBeats);
      for (uint32_t x = 0; x < plan.x_size; ++x, ++element)
        Products::pack(this->wgt[element], weights_[element]);
    }
  }

  void load_inputs(const core::LoadPlan& plan) {
    const uint32_t columns = plan.x_pad_0 + plan.x_size + plan.x_pad_1;
    const uint32_t rows = plan.y_pad_0 + plan.y_size + plan.y_pad_1;
    if (rows * columns == 0) return;  // the element of a carrier is any
    core::InpWord<P>* row = &this->inp[plan.sram_base];
    const bool has_padding = rows != plan.y_size || columns != plan.x_size;
    if (has_padding) std::fill_n(row, rows * columns, core::InpWord<P>{});
    row += plan.y_pad_0 * columns;
    for (uint32_t y = 0; y < plan.y_size; ++y, row += columns)
      this->load_port.read(row + plan.x_pad_0, plan.x_size * S::kInpBeats);
    for (uint32_t i = plan.sram_base; i < plan.sram_base + rows * columns; ++i)
      Products::pack(this->inp[i], inputs_[i]);
  }

  // `index`: of the instruction.
  void write_row(uint32_t index, uint32_t address, uint32_t beats) {
    uint64_t burst[hls::kBurstBeats];
    for (uint32_t some; beats != 0; beats -= some, address += some * hls::kBeatBytes) {
      some = hls::burst_beats(address, beats);
      this->store_beats.read(burst, some);
      this->store_port.request(address, some);
      this->store_port.write(burst, some);
      if (this->observer == nullptr) continue;
      for (uint32_t i = 0; i < some; ++i)
        this->observer->beat_stored(index, address + i * hls::kBeatBytes, burst[i]);
    }
  }

  // False if the instruction has a fault.
  bool decode(const Command& command, Gemm& gemm) {
    const bool split = this->has_extension & core::is_split(command, isa::kSplitBit_Gemm);
    const uint64_t split_bit = uint64_t{1} << isa::kSplitBit_Gemm;
    const core::Fault reserved =
        core::check_reserved<P, isa::kGemm_opcode>(command, split_bit, this->has_extension);
    const uint32_t uop_bgn = core::get<P, isa::kGemm_uop_bgn>(command),
                   uop_end = core::get<P, isa::kGemm_uop_end>(command);
    if (reserved.code != isa::kNoFault || uop_bgn > uop_end || uop_end > P::kUopDepth) return false;
    gemm.loops = {core::get<P, isa::kGemm_iter_out>(command),
                  core::get<P, isa::kGemm_iter_in>(command)};
    gemm.dst = {core::get<P, isa::kGemm_dst_factor_out>(command),
                core::get<P, isa::kGemm_dst_factor_in>(command)};
    gemm.src = {core::get<P, isa::kGemm_src_factor_out>(command),
                core::get<P, isa::kGemm_src_factor_in>(command)};
    gemm.wgt = {core::get<P, isa::kGemm_wgt_factor_out>(command),
                core::get<P, isa::kGemm_wgt_factor_in>(command)};
    gemm.adds = core::get<P, isa::kGemm_reset>(command) == 0;
    gemm.multiplies = split || gemm.adds;
    gemm.writes_out = !split;
    return decode_uops({this->uop + uop_bgn, this->uop + uop_end}, gemm);
  }

  // Fills terms_ and runs_. False if an index leaves its scratchpad.
  bool decode_uops(std::span<const uint32_t> uops, const Gemm& gemm) {
    terms_.clear();
    runs_.clear();
    if (gemm.loops.are_empty()) return true;
    uint32_t max_dst = 0, max_src = 0, max_wgt = 0;
    for (const uint32_t bits : uops) {
      const uint32_t dst = field<isa::kUop_dst>(bits), src = field<isa::kUop_src>(bits),
                     wgt = field<isa::kUop_wgt>(bits);
      max_dst = std::max(max_dst, dst);
      max_src = std::max(max_src, src);
      max_wgt = std::max(max_wgt, wgt);
      const auto term = static_cast<uint32_t>(terms_.size());
      terms_.push_back({src * kInputGroups, wgt});
      if (runs_.empty() || runs_.back().dst != dst) runs_.push_back({dst, term, term});
      runs_.back().end = term + 1;
    }
    if (uops.empty()) return true;
    if (max_dst + gemm.loops.last(gemm.dst) >= P::kAccDepth) return false;
    return !gemm.multiplies || (max_src + gemm.loops.last(gemm.src) < P::kInpDepth &&
                                max_wgt + gemm.loops.last(gemm.wgt) < P::kWgtDepth);
  }

  template <int id>
  static uint32_t field(uint32_t bits) {
    constexpr isa::Field f = S::uop_field(id);
    return (bits >> f.lsb) & ((1u << f.width) - 1);
  }

  void clear(const Gemm& gemm) {
    for (uint32_t i = 0; i < gemm.loops.out; ++i) {
      for (uint32_t j = 0; j < gemm.loops.in; ++j) {
        for (const Run& run : runs_) {
          const uint32_t d = run.dst + i * gemm.dst.out + j * gemm.dst.in;
          this->acc[d] = {};
          this->out[d] = {};
        }
        count_work(runs_.size());
      }
    }
  }

  // Sums are exact modulo 2^32, so products are added in any order. Those that overwrite have their
  // order, unless a block of rows has one run only.
  void multiply(Gemm gemm) {
    if (gemm.adds && gemm.wgt.out == 0 && gemm.wgt.in != 0)  // the same weights in the inner loop
      swap_loops(gemm.loops, {&gemm.dst, &gemm.src, &gemm.wgt});
    const uint32_t most_rows = gemm.adds || runs_.size() == 1 ? Products::kMaxRows : 1;
    RowBlock block;
    for (uint32_t i = 0; i < gemm.loops.out; ++i) {
      for (uint32_t j = 0; j < gemm.loops.in; ++j) {
        const uint32_t weight = i * gemm.wgt.out + j * gemm.wgt.in;
        const uint32_t dst = i * gemm.dst.out + j * gemm.dst.in;
        if (weight != block.weight || dst <= block.last_dst) flush(gemm, block);
        block.weight = weight;
        block.last_dst = dst;
        for (uint32_t b = 0; b < P::kBatch; ++b) {
          if (block.size == most_rows) flush(gemm, block);
          block.src[block.size] =
              (i * gemm.src.out + j * gemm.src.in) * kInputGroups + b * Products::kGroups;
          block.dst[block.size] = dst * S::kLanes + b * P::kBlockOut;
          block.size++;
        }
      }
    }
    flush(gemm, block);
    this->gemm_counter += uint64_t{gemm.loops.out} * gemm.loops.in * terms_.size();
  }

  void flush(const Gemm& gemm, RowBlock& block) {
    for (const Run& run : runs_) {
      multiply_rows<Products::kMaxRows>(gemm, run, block, 0);
      count_work(block.size * (run.end - run.begin));
    }
    block.size = 0;
  }

  // Rows from `first` of the block on.
  template <uint32_t rows>
  void multiply_rows(const Gemm& gemm, const Run& run, const RowBlock& block, uint32_t first) {
    const std::span all(terms_.data() + run.begin, terms_.data() + run.end);
    const auto* inputs = reinterpret_cast<const Group*>(inputs_.data());
    int32_t* const acc = this->acc[run.dst].v;
    int8_t* const out = gemm.writes_out ? this->out[run.dst].v : nullptr;
    for (; block.size - first >= rows; first += rows) {
      if (gemm.adds) {
        Products::template multiply<rows, true>(all, inputs, &weights_[block.weight],
                                                block.src + first, block.dst + first, acc, out);
      } else {
        Products::template multiply<rows, false>(all.last(1), inputs, &weights_[block.weight],
                                                 block.src + first, block.dst + first, acc, out);
      }
    }
    if constexpr (rows > 1) multiply_rows<rows / 2>(gemm, run, block, first);
  }

  // False if the instruction has a fault. Fills operands_.
  bool decode(const Command& command, Alu& alu) {
    if (core::check_alu<P>(command, this->has_extension).code != isa::kNoFault) return false;
    alu.loops = {core::get<P, isa::kAlu_iter_out>(command),
                 core::get<P, isa::kAlu_iter_in>(command)};
    alu.dst = {core::get<P, isa::kAlu_dst_factor_out>(command),
               core::get<P, isa::kAlu_dst_factor_in>(command)};
    alu.src = {core::get<P, isa::kAlu_src_factor_out>(command),
               core::get<P, isa::kAlu_src_factor_in>(command)};
    alu.opcode = core::get<P, isa::kAlu_alu_opcode>(command);
    alu.use_imm = core::get<P, isa::kAlu_use_imm>(command) != 0;
    alu.imm = static_cast<int16_t>(core::get<P, isa::kAlu_imm>(command));
    operands_.clear();
    if (alu.loops.are_empty()) return true;
    uint32_t min_dst = P::kAccDepth, min_src = P::kAccDepth, max_dst = 0, max_src = 0;
    const uint32_t end = core::get<P, isa::kAlu_uop_end>(command);
    for (uint32_t u = core::get<P, isa::kAlu_uop_bgn>(command); u < end; ++u) {
      const uint32_t dst = field<isa::kUop_dst>(this->uop[u]),
                     src = field<isa::kUop_src>(this->uop[u]);
      operands_.push_back({dst, src});
      min_dst = std::min(min_dst, dst), max_dst = std::max(max_dst, dst);
      min_src = std::min(min_src, src), max_src = std::max(max_src, src);
    }
    if (operands_.empty()) return true;
    const uint64_t last_dst = max_dst + alu.loops.last(alu.dst),
                   last_src = max_src + alu.loops.last(alu.src);
    const bool is_apart = last_dst < min_src || last_src < min_dst;
    alu.has_any_order = alu.use_imm || (is_apart && commutes(alu.opcode));
    return last_dst < P::kAccDepth && (alu.use_imm || last_src < P::kAccDepth);
  }

  // Whether (x op y) op z = (x op z) op y.
  static bool commutes(uint32_t opcode) {
    return opcode == isa::kMin || opcode == isa::kMax || opcode == isa::kAdd || opcode == isa::kMul;
  }

  static void swap_loops(Loops& loops, std::initializer_list<Factors*> all_factors) {
    std::swap(loops.out, loops.in);
    for (Factors* factors : all_factors) std::swap(factors->out, factors->in);
  }

  // Rows of the longer loop if the order is free, else micro-op by micro-op.
  template <uint32_t opcode, bool use_imm>
  void calculate(Alu alu) {
    if (alu.has_any_order) {
      if (alu.loops.out > alu.loops.in) swap_loops(alu.loops, {&alu.dst, &alu.src});
      for (const Operands& of : operands_) {
        for (uint32_t i = 0; i < alu.loops.out; ++i) {
          calculate_row<opcode, use_imm>(alu, of.dst + i * alu.dst.out, of.src + i * alu.src.out,
                                         alu.loops.in);
        }
      }
    } else {
      for (uint32_t i = 0; i < alu.loops.out; ++i) {
        for (uint32_t j = 0; j < alu.loops.in; ++j) {
          for (const Operands& of : operands_) {
            calculate_row<opcode, use_imm>(alu, of.dst + i * alu.dst.out + j * alu.dst.in,
                                           of.src + i * alu.src.out + j * alu.src.in, 1);
          }
        }
      }
    }
    this->alu_counter += uint64_t{alu.loops.out} * alu.loops.in * operands_.size();
  }

  // `count` micro-ops of the inner loop. With a constant opcode, alu_lane() is a few instructions.
  template <uint32_t opcode, bool use_imm>
  void calculate_row(const Alu& alu, uint32_t dst, uint32_t src, uint32_t count) {
    const core::AluControl control = core::decode_alu(opcode, alu.imm);
    const int32_t imm = control.is_req ? 0 : alu.imm;
    const uint32_t dst_step = alu.dst.in, src_step = alu.src.in;
    core::AccWord<P>* const acc = this->acc;
    core::OutWord<P>* const out = this->out;
    for (uint32_t n = 0; n < count; ++n, dst += dst_step, src += src_step) {
      const core::AccWord<P> x = acc[dst];
      const core::AccWord<P> y = use_imm ? x : acc[src];
      core::AccWord<P> result;
      for (uint32_t lane = 0; lane < S::kLanes; ++lane)
        result.v[lane] = core::alu_lane(control, x.v[lane], use_imm ? imm : y.v[lane]);
      acc[dst] = result;
      put_low_bytes(result, out[dst]);
    }
    count_work(count);
  }

  bool is_legal_load(const Command& command, uint32_t elem_bytes) const {
    const uint32_t memory = core::get<P, isa::kMemory_memory>(command);
    const uint64_t split_bit = uint64_t{1} << isa::kSplitBit_Memory;
    return (memory == isa::kAcc || memory == isa::kAcc8Bit) &&
           core::check_reserved<P, isa::kMemory_opcode>(command, split_bit, this->has_extension)
                   .code == isa::kNoFault &&
           core::check_access<P>(command, true, P::kAccDepth, elem_bytes, this->dram_size_bytes)
                   .code == isa::kNoFault;
  }

  // `out` may be null.
  void load_accumulator_row(std::span<core::AccWord<P>> row, bool narrow, core::OutWord<P>* out) {
    const auto size = static_cast<uint32_t>(row.size());
    if (narrow) {
      narrow_row_.resize(size);
      core::OutWord<P>* const words = out != nullptr ? out : narrow_row_.data();
      this->acc_port.read(words, size * S::kOutBeats);
      for (uint32_t x = 0; x < size; ++x) put_extended(words[x], row[x]);
      return;
    }
    this->acc_port.read(row.data(), size * S::kAccBeats);
    if (out == nullptr) return;
    for (uint32_t x = 0; x < size; ++x) put_low_bytes(row[x], out[x]);
  }

  // One vector instruction each, which the compiler does not find in loops over lanes.
  static void put_low_bytes(const core::AccWord<P>& word, core::OutWord<P>& low) {
    Word lanes;
    std::memcpy(&lanes, &word, sizeof lanes);
    const Bytes bytes = __builtin_convertvector(lanes, Bytes);
    std::memcpy(&low, &bytes, sizeof low);
  }
  static void put_extended(const core::OutWord<P>& low, core::AccWord<P>& word) {
    Bytes bytes;
    std::memcpy(&bytes, &low, sizeof bytes);
    const Word lanes = __builtin_convertvector(bytes, Word);
    std::memcpy(&word, &lanes, sizeof word);
  }

  // Reads the clock from time to time, whatever the length of an iteration.
  void count_work(uint64_t micro_ops) {
    constexpr uint64_t kMicroOpsPerHeartbeat = 1024;
    work_ += micro_ops;
    if (work_ < kMicroOpsPerHeartbeat) return;
    work_ = 0;
    hls::heartbeat();
  }

  static std::vector<typename Products::Input> packed_zeros() {
    typename Products::Input zero;
    Products::pack(core::InpWord<P>{}, zero);
    return std::vector(P::kInpDepth, zero);
  }

  static constexpr uint32_t kInputGroups = P::kBatch * Products::kGroups;

  std::vector<typename Products::Input> inputs_ = packed_zeros();
  std::vector<typename Products::Weight> weights_ =
      std::vector<typename Products::Weight>(P::kWgtDepth);
  // The current instruction.
  std::vector<typename Products::Term> terms_;
  std::vector<Run> runs_;
  std::vector<Operands> operands_;
  std::vector<core::OutWord<P>> narrow_row_;
  uint64_t work_ = 0;
};

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_FAST_CORE_H_
