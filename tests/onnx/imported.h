// SPDX-License-Identifier: Apache-2.0
//
// Imports models of ModelBuilder.
#ifndef VTA_TESTS_ONNX_IMPORTED_H_
#define VTA_TESTS_ONNX_IMPORTED_H_

#include <string>
#include <vector>

#include "compiler/onnx/import_onnx.h"
#include "compiler/quantize/run_graph.h"
#include "tests/onnx/model_builder.h"
#include "tests/support/error_in.h"

namespace vta::onnx {

inline Imported import(const ModelBuilder& builder) {
  return import_onnx(parse_model(builder.bytes()));
}

inline std::string error_of(const ModelBuilder& builder) {
  return error_in([&] { import(builder); });
}

// The first output.
inline std::vector<float> run(const Imported& imported, const std::vector<Tensor>& inputs) {
  const Tensor result = quantize::run_graph(imported.graph, inputs).at(0);
  return {result.data<float>().begin(), result.data<float>().end()};
}

// The operators in order.
inline std::vector<OpKind> kinds(const graph::Graph& graph) {
  std::vector<OpKind> result;
  for (graph::NodeId id : graph.order()) {
    const OpKind kind = graph.node(id).kind;
    if (kind != OpKind::kInput && kind != OpKind::kConstant) result.push_back(kind);
  }
  return result;
}

}  // namespace vta::onnx

#endif  // VTA_TESTS_ONNX_IMPORTED_H_
