// SPDX-License-Identifier: Apache-2.0
//
// ONNX Runtime's C++ API. The functions come from the ONNX Runtime that loads this library, not
// from one that it is linked with: Ort::InitApi() before everything else.
#ifndef VTA_TOOLS_ONNXRUNTIME_EP_API_H_
#define VTA_TOOLS_ONNXRUNTIME_EP_API_H_

#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>
#undef ORT_API_MANUAL_INIT

#endif  // VTA_TOOLS_ONNXRUNTIME_EP_API_H_
