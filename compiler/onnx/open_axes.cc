// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/open_axes.h"

#include <algorithm>
#include <iterator>

namespace vta::onnx {
namespace {

constexpr const char* kOperators[] = {
    // elementwise.cc, activation.cc, functions.cc
    "Add", "Sub", "Mul", "Div", "Min", "Max", "Equal", "Less", "LessOrEqual", "Greater",
    "GreaterOrEqual", "And", "Or", "Xor", "Not", "Where", "Relu", "Clip", "LeakyRelu", "Sigmoid",
    "Tanh", "HardSigmoid", "Abs", "Neg", "Reciprocal", "Exp", "Log", "Sqrt", "Pow", "Erf", "Sign",
    "Floor", "Ceil", "Round", "Sin", "Cos",
    // reduction.cc
    "ReduceMean", "ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax", "ReduceL1", "ReduceL2",
    "ReduceSumSquare", "ArgMax", "ArgMin", "TopK", "CumSum",
    // indexing.cc, selection.cc
    "Gather", "GatherElements", "GatherND", "ScatterElements", "ScatterND", "Tile", "Compress",
    "NonZero", "Unique", "NonMaxSuppression", "Shape", "Size", "Expand",
    // movement.cc
    "Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Concat", "Split",
    "Slice", "Cast", "CastLike"};

}  // namespace

bool takes_open_axes(const std::string& op) {
  return std::ranges::find(kOperators, op) != std::end(kOperators);
}

}  // namespace vta::onnx
