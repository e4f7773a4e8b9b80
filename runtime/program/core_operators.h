// SPDX-License-Identifier: Apache-2.0
//
// Table of the operators that a step on the core may compute (core_operators.def): how a step's
// types are checked and its multiply-accumulates are counted. compiler/lower/core_lowerings.h is
// the compiler's side of the same list.
#ifndef VTA_RUNTIME_PROGRAM_CORE_OPERATORS_H_
#define VTA_RUNTIME_PROGRAM_CORE_OPERATORS_H_

#include <vector>

#include "runtime/program/products.h"
#include "runtime/tensor/op.h"
#include "runtime/tensor/tensor.h"

namespace vta {

// The operator of a step with the types of its operands and its result. On the core, weights and
// biases are not operands: they are in the arena image, in the core's layout.
struct TypedStep {
  OpKind op = OpKind::kInput;
  const OpAttrs& attrs;
  std::vector<TensorType> operands;
  const TensorType& result;
  // A max pool of the operator's result whose result is the step's; nullptr: none.
  const OpAttrs* pool = nullptr;
};

// The type of the operator's result, before the step's pool. Errors: kCorrupt.
TensorType operator_result(const TypedStep& step);

// Checks that the operator makes the result type from the operand types, as in a graph.
// Errors: kCorrupt.
void check_operands(const TypedStep& step);

struct CoreOperator {
  OpKind kind;
  void (&check)(const TypedStep& step);  // Errors: kCorrupt
  ProductCount& products;
};

// nullptr if the core does not have the operator.
const CoreOperator* find_core_operator(OpKind kind);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_CORE_OPERATORS_H_
