// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_WIDE_PRODUCTS_H_
#define VTA_HW_HLSC_EMIT_WIDE_PRODUCTS_H_

#include "hw/hlsc/emit/context.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// Products of as many bits as each operand has, more than one multiplier of 25 x 18 bits takes and
// not more than 32. Two multipliers and a few LUTs are enough for the low bits: the least
// significant parts of 24 and 17 bits; b's rest, of which only the low bits of a matter; and a's
// rest, by as few bits of b.
bool is_wide_product(const ir::Process& process, const ir::Op& op);

// Its form for synthesis: assignments of `product`, a net, and of variables that it declares, whose
// names begin with the product's.
Block wide_product(const Expression& a, const Expression& b, const Expression& product);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_WIDE_PRODUCTS_H_
