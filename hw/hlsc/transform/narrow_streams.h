// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_NARROW_STREAMS_H_
#define VTA_HW_HLSC_TRANSFORM_NARROW_STREAMS_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Streams between processes carry the bits of their items that the reader looks at and that are not
// the same in every item: no padding of structs, no fields that are wider than what they hold.
// Streams from or to the outside stay as they are. The processes must be simplified; simplify them
// again.
void narrow_streams(ir::Design& design);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_NARROW_STREAMS_H_
