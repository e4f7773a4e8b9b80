// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_QUANTIZE_RECURRENT_GATES_H_
#define VTA_COMPILER_QUANTIZE_RECURRENT_GATES_H_

#include <set>

#include "compiler/graph/graph.h"

namespace vta::quantize {

// The gates and states of recurrent cells (LSTM, GRU): sigmoids and tanhs of vectors, which are
// tables on the host; sums and products of their results alone; and what only computes and moves
// the operands of these. They run on the host in any type, so float32 costs nothing, whereas int8
// rounds a state again in every step. A sigmoid that scales a feature map is not among them.
std::set<graph::NodeId> recurrent_gates(const graph::Graph& graph);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_RECURRENT_GATES_H_
