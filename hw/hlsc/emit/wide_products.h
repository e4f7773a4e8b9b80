// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_EMIT_WIDE_PRODUCTS_H_
#define VTA_HW_HLSC_EMIT_WIDE_PRODUCTS_H_

#include <string>

#include "hw/hlsc/emit/context.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// Text for synthesis of a product of two operands of `width` bits (bind::is_wide_product()):
// assignments of `name` and of variables that begin with it, which are declared too.
BlockText wide_product(const std::string& a, const std::string& b, uint32_t width,
                       const std::string& name);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_WIDE_PRODUCTS_H_
