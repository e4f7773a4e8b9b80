// SPDX-License-Identifier: Apache-2.0
//
// Inputs whose sizes only a run gives: results of NonMaxSuppression, NonZero, Unique, Compress and
// TopK. Their dims during import are upper bounds (TensorType::open_axes).
#ifndef VTA_COMPILER_ONNX_OPEN_AXES_H_
#define VTA_COMPILER_ONNX_OPEN_AXES_H_

#include <string>

namespace vta::onnx {

// Whether the import function of this operator of ONNX takes such inputs: it derives nothing from
// their sizes, or asks which axes are open.
bool takes_open_axes(const std::string& op);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_OPEN_AXES_H_
