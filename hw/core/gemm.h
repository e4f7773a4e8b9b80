// SPDX-License-Identifier: Apache-2.0
//
// Gemm: loads micro-ops from DRAM, and multiplies and accumulates.
//
// The running sum is kept in a register and written to ACC when the destination changes. With the
// reduction innermost, the ports of ACC are therefore free for alu most of the time.
#ifndef VTA_HW_CORE_GEMM_H_
#define VTA_HW_CORE_GEMM_H_

#include "hw/core/core.h"
#include "hw/core/memory_access.h"
#include "hw/hls/dot.h"

namespace vta {
namespace core {

// dot[b][o] = sum over k of x[b][k] * w[o][k]; exact: |dot| <= 128 * 128 * block_in.
template <class P>
inline AccWord<P> dot_product(const InpWord<P>& x, const WgtWord<P>& w) {
  AccWord<P> dot;
  hls::dot_products<P::kBatch, P::kBlockOut, P::kBlockIn>(x.v, w.v, dot.v);
  return dot;
}

// Lane by lane, modulo 2^32.
template <class P>
inline AccWord<P> wrapping_sum(const AccWord<P>& a, const AccWord<P>& b) {
  AccWord<P> sum;
  HLS_UNROLL
  for (uint32_t i = 0; i < Sizes<P>::kLanes; ++i) {
    sum.v[i] = static_cast<int32_t>(static_cast<uint32_t>(a.v[i]) + static_cast<uint32_t>(b.v[i]));
  }
  return sum;
}

template <class P>
inline OutWord<P> low_bytes(const AccWord<P>& a) {
  OutWord<P> low;
  HLS_UNROLL
  for (uint32_t i = 0; i < Sizes<P>::kLanes; ++i) low.v[i] = static_cast<int8_t>(a.v[i]);
  return low;
}

template <class P>
void Core<P>::uop_request() {
  for (;;) request_rows(uop_port, uop_plan.read());
}

template <class P>
void Core<P>::gemm() {
  for (;;) {
    const Command command = gemm_queue.read();
    gemm_status.busy = true;
    gemm_status.index = command.index;
    if (get<P, isa::kGemm_pop_prev>(command)) load_to_gemm.pop();
    if (get<P, isa::kGemm_pop_next>(command)) alu_to_gemm.pop();
    HLS_NATIVE_ONLY(if (observer != nullptr) observer->compute_starts(command, uop);)
    const uint32_t opcode = get<P, isa::kGemm_opcode>(command);
    Fault fault = no_fault();
    if (opcode == isa::kLoad) {
      if (!is_load_carrier<P>(command)) fault = load_uops(command);
    } else if (opcode == isa::kGemm) {
      fault = multiply(command);
    } else {
      fault = check_reserved<P, isa::kGemm_opcode>(command, 0, has_extension);
      finished = fault.code == isa::kNoFault;
      finish_index = command.index;
    }
    if (fault.code != isa::kNoFault) {
      gemm_status.fault = static_cast<uint8_t>(fault.code);
      gemm_status.value = fault.value;
      hls::halt();
    }
    if (get<P, isa::kGemm_push_prev>(command)) gemm_to_load.push();
    if (get<P, isa::kGemm_push_next>(command)) gemm_to_alu.push();
    gemm_status.busy = false;
  }
}

template <class P>
Fault Core<P>::load_uops(const Command& command) {
  const uint64_t split_bit = uint64_t(1) << isa::kSplitBit_Memory;
  Fault fault = check_reserved<P, isa::kMemory_opcode>(command, split_bit, has_extension);
  if (fault.code == isa::kNoFault) {
    fault = check_access<P>(command, false, P::kUopDepth, S::kUopBytes, dram_size_bytes);
  }
  if (fault.code != isa::kNoFault) return fault;
  const RowPlan plan = rows_of<P>(command, S::kUopBytes, dram_base_bytes);
  uop_plan.write(plan);
  uop_load_nbytes += moved_bytes<P>(command, S::kUopBytes);
  const uint16_t columns = static_cast<uint16_t>(get<P, isa::kMemory_x_size>(command));
  uint32_t element = get<P, isa::kMemory_sram_base>(command);
  uint32_t row = plan.address;
  for (uint16_t y = 0; y < plan.rows; ++y) {
    bool upper =
        (row & S::kUopBytes) != 0;  // a beat holds two micro-ops; a row may start at the second
    bool fresh = true;
    for (uint16_t x = 0; x < columns; ++x) {
      HLS_PIPELINE(1);
      if (fresh | !upper) uop_beat = uop_port.read();
      uop[element & (P::kUopDepth - 1)] = static_cast<uint32_t>(upper ? uop_beat >> 32 : uop_beat);
      fresh = false;
      upper = !upper;
      element++;
    }
    row += plan.stride_bytes;
  }
  return no_fault();
}

template <class P>
template <uint32_t pixel>
void Core<P>::put_held(bool writes_out) {
  acc[P::kPixels == 1 ? held_index[pixel] : (held_index[pixel] & ~1u) | pixel] = held[pixel];
  if (writes_out) out[held_index[pixel]] = low_bytes<P>(held[pixel]);
}

// A micro-op of two iterations, or of one: then `first` and `last` are the same. Each RAM of ACC
// has a running sum of its own, and the products of the iteration whose element it holds.
template <class P>
void Core<P>::accumulate(const GemmMode& mode, const GemmIndices& first, const GemmIndices& last,
                         uint32_t w) {
  constexpr uint32_t kOdd = P::kPixels - 1;
  const bool two = first.dst != last.dst;
  if (!mode.split) {  // a plain instruction, which has no pairs
    const bool odd = first.dst % 2 == 1;
    const uint32_t index = odd ? held_index[kOdd] : held_index[0];
    AccWord<P> word = held[0];
    if (odd) word = held[kOdd];
    if ((odd ? held_valid[kOdd] : held_valid[0]) & (index != first.dst))
      out[index] = low_bytes<P>(word);
  }
  // A plain reset, which multiplies nothing, has any indices.
  const WgtWord<P> weights = wgt[w & (P::kWgtDepth - 1)];
  InpWord<P> words[isa::kPairedInpWays];
  HLS_UNROLL
  for (uint32_t way = 0; way < isa::kPairedInpWays; ++way) {
    const uint32_t s = first.src % isa::kPairedInpWays == way ? first.src : last.src;
    words[way] = inp[(s & (P::kInpDepth - isa::kPairedInpWays)) | way];
  }
  HLS_UNROLL
  for (uint32_t pixel = 0; pixel < P::kPixels; ++pixel) {
    const bool is_first = first.dst % 2 == pixel;
    if (!(is_first | two)) continue;
    const uint32_t d = is_first ? first.dst : last.dst, s = is_first ? first.src : last.src;
    const bool change = !held_valid[pixel] | (held_index[pixel] != d);
    if (held_valid[pixel] & change) acc[(held_index[pixel] & ~1u) | pixel] = held[pixel];
    AccWord<P> sum = held[pixel];
    if (change & mode.adds) sum = acc[(d & ~1u) | pixel];
    if (!mode.adds) {
      HLS_UNROLL
      for (uint32_t lane = 0; lane < S::kLanes; ++lane) sum.v[lane] = 0;
    }
    InpWord<P> word = words[0];
    HLS_UNROLL
    for (uint32_t way = 1; way < isa::kPairedInpWays; ++way) {
      if (s % isa::kPairedInpWays == way) word = words[way];
    }
    if (mode.multiplies) sum = wrapping_sum<P>(sum, dot_product<P>(word, weights));
    held[pixel] = sum;
    held_index[pixel] = d;
    held_valid[pixel] = true;
  }
  if (mode.multiplies) gemm_counter += two ? 2 : 1;
}

template <class P>
Fault Core<P>::multiply(const Command& command) {
  const bool split = has_extension & is_split(command, isa::kSplitBit_Gemm);
  const uint64_t split_bit = uint64_t(1) << isa::kSplitBit_Gemm;
  const Fault fault = check_reserved<P, isa::kGemm_opcode>(command, split_bit, has_extension);
  if (fault.code != isa::kNoFault) return fault;
  const uint32_t uop_bgn = get<P, isa::kGemm_uop_bgn>(command),
                 uop_end = get<P, isa::kGemm_uop_end>(command);
  if (uop_bgn > uop_end) return Fault{isa::kUopRange, uop_bgn};
  if (uop_end > P::kUopDepth) return Fault{isa::kUopRange, uop_end};

  constexpr isa::Field uop_dst = S::uop_field(isa::kUop_dst);
  constexpr isa::Field uop_src = S::uop_field(isa::kUop_src);
  constexpr isa::Field uop_wgt = S::uop_field(isa::kUop_wgt);
  const uint32_t iter_out = get<P, isa::kGemm_iter_out>(command),
                 iter_in = get<P, isa::kGemm_iter_in>(command);
  const uint32_t dst_out = get<P, isa::kGemm_dst_factor_out>(command),
                 dst_in = get<P, isa::kGemm_dst_factor_in>(command);
  const uint32_t src_out = get<P, isa::kGemm_src_factor_out>(command),
                 src_in = get<P, isa::kGemm_src_factor_in>(command);
  const uint32_t wgt_out = get<P, isa::kGemm_wgt_factor_out>(command),
                 wgt_in = get<P, isa::kGemm_wgt_factor_in>(command);
  const bool reset = get<P, isa::kGemm_reset>(command) != 0;
  const bool multiplies = split | !reset;  // a plain reset only clears
  const bool adds = !reset;

  // A fault in a pair need not be the first in the order of iterations: they run again, one by one,
  // and count once. What the pairs have written does not matter, as no other stage may access it
  // after a fault.
  bool in_pairs = P::kPixels > 1 && isa::runs_in_pairs(isa::GemmPairing{
                                        split, reset, uop_end - uop_bgn, dst_in, src_in, wgt_in});
  const uint64_t counter_before = gemm_counter;
  bool again = false;
  do {
    held_valid[0] = held_valid[P::kPixels - 1] = false;
    gemm_fault = no_fault();
    uint32_t d_out = 0, s_out = 0, w_out = 0;
    for (uint32_t i = 0; (i < iter_out) & !HLS_LATE(gemm_fault.code != isa::kNoFault); ++i) {
      uint32_t d_in = d_out, s_in = s_out, w_in = w_out;
      for (uint32_t j = 0; (j < iter_in) & !HLS_LATE(gemm_fault.code != isa::kNoFault); ++j) {
        HLS_NATIVE_ONLY(hls::heartbeat();)
        const bool two = P::kPixels > 1 && (in_pairs & (j + 1 < iter_in));
        for (uint32_t u = uop_bgn; (u < uop_end) & !HLS_LATE(gemm_fault.code != isa::kNoFault);
             ++u) {
          HLS_PIPELINE(1);
          if (gemm_fault.code != isa::kNoFault) continue;
          const uint32_t micro_op = uop[u];
          const uint32_t d = ((micro_op >> uop_dst.lsb) & ((1u << uop_dst.width) - 1)) + d_in;
          const uint32_t s = ((micro_op >> uop_src.lsb) & ((1u << uop_src.width) - 1)) + s_in;
          const uint32_t w = ((micro_op >> uop_wgt.lsb) & ((1u << uop_wgt.width) - 1)) + w_in;
          const uint32_t last_d = P::kPixels > 1 ? d + (two ? dst_in : 0) : d;
          const uint32_t last_s = P::kPixels > 1 ? s + (two ? src_in : 0) : s;
          if (last_d >= P::kAccDepth) {
            gemm_fault = Fault{isa::kDstIndex, last_d};
          } else if (multiplies & (last_s >= P::kInpDepth)) {
            gemm_fault = Fault{isa::kSrcIndex, last_s};
          } else if (multiplies & (w >= P::kWgtDepth)) {
            gemm_fault = Fault{isa::kWgtIndex, w};
          } else if (P::kPixels > 1) {
            accumulate(GemmMode{split, multiplies, adds}, GemmIndices{d, s},
                       GemmIndices{last_d, last_s}, w);
          } else {
            const bool change = !held_valid[0] | (held_index[0] != d);
            if (held_valid[0] & change) put_held<0>(!split);
            AccWord<P> sum = held[0];
            if (change & adds) sum = acc[d];
            if (!adds) {
              HLS_UNROLL
              for (uint32_t lane = 0; lane < S::kLanes; ++lane) sum.v[lane] = 0;
            }
            if (multiplies) sum = wrapping_sum<P>(sum, dot_product<P>(inp[s], wgt[w]));
            held[0] = sum;
            held_index[0] = d;
            held_valid[0] = true;
            if (multiplies) gemm_counter++;
          }
        }
        if (two) {
          ++j;
          d_in += dst_in;
          s_in += src_in;
        }
        d_in += dst_in;
        s_in += src_in;
        w_in += wgt_in;
      }
      d_out += dst_out;
      s_out += src_out;
      w_out += wgt_out;
    }
    again = P::kPixels > 1 && (in_pairs & (gemm_fault.code != isa::kNoFault));
    if (P::kPixels > 1 && again) gemm_counter = counter_before;
    in_pairs = false;
  } while (P::kPixels > 1 && again);
  if (held_valid[0]) put_held<0>(!split);
  if (P::kPixels > 1 && held_valid[P::kPixels - 1]) put_held<P::kPixels - 1>(!split);
  return gemm_fault;
}

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_GEMM_H_
