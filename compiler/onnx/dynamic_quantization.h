// SPDX-License-Identifier: Apache-2.0
//
// Models whose activations are quantized in the run, each by its own range: the form that ONNX
// Runtime's quantize_dynamic() writes.
#ifndef VTA_COMPILER_ONNX_DYNAMIC_QUANTIZATION_H_
#define VTA_COMPILER_ONNX_DYNAMIC_QUANTIZATION_H_

#include "compiler/onnx/model.h"

namespace vta::onnx {

// Makes products of dynamically quantized tensors and constant weights products of real numbers:
//
//   q, s, z = DynamicQuantizeLinear(x); ConvInteger(q, w, z, wz)   ->   Conv(x, w - wz), s = 1
//
// likewise MatMulInteger. The weights keep their levels. The core's scales are constants, which
// quantization chooses for the real network as for any other; the error of rounding x in each run
// is gone. A DynamicQuantizeLinear stays as it is unless all of its levels' uses are such products,
// with weights and zero points that are initializers. Each product must also be cast to float and
// multiplied by the scale, or by its product with an initializer. Bodies of If, Loop, Scan and
// functions are left as they are.
void remove_dynamic_quantization(Model& model);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_DYNAMIC_QUANTIZATION_H_
