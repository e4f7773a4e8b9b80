// SPDX-License-Identifier: Apache-2.0
//
// Products in stages: products of one DSP48E1 each between its registers (A and B, M, P), and their
// sum.
#ifndef VTA_HW_HLSC_SCHEDULE_SPLIT_PRODUCT_H_
#define VTA_HW_HLSC_SCHEDULE_SPLIT_PRODUCT_H_

#include "hw/hlsc/schedule/part_builder.h"

namespace vta::hlsc::schedule {

// The low bits of the product, as many as `product` has. kNoValue if its partial products
// cannot be added in time.
ir::ValueId split_product(PartBuilder& parts, const ir::Op& product);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_SPLIT_PRODUCT_H_
