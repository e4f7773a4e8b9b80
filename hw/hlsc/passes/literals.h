// SPDX-License-Identifier: Apache-2.0
//
// Conditions as conjunctions of literals, as if-conversion makes them of nested branches.
#ifndef VTA_HW_HLSC_PASSES_LITERALS_H_
#define VTA_HW_HLSC_PASSES_LITERALS_H_

#include <set>
#include <utility>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::passes {

// A value of one bit; true: its complement.
using Literal = std::pair<ir::ValueId, bool>;
using Literals = std::set<Literal>;

inline Literal complement(const Literal& literal) { return {literal.first, !literal.second}; }

// The literals whose conjunction equals `value`: splits `and` and the complement of `or`, as in
// a and not(b or c) -> a, not b, not c.
Literals conjunction(const ir::Process& process, ir::ValueId value);

// Whether the literals show that both are never true at once.
bool are_disjoint(const ir::Process& process, const Literals& a, const Literals& b);

// Whether a implies b.
bool includes(const Literals& a, const Literals& b);

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_LITERALS_H_
