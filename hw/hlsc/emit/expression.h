// SPDX-License-Identifier: Apache-2.0
//
// Single operations, constants and conditions as SystemVerilog.
#ifndef VTA_HW_HLSC_EMIT_EXPRESSION_H_
#define VTA_HW_HLSC_EMIT_EXPRESSION_H_

#include <span>
#include <string>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

std::string literal(const llvm::APInt& value);

// "[31:0] ", or nothing for a single bit.
std::string range(uint32_t width);

// `name` as a Verilog identifier.
std::string identifier(const std::string& name);

// A pure operation on operands that are identifiers or literals; to be assigned to something of the
// operation's width.
std::string expression(const ir::Process& process, const ir::Op& op,
                       std::span<const std::string> operands);

// Conditions; "" is one that says nothing: always true for both(), never for either() and any().
std::string both(const std::string& a, const std::string& b);
std::string either(const std::string& a, const std::string& b);
// Alternatives in their order, equal ones once.
std::string any(std::span<const std::string> terms);
// A condition that may be "", as an expression.
std::string or_true(const std::string& condition);

// The low `width` bits of an identifier or literal of `have` bits, zeros above if it has fewer.
std::string resized(const std::string& name, uint32_t have, uint32_t width);

// The operator between the operands of an operation, the same in C++; null if it is none.
const char* infix(ir::Opcode opcode);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_EXPRESSION_H_
