// SPDX-License-Identifier: Apache-2.0
//
// The batch axis of a model's input, by the names that exporters give to sizes.
#ifndef VTA_COMPILER_ONNX_BATCH_AXIS_H_
#define VTA_COMPILER_ONNX_BATCH_AXIS_H_

#include <optional>
#include <string>

#include "compiler/onnx/model.h"

namespace vta::onnx {

// The name of an axis of symbolic size; "" if it has none.
std::string axis_name(const ValueDef& input, size_t axis);

// Whether the name says that the axis is a batch: "batch", "batch_size" and the like; on the first
// axis also "N", "B" and "None", which are something else on others ([1, N, 4] are boxes).
bool is_batch_name(const std::string& name, size_t axis);

// The first axis of unknown size with such a name; if there is none, axis 0 if its size is unknown
// and has no name; else nullopt.
std::optional<size_t> batch_axis_by_name(const ValueDef& input);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_BATCH_AXIS_H_
