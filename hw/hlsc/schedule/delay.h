// SPDX-License-Identifier: Apache-2.0
//
// Delays of a Zynq-7020 of the slowest speed grade: cells, and the net that follows each. Not
// confirmed by place and route.
#ifndef VTA_HW_HLSC_SCHEDULE_DELAY_H_
#define VTA_HW_HLSC_SCHEDULE_DELAY_H_

#include <cstddef>
#include <optional>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

// From the clock to the cells that use the value.
constexpr double kRegisterNs = 1.2;
constexpr double kRamNs = 3.3;          // a block RAM without output register
constexpr double kRamRegisterNs = 1.7;  // the output register of a block RAM
constexpr double kStreamNs = 2.2;       // the head of a FIFO in distributed RAM

constexpr double kProductNs = 3.4;  // a product of one DSP48E1, from the output register inside it

// Store-to-load forwarding: the multiplexer of a RAM's word and the word that an older iteration
// writes.
constexpr double kMergeNs = 0.9;

// Whether the operation fits a step of its own, with its operands in registers.
bool fits_a_step(const ir::Process& process, const ir::Op& op, double budget_ns);

// When the value is available in a step after its own, from the register that keeps it.
double kept_ns(const ir::Process& process, ir::ValueId value);

// When all operands are available in a step after theirs. If the operation does not fit a step from
// the register of a product, the next stage's plain register is assumed, to which the pipeline
// moves the product. In a state machine nothing moves it, so there the estimate is too low.
double kept_operands_ns(const ir::Process& process, const ir::Op& op, double budget_ns);

// Widths of the factors, with sign, of which one DSP48E1 makes a product.
constexpr uint32_t kDspWideBits = 25, kDspNarrowBits = 18;

// From the operands of an operation to its result. A product of kStage values is between the
// registers of a DSP48E1 (A and B, M): a kStage takes its result, too (split_product.h).
double delay_ns(const ir::Process& process, const ir::Op& op);

// A long sum can be split: its first additions, of the products of two DSPs each, give partial
// sums, and the stage after adds these.
constexpr size_t kLongSum = 8;  // terms
constexpr size_t kTermsOfPartialSum = 2;
constexpr size_t num_partial_sums(size_t terms) {
  return (terms + kTermsOfPartialSum - 1) / kTermsOfPartialSum;
}
struct SumDelays {
  double partial_ns;  // from the registers of the products
  double total_ns;    // from the registers of the partial sums to the sum
};
// None for an operation that cannot be split.
std::optional<SumDelays> split_sum_ns(const ir::Op& op);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_DELAY_H_
