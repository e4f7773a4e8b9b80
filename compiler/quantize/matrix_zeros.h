// SPDX-License-Identifier: Apache-2.0
//
// Zero points of the operands of a matrix product, as more of the same products. With x = a - z_a
// and y = b - z_b,
//
//   sum(x * y) = sum(a * b) + sum(a * -z_b) + sum(-z_a * b) + k * z_a * z_b
//
// so a is followed by itself and by columns of -z_a, b by rows of -z_b and by itself, along the
// inner axis of size k. The last term is a constant. -128, whose negative is not an int8, takes two
// parts of 64.
#ifndef VTA_COMPILER_QUANTIZE_MATRIX_ZEROS_H_
#define VTA_COMPILER_QUANTIZE_MATRIX_ZEROS_H_

#include <cstdint>
#include <optional>

#include "compiler/graph/graph.h"
#include "compiler/quantize/levels.h"

namespace vta::quantize {

// The attributes of a qmatmul of such operands, whose inner axis has size `inner`, with a result of
// levels `to`. nullopt: results exceed 32 bits.
std::optional<Attrs<OpKind::kQMatmul>> matrices_attrs(const Levels& a, const Levels& b,
                                                      int64_t inner, const Levels& to);

// Inserts a qmatmul of these attributes with its operands, before `position`.
graph::NodeId insert_qmatmul(graph::Graph& graph, graph::NodeId position, const std::string& name,
                             const LevelOperand& a, const LevelOperand& b,
                             const Attrs<OpKind::kQMatmul>& attrs);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_MATRIX_ZEROS_H_
