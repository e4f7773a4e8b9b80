// SPDX-License-Identifier: Apache-2.0
//
// Operations on words of a BitGraph, as yosys maps them: sums and comparisons are carry chains,
// equality and selects are gates. Constant operands are folded.
#ifndef VTA_HW_HLSC_ESTIMATE_ARITHMETIC_H_
#define VTA_HW_HLSC_ESTIMATE_ARITHMETIC_H_

#include <cstdint>

#include "hw/hlsc/estimate/bit_graph.h"

namespace vta::hlsc::estimate {

// Operands have equal widths, and so has the result. A DSP48E1 adds to its product; of three terms
// or more, full adders leave two (yosys: alumacc, maccmap).
Bits sum(BitGraph& graph, std::vector<Bits> terms);
Bits difference(BitGraph& graph, const Bits& a, const Bits& b);
Bits product(BitGraph& graph, const Bits& a, const Bits& b);

// a < b.
Bit less(BitGraph& graph, Bits a, Bits b, bool is_signed);
Bit equal(BitGraph& graph, const Bits& a, const Bits& b);

Bits select(BitGraph& graph, Bit condition, const Bits& yes, const Bits& no);
// Bits [offset, offset + width) of `word`; `fill` beyond its end.
Bits part(BitGraph& graph, Bits word, const Bits& offset, uint32_t width, Bit fill);
Bits shifted_left(BitGraph& graph, Bits word, const Bits& amount);

}  // namespace vta::hlsc::estimate

#endif  // VTA_HW_HLSC_ESTIMATE_ARITHMETIC_H_
