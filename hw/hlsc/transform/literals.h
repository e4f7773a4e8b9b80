// SPDX-License-Identifier: Apache-2.0
//
// Conditions as conjunctions of literals: what if-conversion makes of nested branches.
#ifndef VTA_HW_HLSC_TRANSFORM_LITERALS_H_
#define VTA_HW_HLSC_TRANSFORM_LITERALS_H_

#include <set>
#include <utility>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// A value of one bit, and whether its complement is meant.
using Literal = std::pair<ir::ValueId, bool>;
using Literals = std::set<Literal>;

inline Literal complement(const Literal& literal) { return {literal.first, !literal.second}; }

// Literals that are all true exactly when `value` is: and is taken apart, so is the complement of
// or. (a and not(b or c) -> a, not b, not c)
Literals conjunction(const ir::Process& process, ir::ValueId value);

// Whether both can never be true at once, as far as the literals tell.
bool are_disjoint(const ir::Process& process, const Literals& a, const Literals& b);

// Whether a implies b.
bool includes(const Literals& a, const Literals& b);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_LITERALS_H_
