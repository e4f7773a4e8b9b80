// SPDX-License-Identifier: Apache-2.0
//
// Networks of random_network.h as ONNX models.
#ifndef VTA_TESTS_SUPPORT_ONNX_OF_GRAPH_H_
#define VTA_TESTS_SUPPORT_ONNX_OF_GRAPH_H_

#include <cstdint>
#include <vector>

#include "compiler/graph/graph.h"

namespace vta::test {

// The bytes of a model that computes the same. `seed` chooses among the opsets and among the ways
// to write an operator: a dense layer as Gemm, with either transposition, or as MatMul; a relu as
// Relu or Max. The graph must have operators of RandomNetwork only.
std::vector<uint8_t> onnx_of(const graph::Graph& graph, uint64_t seed);

}  // namespace vta::test

#endif  // VTA_TESTS_SUPPORT_ONNX_OF_GRAPH_H_
