// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "compiler/onnx/import_onnx.h"
#include "runtime/base/error.h"

// Imports a model: the result must be an Error or a consistent graph.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    vta::graph::verify(vta::onnx::import_onnx(vta::onnx::parse_model({data, size})).graph);
  } catch (const vta::Error&) {
  }
  return 0;
}
