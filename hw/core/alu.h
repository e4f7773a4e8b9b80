// SPDX-License-Identifier: Apache-2.0
//
// Alu: loads accumulators from DRAM, and does lane-wise arithmetic on them.
#ifndef VTA_HW_CORE_ALU_H_
#define VTA_HW_CORE_ALU_H_

#include "hw/core/core.h"
#include "hw/core/memory_access.h"

namespace vta {
namespace core {

// An ALU instruction, decoded once for all lanes.
struct AluControl {
  bool is_extreme;  // MIN or MAX
  bool is_max, is_shr, is_mul, is_req;
  uint32_t req_shift;
  int32_t req_rounding;  // 2^(shift - 1), or 0
  bool limits_low, limits_high;
  int32_t req_lo, req_hi;
};

// The fields of REQ's immediate: `shift` is the lowest, `upper` the highest. (Shifts and masks
// instead of isa::extract(): every inlined call would rename nets of the emitted Verilog.)
struct Req {
  static_assert(isa::req_field(isa::kReq_shift).lsb == 0, "`shift` is the lowest field");
  static constexpr int kShiftMask =
      static_cast<int>(isa::field_mask(isa::req_field(isa::kReq_shift)));
  static constexpr int kRoundLsb = isa::req_field(isa::kReq_round).lsb;
  static constexpr int kLowerLsb = isa::req_field(isa::kReq_lower).lsb;
  static constexpr int kLowerMask =
      static_cast<int>(isa::field_mask(isa::req_field(isa::kReq_lower)));
  static constexpr int kUpperLsb = isa::req_field(isa::kReq_upper).lsb;
  static constexpr int kUpperMask =
      static_cast<int>(isa::field_mask(isa::req_field(isa::kReq_upper)));
};

inline AluControl decode_alu(uint32_t alu_opcode, int32_t imm) {
  AluControl control;
  control.is_max = alu_opcode == isa::kMax;
  control.is_extreme = control.is_max | (alu_opcode == isa::kMin);
  control.is_shr = alu_opcode == isa::kShr;
  control.is_mul = alu_opcode == isa::kMul;
  control.is_req = alu_opcode == isa::kReq;
  control.req_shift = control.is_req ? imm & Req::kShiftMask : 0;
  const bool rounds = ((imm >> Req::kRoundLsb) & 1) & (control.req_shift != 0);
  control.req_rounding = rounds ? static_cast<int32_t>(1u << (control.req_shift - 1)) : 0;
  const int32_t lo = (imm >> Req::kLowerLsb) & Req::kLowerMask,
                hi = (imm >> Req::kUpperLsb) & Req::kUpperMask;
  control.limits_low = control.is_req & (lo != isa::kReqLowerNone);
  control.limits_high = control.is_req & (hi != isa::kReqUpperNone);
  control.req_lo = lo == isa::kReqLowerInt8 ? -128 : lo == isa::kReqLowerSymmetric ? -127 : 0;
  control.req_hi = hi & isa::kReqUpperMax;
  return control;
}

inline int32_t alu_lane(const AluControl& control, int32_t x, int32_t y) {
  // ADD and REQ share an adder, SHR and REQ a shifter.
  const uint32_t sum = static_cast<uint32_t>(x) + static_cast<uint32_t>(y) +
                       static_cast<uint32_t>(control.req_rounding);
  const bool left = control.is_shr & (y < 0);
  const uint32_t amount = control.is_req ? control.req_shift : hls::distance(y);
  const int32_t shifted = hls::shift(control.is_req ? static_cast<int32_t>(sum) : x, amount, left);
  const bool below = control.limits_low & (shifted < control.req_lo),
             above = control.limits_high & (shifted > control.req_hi);
  const int32_t clipped = below ? control.req_lo : above ? control.req_hi : shifted;

  const int32_t product = static_cast<int32_t>(static_cast<uint32_t>(x) * static_cast<uint32_t>(y));
  const int32_t extreme = control.is_max ? (x < y ? y : x) : (x < y ? x : y);
  const int32_t simple = control.is_extreme ? extreme : static_cast<int32_t>(sum);
  if (control.is_shr | control.is_req) return clipped;
  return control.is_mul ? product : simple;
}

template <class P>
inline Fault check_alu(const Command& command, bool has_extension) {
  const uint64_t split_bit = uint64_t(1) << isa::kSplitBit_Alu;
  const Fault reserved = check_reserved<P, isa::kAlu_opcode>(command, split_bit, has_extension);
  if (reserved.code != isa::kNoFault) return reserved;
  const uint32_t alu_opcode = get<P, isa::kAlu_alu_opcode>(command),
                 imm = get<P, isa::kAlu_imm>(command);
  const bool req = alu_opcode == isa::kReq;
  static_assert(isa::kNumExtensionAluOpcodes == 1, "only REQ needs the extension");
  if ((alu_opcode > isa::kMaxAluOpcode) | (req & !has_extension))
    return Fault{isa::kIllegalAluOpcode, alu_opcode};
  const uint32_t hi = imm >> Req::kUpperLsb;
  if (req & (hi > isa::kReqUpperMax) & (hi != isa::kReqUpperNone))
    return Fault{isa::kIllegalReq, imm};
  const uint32_t uop_bgn = get<P, isa::kAlu_uop_bgn>(command),
                 uop_end = get<P, isa::kAlu_uop_end>(command);
  if (uop_bgn > uop_end) return Fault{isa::kUopRange, uop_bgn};
  if (uop_end > P::kUopDepth) return Fault{isa::kUopRange, uop_end};
  return no_fault();
}

template <class P>
void Core<P>::acc_request() {
  for (;;) request_rows(acc_port, acc_plan.read());
}

template <class P>
void Core<P>::alu() {
  for (;;) {
    const Command command = alu_queue.read();
    alu_status.busy = true;
    alu_status.index = command.index;
    if (get<P, isa::kAlu_pop_prev>(command)) gemm_to_alu.pop();
    if (get<P, isa::kAlu_pop_next>(command)) store_to_alu.pop();
    HLS_NATIVE_ONLY(if (observer != nullptr) observer->compute_starts(command, uop);)
    const uint32_t opcode = get<P, isa::kAlu_opcode>(command);
    Fault fault = no_fault();
    if (opcode == isa::kLoad) {
      const bool split = has_extension & is_split(command, isa::kSplitBit_Memory);
      if (!is_load_carrier<P>(command)) fault = load_accumulators(command, !split);
    } else if (opcode == isa::kAlu) {
      fault = calculate(command);
    } else {
      fault = Fault{isa::kIllegalOpcode, opcode};
    }
    if (fault.code != isa::kNoFault) {
      alu_status.fault = static_cast<uint8_t>(fault.code);
      alu_status.value = fault.value;
      hls::halt();
    }
    if (get<P, isa::kAlu_push_prev>(command)) alu_to_gemm.push();
    if (get<P, isa::kAlu_push_next>(command)) alu_to_store.push();
    alu_status.busy = false;
  }
}

template <class P>
Fault Core<P>::load_accumulators(const Command& command, bool writes_out) {
  const uint32_t memory = get<P, isa::kMemory_memory>(command);
  const bool narrow = memory == isa::kAcc8Bit;
  const bool legal = narrow | (memory == isa::kAcc);
  const uint64_t split_bit = legal ? uint64_t(1) << isa::kSplitBit_Memory : 0;
  const uint32_t elem_bytes = narrow ? S::kOutBytes : S::kAccBytes;
  Fault fault = check_reserved<P, isa::kMemory_opcode>(command, split_bit, has_extension);
  if ((fault.code == isa::kNoFault) & !legal) fault = Fault{isa::kIllegalMemory, memory};
  if (fault.code == isa::kNoFault)
    fault = check_access<P>(command, true, P::kAccDepth, elem_bytes, dram_size_bytes);
  if (fault.code != isa::kNoFault) return fault;
  acc_plan.write(rows_of<P>(command, elem_bytes, dram_base_bytes));
  acc_load_nbytes += moved_bytes<P>(command, elem_bytes);

  const uint32_t y_pad_0 = get<P, isa::kMemory_y_pad_0>(command),
                 x_pad_0 = get<P, isa::kMemory_x_pad_0>(command);
  const uint32_t y_data = y_pad_0 + get<P, isa::kMemory_y_size>(command);
  const uint32_t x_data = x_pad_0 + get<P, isa::kMemory_x_size>(command);
  const uint32_t rows = y_data + get<P, isa::kMemory_y_pad_1>(command);
  const uint32_t columns = x_data + get<P, isa::kMemory_x_pad_1>(command);
  uint32_t element = get<P, isa::kMemory_sram_base>(command);
  // Whether an element is padding decides how many beats it takes, and with it which loop counts
  // next. Computed one element ahead, so that no comparison follows an increment of x or y.
  bool row_pads = (y_pad_0 != 0) | (y_data == 0);
  const bool column_0_pads = (x_pad_0 != 0) | (x_data == 0);
  for (uint32_t y = 0; y < rows; ++y) {
    const bool next_row_pads = (y + 1 < y_pad_0) | (y + 1 >= y_data);
    bool pad = row_pads | column_0_pads;
    for (uint32_t x = 0; x < columns; ++x) {
      const bool next_pad = row_pads | (x + 1 < x_pad_0) | (x + 1 >= x_data);
      const uint32_t beats = pad ? 1 : narrow ? S::kOutBeats : S::kAccBeats;
      for (uint32_t beat = 0; beat < beats; ++beat) {
        HLS_PIPELINE(1);
        AccWord<P>& word = acc[element & (P::kAccDepth - 1)];
        OutWord<P>& low = out[element & (P::kAccDepth - 1)];
        if (pad) {
          HLS_UNROLL
          for (uint32_t i = 0; i < S::kAccBeats; ++i) hls::set_beat(word, i, 0);
          if (writes_out) {
            HLS_UNROLL
            for (uint32_t i = 0; i < S::kOutBeats; ++i) hls::set_beat(low, i, 0);
          }
        } else {
          const uint64_t data = acc_port.read();
          if (narrow) {
            HLS_UNROLL
            for (uint32_t i = 0; i < 8; ++i)
              word.v[beat * 8 + i] = static_cast<int8_t>(data >> (8 * i));
            if (writes_out) hls::set_beat(low, beat, data);
          } else {
            hls::set_beat(word, beat, data);
            if (writes_out) {
              low.v[beat * 2] = static_cast<int8_t>(data);
              low.v[beat * 2 + 1] = static_cast<int8_t>(data >> 32);
            }
          }
        }
      }
      element++;
      pad = next_pad;
    }
    row_pads = next_row_pads;
  }
  return no_fault();
}

template <class P>
Fault Core<P>::calculate(const Command& command) {
  const Fault fault = check_alu<P>(command, has_extension);
  if (fault.code != isa::kNoFault) return fault;

  constexpr isa::Field uop_dst = S::uop_field(isa::kUop_dst);
  constexpr isa::Field uop_src = S::uop_field(isa::kUop_src);
  const uint32_t uop_bgn = get<P, isa::kAlu_uop_bgn>(command),
                 uop_end = get<P, isa::kAlu_uop_end>(command);
  const uint32_t iter_out = get<P, isa::kAlu_iter_out>(command),
                 iter_in = get<P, isa::kAlu_iter_in>(command);
  const uint32_t dst_out = get<P, isa::kAlu_dst_factor_out>(command),
                 dst_in = get<P, isa::kAlu_dst_factor_in>(command);
  const uint32_t src_out = get<P, isa::kAlu_src_factor_out>(command),
                 src_in = get<P, isa::kAlu_src_factor_in>(command);
  const bool use_imm = get<P, isa::kAlu_use_imm>(command) != 0;
  const int32_t imm = static_cast<int16_t>(get<P, isa::kAlu_imm>(command));
  const AluControl control = decode_alu(get<P, isa::kAlu_alu_opcode>(command), imm);
  const int32_t operand = control.is_req ? 0 : imm;

  alu_fault = no_fault();
  source_valid = false;  // gemm and loads write ACC between instructions
  // A folded ALU has fewer lanes than a word. It takes kFolding cycles for a micro-op, and reads
  // both words in the first: `rest` are the lanes of the destination that are left for the others.
  constexpr uint32_t kFolding = S::kLanes / S::kAluLanes;
  AccWord<P> rest;
  uint32_t d_out = 0, s_out = 0;
  for (uint32_t i = 0; (i < iter_out) & !HLS_LATE(alu_fault.code != isa::kNoFault); ++i) {
    uint32_t d_in = d_out, s_in = s_out;
    for (uint32_t j = 0; (j < iter_in) & !HLS_LATE(alu_fault.code != isa::kNoFault); ++j) {
      HLS_NATIVE_ONLY(hls::heartbeat();)
      // u: micro-ops times cycles. (Not a loop of its own: hlsc would keep it for one cycle, too.)
      for (uint32_t u = uop_bgn * kFolding;
           (u < uop_end * kFolding) & !HLS_LATE(alu_fault.code != isa::kNoFault); ++u) {
        HLS_PIPELINE(1);
        if (alu_fault.code != isa::kNoFault) continue;
        const uint32_t micro_op = uop[u / kFolding];
        const uint32_t d = ((micro_op >> uop_dst.lsb) & ((1u << uop_dst.width) - 1)) + d_in;
        const uint32_t s = ((micro_op >> uop_src.lsb) & ((1u << uop_src.width) - 1)) + s_in;
        if (d >= P::kAccDepth) {
          alu_fault = Fault{isa::kDstIndex, d};
        } else if (!use_imm & (s >= P::kAccDepth)) {
          alu_fault = Fault{isa::kSrcIndex, s};
        } else {
          const uint32_t fold = u % kFolding;  // computes lanes fold * kAluLanes and on
          // Compared with the index of the micro-op before, whether that read the word or not, so
          // that the comparison waits for no read.
          const bool reads = (fold == 0) & !use_imm & !(source_valid & (source_index == s));
          source_index = s;
          source_valid = !use_imm & (s != d);  // a write to the cached word invalidates it
          const AccWord<P> kept = source;  // as read for fold 0, which may have been of this word
          if (reads) source = acc[s];
          // Read last: the shorter the path from this read to the write, the sooner the next
          // micro-op can have the same destination.
          AccWord<P> x;
          if (fold == 0) {
            x = acc[d];
            HLS_UNROLL
            for (uint32_t lane = S::kAluLanes; lane < S::kLanes; ++lane)
              rest.v[lane - S::kAluLanes] = x.v[lane];
          } else {
            HLS_UNROLL
            for (uint32_t lane = 0; lane < S::kAluLanes; ++lane) x.v[lane] = rest.v[lane];
            HLS_UNROLL
            for (uint32_t lane = S::kAluLanes; lane < S::kLanes - S::kAluLanes; ++lane)
              rest.v[lane - S::kAluLanes] = rest.v[lane];
          }
          AccWord<P> y = source;
          HLS_UNROLL
          for (uint32_t lane = S::kAluLanes; lane < S::kLanes; ++lane) {
            if (fold == lane / S::kAluLanes) y.v[lane % S::kAluLanes] = kept.v[lane];
          }
          OutWord<P> low;
          HLS_UNROLL
          for (uint32_t lane = 0; lane < S::kAluLanes; ++lane) {
            x.v[lane] = alu_lane(control, x.v[lane], use_imm ? operand : y.v[lane]);
            low.v[lane] = static_cast<int8_t>(x.v[lane]);
          }
          HLS_UNROLL
          for (uint32_t lane = 0; lane < S::kLanes; ++lane) {
            if (fold != lane / S::kAluLanes) continue;
            acc[d].v[lane] = x.v[lane % S::kAluLanes];
            out[d].v[lane] = low.v[lane % S::kAluLanes];
          }
          if (fold == 0) alu_counter++;
        }
      }
      d_in += dst_in;
      s_in += src_in;
    }
    d_out += dst_out;
    s_out += src_out;
  }
  return alu_fault;
}

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_ALU_H_
