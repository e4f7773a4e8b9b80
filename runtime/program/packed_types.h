// SPDX-License-Identifier: Apache-2.0
//
// Names and shapes of packed tensors, as VTA's documents write them: a [1, 64, 56, 56] image of a
// core with batch 1 and blocks of 16 is "int8[1, 4, 56, 56, 1, 16]" in layout "NCHW1n16c". Its 3x3
// weights [64, 64, 3, 3] are "int8[4, 4, 3, 3, 16, 16]" in layout "OIHW16o16i".
#ifndef VTA_RUNTIME_PROGRAM_PACKED_TYPES_H_
#define VTA_RUNTIME_PROGRAM_PACKED_TYPES_H_

#include <string>
#include <vector>

#include "runtime/program/program.h"

namespace vta {

// Images "NCHW1n16c". Matrices [..., rows, columns]: as the rows of a product "KM1m16k" (K:
// columns, M: rows), as its weights "NK16n16k" (N: columns, K: rows).
std::string packed_layout(Layout layout, const CoreConfig& core);
TensorType packed_type(const TensorType& type, Layout layout, const CoreConfig& core);

// Weights [oc, ic / groups, kh, kw], or [oc, ic] as 1x1 windows. Narrow groups fill whole blocks.
std::string packed_weight_layout(const CoreConfig& core);  // "OIHW16o16i"
TensorType packed_weight_type(const TensorType& weights, const CoreConfig& core);
// A number per channel, [c]: int32[c / block, 1, 1, 1, block].
TensorType packed_channel_type(const TensorType& channels, const CoreConfig& core);

// The weights of a step on the core, from its attributes, operand and result; no type without
// weights (`shape` is empty).
TensorType weight_type(const Program& program, const ProgramStep& step);

// The type of a value where it is: packed on the device, plain on the host.
TensorType placed_type(const Program& program, ValueId id);

// The operands and results of a step where they are: the first operand, weights and bias if it has
// some, the other operands, the results.
std::vector<TensorType> placed_types(const Program& program, const ProgramStep& step);

// What the step's kernel computes, operator by operator: "qconv2d+qadd+relu+max_pool2d".
std::string kernel_name(const ProgramStep& step);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_PACKED_TYPES_H_
