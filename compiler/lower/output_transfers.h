// SPDX-License-Identifier: Apache-2.0
//
// Transfers between the results of a tile in a scratchpad and a packed tensor of their shape:
// STOREs of the results and LOADs of a residual operand.
#ifndef VTA_COMPILER_LOWER_OUTPUT_TRANSFERS_H_
#define VTA_COMPILER_LOWER_OUTPUT_TRANSFERS_H_

#include <vector>

#include "compiler/lower/conv_plan.h"
#include "compiler/lower/transfer.h"
#include "configs/core_config.h"

namespace vta::lower {

// `first` has the opcode, the memory and the results' first element in it. One transfer per block,
// or one for all blocks if a block's pixels are contiguous on both sides. Errors: kUnsupported for
// rows longer than kMaxExtent.
std::vector<Transfer> output_transfers(const ConvPlan& plan, const OutputTile& tile,
                                       const isa::Instruction& first, DramAddress tensor,
                                       const CoreConfig& core);

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_OUTPUT_TRANSFERS_H_
