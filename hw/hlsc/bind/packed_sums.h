// SPDX-License-Identifier: Apache-2.0
//
// Sums over product pairs that are added before they are separated: q = ((b << 16) + a) * x has
// a * x in its low 16 bits, which also hold the sum of two such products. The first additions then
// take as many adders as there are multipliers, and the two sums are separated when half of the
// terms are left.
#ifndef VTA_HW_HLSC_BIND_PACKED_SUMS_H_
#define VTA_HW_HLSC_BIND_PACKED_SUMS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "hw/hlsc/bind/product_pairs.h"
#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/pipelined_body.h"

namespace vta::hlsc::bind {

// Two sums: of the low products, and of the high products, of pairs that nothing else uses.
struct PackedSum {
  ir::ValueId low, high;  // the sums
  std::vector<ProductPair> pairs;
};

// Packed sums of a pipelined body whose product pairs are `pairs`, each listed under both of its
// sums. Sums have schedule::kLongSum terms or more, and their products are computed in an earlier
// stage.
std::map<ir::ValueId, PackedSum> pack_sums(const ir::Process& process,
                                           const schedule::PipelinedBody& body,
                                           const std::map<ir::ValueId, ProductPair>& pairs);

}  // namespace vta::hlsc::bind

#endif  // VTA_HW_HLSC_BIND_PACKED_SUMS_H_
