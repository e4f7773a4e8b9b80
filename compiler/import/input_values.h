// SPDX-License-Identifier: Apache-2.0
//
// Inputs of an ONNX model that become constants: modes, sampling rates and sizes that branches (If)
// and shapes depend on.
#ifndef VTA_COMPILER_IMPORT_INPUT_VALUES_H_
#define VTA_COMPILER_IMPORT_INPUT_VALUES_H_

#include <string>
#include <vector>

#include "compiler/onnx/model.h"

namespace vta::import {

// `texts`: "NAME=16000" (every element), or "NAME=1,3,48,320" (each element in row-major order). An
// integer input takes integers of its type, a truth value 0 or 1. Open axes must have their sizes
// by now (open_sizes.h), but for one axis, which gets the number of values. Errors:
// kInvalidArgument, naming the input and the value.
void set_input_values(onnx::Model& model, const std::vector<std::string>& texts);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_INPUT_VALUES_H_
