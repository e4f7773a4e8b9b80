// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_IMPORT_MEASURE_BATCH_NORMS_H_
#define VTA_COMPILER_IMPORT_MEASURE_BATCH_NORMS_H_

#include "compiler/graph/graph.h"

namespace vta::import {

// Runs a float graph with synthetic parameters on `input` and sets the mean and variance of each
// batch norm to the statistics of its input, per channel. After it every channel has mean beta and
// deviation gamma, so int8 activations neither clip nor vanish. Bit-exact on every machine.
void measure_batch_norms(graph::Graph& graph, const Tensor& input);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_MEASURE_BATCH_NORMS_H_
