// SPDX-License-Identifier: Apache-2.0
//
// Forms: what an operator of a float graph can become in integers.
#ifndef VTA_COMPILER_QUANTIZE_FORMS_H_
#define VTA_COMPILER_QUANTIZE_FORMS_H_

#include "compiler/graph/graph.h"

namespace vta::quantize {

enum class Form {
  kNone,        // stays float32: softmax, matmul, ...
  kWeighted,    // conv2d, conv2d_transpose, dense with constant weights: sums of products
  kSum,         // add of one shape: qadd
  kProduct,     // mul: qmul
  kActivation,  // relu, clip: part of one of the three above, or a qadd
  kLookup,      // a function of one number: lookup
  kMovement,    // moves or selects elements, which keep their scale
  kConcat,      // as kMovement, of several operands
  kAverage,     // avg_pool2d, global_avg_pool2d: qavg_pool2d
};

Form form_of(const graph::Graph& graph, const graph::Node& node);

// Of a kLookup: the index of the operand that is no constant.
size_t lookup_operand(const graph::Graph& graph, const graph::Node& node);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_FORMS_H_
