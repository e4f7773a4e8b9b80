// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_WIDE_PRODUCTS_H_
#define VTA_HW_HLSC_EMIT_WIDE_PRODUCTS_H_

#include "hw/hlsc/emit/context.h"

namespace vta::hlsc::emit {

// The form for synthesis of a product of two operands of its width (bind::is_wide_product()):
// assignments of `product`, a net, and of variables that it declares, whose names begin with the
// product's.
Block wide_product(const Expression& a, const Expression& b, const Expression& product);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_WIDE_PRODUCTS_H_
