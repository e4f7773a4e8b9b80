// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/errors/error.h"
#include "compiler/import/build_graph.h"
#include "compiler/import/network_file.h"

namespace {

// Returns zeros for small parameters: large ones would only cost time.
vta::Tensor small_parameter(const vta::import::Parameter& parameter) {
  vta::TensorType type = {vta::DType::kFloat32, parameter.shape};
  if (type.num_elems() > 1 << 16) {
    vta::fail(vta::ErrorCode::kUnsupported, "a parameter of {} elements", type.num_elems());
  }
  return vta::Tensor(std::move(type));
}

}  // namespace

// Reads a network file up to its graph.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    vta::graph::verify(vta::import::build_graph(vta::import::parse_network(text), small_parameter));
  } catch (const vta::Error&) {
  }
  return 0;
}
