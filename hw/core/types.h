// SPDX-License-Identifier: Apache-2.0
//
// The core's words and messages, for one configuration. `Params` is a struct of constants
// (params.h):
//   kBatch, kBlockIn, kBlockOut                      lanes
//   kPixels                                          iterations of GEMM in a cycle: 1 or 2
//   kAluLanes                                        lanes of the ALU
//   kUopBytes, kInpBytes, kWgtBytes, kAccBytes, kOutBytes   of an element
//   kUopDepth, kInpDepth, kWgtDepth, kAccDepth       elements, powers of two
//   kCommandDepth, kTokenDepth                       entries of the queues
#ifndef VTA_HW_CORE_TYPES_H_
#define VTA_HW_CORE_TYPES_H_

#include <cstdint>

#include "hw/hls/burst.h"
#include "hw/isa/layout.h"
#include "hw/isa/pixel_pairs.h"

namespace vta {
namespace core {

// Words are structs of one flat array: hlsc and Vitis map each to one wide memory word.
template <class Params>
struct InpWord {
  int8_t v[Params::kBatch * Params::kBlockIn];  // [batch][block_in]
};
template <class Params>
struct WgtWord {
  int8_t v[Params::kBlockOut * Params::kBlockIn];  // [block_out][block_in]
};
template <class Params>
struct AccWord {
  int32_t v[Params::kBatch * Params::kBlockOut];  // [batch][block_out]
};
template <class Params>
struct OutWord {
  int8_t v[Params::kBatch * Params::kBlockOut];
};

// Sizes that follow from the parameters.
template <class P>
struct Sizes {
  static constexpr uint32_t kLanes = P::kBatch * P::kBlockOut;  // of an ACC or OUT element
  static constexpr uint32_t kAluLanes = P::kAluLanes;
  static constexpr uint32_t kInpWays = P::kPixels > 1 ? isa::kPairedInpWays : 1;
  static constexpr uint32_t kUopBytes = P::kUopBytes;
  static constexpr uint32_t kInpBytes = P::kInpBytes;
  static constexpr uint32_t kWgtBytes = P::kWgtBytes;
  static constexpr uint32_t kAccBytes = P::kAccBytes;
  static constexpr uint32_t kOutBytes = P::kOutBytes;
  static constexpr uint32_t kInpBeats = kInpBytes / hls::kBeatBytes;
  static constexpr uint32_t kWgtBeats = kWgtBytes / hls::kBeatBytes;
  static constexpr uint32_t kAccBeats = kAccBytes / hls::kBeatBytes;
  static constexpr uint32_t kOutBeats = kOutBytes / hls::kBeatBytes;
  static_assert(kInpBeats > 0 && kWgtBeats > 0 && kOutBeats > 0, "elements are at least one beat");

  static constexpr int kInpBits = isa::log2_exact(P::kInpDepth);
  static constexpr int kAccBits = isa::log2_exact(P::kAccDepth);
  static constexpr isa::IsaWidths widths() {
    return isa::IsaWidths{isa::log2_exact(P::kUopDepth), kAccBits,
                          kInpBits > kAccBits ? kInpBits : kAccBits, isa::log2_exact(P::kWgtDepth)};
  }
  // `id`: a FieldId, a UopFieldId.
  static constexpr isa::Field field(int id) { return isa::field(id, widths()); }
  static constexpr isa::Field uop_field(int id) { return isa::uop_field(id, widths()); }
};

// An instruction on its way to a stage. Its dependence flags name the tokens of that stage's
// neighbours.
struct Command {
  uint64_t lo, hi;
  uint32_t index;  // in the program
};

// A field of an instruction; `id` is a FieldId.
template <class P, int id>
inline uint32_t get(const Command& command) {
  constexpr isa::Field f = Sizes<P>::field(id);
  return static_cast<uint32_t>(((f.word == 0 ? command.lo : command.hi) >> f.lsb) &
                               ((uint64_t(1) << f.width) - 1));
}

// The state of a process, read by the control registers. A fault stays until the core is reset.
struct StageStatus {
  bool busy;  // from reading an instruction to pushing its tokens
  uint32_t index;
  uint8_t fault;  // isa::FaultCode
  uint64_t value;
};

struct Fault {
  uint64_t code;  // isa::FaultCode; 64 bits, because hlsc would copy padding
  uint64_t value;
};

// What a GEMM does with its products; `split`: it does not write OUT.
struct GemmMode {
  bool split, multiplies, adds;
};
// The elements of ACC and INP of a micro-op in one iteration.
struct GemmIndices {
  uint32_t dst, src;
};

// A run of the core: `count` instructions from `address` on, relative to the arena's start.
struct RunCommand {
  uint32_t address, count;
};

// Rows of bytes in DRAM to read or write. Rows need not start or end on a beat; whole beats are
// transferred.
struct RowPlan {
  uint32_t address;  // of the first row
  uint32_t row_bytes, stride_bytes;
  uint16_t rows;
};

// The scratchpad side of a LOAD of INP or WGT.
struct LoadPlan {
  bool wgt;
  bool push_next;
  uint16_t sram_base;
  uint16_t y_size, x_size;
  uint8_t y_pad_0, y_pad_1, x_pad_0, x_pad_1;
  uint32_t index;
  Fault fault;  // reported after all earlier instructions are done
};

// The DRAM side of a STORE.
struct StorePlan {
  RowPlan rows;
  bool push_prev;
  uint32_t index;
  Fault fault;
};

}  // namespace core
}  // namespace vta

#endif  // VTA_HW_CORE_TYPES_H_
