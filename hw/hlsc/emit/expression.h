// SPDX-License-Identifier: Apache-2.0
//
// Single operations, constants and conditions as SystemVerilog expressions.
#ifndef VTA_HW_HLSC_EMIT_EXPRESSION_H_
#define VTA_HW_HLSC_EMIT_EXPRESSION_H_

#include <span>
#include <string>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/rtl/expression.h"

namespace vta::hlsc::emit {

using rtl::Expression;

// Decimal below 10, hexadecimal from 10 on.
Expression literal(const llvm::APInt& value);

// A register's value after a reset.
Expression reset_literal(const ir::Object& object);

// `name` as a Verilog identifier.
std::string identifier(const std::string& name);

// A pure operation on operands `x` that are nets or literals; to be assigned to something of the
// operation's width.
Expression expression(const ir::Process& process, const ir::Op& op, std::span<const Expression> x);

// Conditions. An absent one states nothing: always true for both(), never for either() and any().
Expression both(const Expression& a, const Expression& b);
Expression either(const Expression& a, const Expression& b);
// Alternatives in their order; equal ones appear once.
Expression any(std::span<const Expression> terms);
// A condition that may be absent, as an expression: 1'b1.
Expression or_true(const Expression& condition);
// In parentheses; absent if the condition is.
Expression enclosed(const Expression& condition);

// The low `width` bits of a net, with zeros above if it has fewer. Literals are only extended.
Expression resized(const Expression& value, uint32_t width);

// A net with copies of its sign bit above it, if it has fewer than `width` bits.
Expression sign_extended(const Expression& value, uint32_t width);

// `bit` for each of `lanes`: itself if there is one lane.
Expression for_lanes(uint32_t lanes, const Expression& bit);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_EXPRESSION_H_
