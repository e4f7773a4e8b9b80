// SPDX-License-Identifier: Apache-2.0
//
// Forms: what an operator of a float graph can become in integers (forms.def).
#ifndef VTA_COMPILER_QUANTIZE_FORMS_H_
#define VTA_COMPILER_QUANTIZE_FORMS_H_

#include "compiler/graph/graph.h"

namespace vta::quantize {

enum class Form {
#define VTA_FORM(form, becomes_integer, takes_activation) form,
#include "compiler/quantize/forms.def"
};

// All forms, in order: tables of forms are compared with it at compile time.
inline constexpr Form kForms[] = {
#define VTA_FORM(form, becomes_integer, takes_activation) Form::form,
#include "compiler/quantize/forms.def"
};

enum class IntegerRule {
  kNever,
  kChosenLayer,     // weighted layers that are not kept in float
  kIntegerOperand,  // an operand is an integer
  kBeforeWeights,   // likewise, and a weighted layer depends on the result: after the last one
                    // float32 is as fast on the host and more accurate
  kInsideLayers,    // a weighted layer depends on the result; operands may be float32
};

Form form_of(const graph::Graph& graph, const graph::Node& node);
IntegerRule integer_rule(Form form);
bool takes_activation(Form form);

// Whether each element of the operands and the result of a matmul takes part in so few products
// that the host has multiplied as soon as it has packed the operands for the core.
bool is_small_product(const graph::Graph& graph, const graph::Node& matmul);

// The index of the operand of a kLookup that is not a constant.
size_t lookup_operand(const graph::Graph& graph, const graph::Node& node);

}  // namespace vta::quantize

#endif  // VTA_COMPILER_QUANTIZE_FORMS_H_
