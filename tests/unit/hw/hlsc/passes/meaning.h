// SPDX-License-Identifier: Apache-2.0
//
// Designs as text, and what they mean: the same design before and after a transform gives the same
// outcome for the same seed.
#ifndef VTA_TESTS_UNIT_HW_HLSC_PASSES_MEANING_H_
#define VTA_TESTS_UNIT_HW_HLSC_PASSES_MEANING_H_

#include <string>
#include <vector>

#include "hw/hlsc/ir/ir.h"
#include "runtime/base/random.h"

namespace vta::hlsc {

// Parsed and verified.
ir::Design design_of(const std::string& text);

// Any value of this many bits; often one of few bits, or with few bits missing.
llvm::APInt random_value(Random& random, uint32_t width);

// Inputs, RAMs and the items of streams from outside are drawn from `seed`; the outcome is what
// leaves the design, and what is in its registers and RAMs in the end. Only objects of `shown`
// count: a transform may add some. `noise` draws what is unspecified. kRunsOn if `max_ops`
// operations are not enough.
std::string outcome(const ir::Design& design, const ir::Design& shown, uint64_t seed,
                    uint64_t noise, uint64_t max_ops);
constexpr const char* kRunsOn = "runs on";
constexpr uint64_t kMostOps = 20'000;

// EXPECTs that both have the same outcome for seeds 0 to `seeds` - 1. A run of `before` that takes
// more than kMostOps says nothing; returns the number of the others.
uint64_t expect_same_meaning(const ir::Design& before, const ir::Design& after, uint64_t seeds);

// The value as an expression of inputs and reads: "add:8(a, 0x1:8)". An operation that stands in
// several places is written out in each.
std::string expression(const ir::Design& design, const ir::Process& process, ir::ValueId value);

// Loops in program order, outer ones first.
std::vector<ir::Loop*> loops_of(const ir::Process& process);

// Operations of this kind in the sequence itself.
size_t count(const ir::Process& process, const ir::Sequence& items, ir::Opcode opcode);

// Of all phis in program order, as "8 16".
std::string phi_widths(const ir::Process& process);

}  // namespace vta::hlsc

#endif  // VTA_TESTS_UNIT_HW_HLSC_PASSES_MEANING_H_
