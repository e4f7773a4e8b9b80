// SPDX-License-Identifier: Apache-2.0
//
// Designs as text, and their meaning: for the same seed, a design has the same outcome before and
// after a pass.
#ifndef VTA_TESTS_UNIT_HW_HLSC_PASSES_MEANING_H_
#define VTA_TESTS_UNIT_HW_HLSC_PASSES_MEANING_H_

#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc {

// Parsed and verified.
ir::Design design_of(const std::string& text);

// Any value of this many bits; often one of few bits, or with few bits missing.
llvm::APInt random_value(Random& random, uint32_t width);

// The outcome of a run: the items of its output streams, and the final contents of registers and
// RAMs. `seed` draws inputs, RAMs and the items of input streams, `noise` unspecified values. Only
// objects of `shown` count, because a pass may add some. kRunsOn if `max_ops` operations are not
// enough.
std::string outcome(const ir::Design& design, const ir::Design& shown, uint64_t seed,
                    uint64_t noise, uint64_t max_ops);
constexpr const char* kRunsOn = "runs on";
constexpr uint64_t kMaxOps = 20'000;

// EXPECTs that both have the same outcome for seeds 0 to `seeds` - 1, without the runs of `before`
// that take more than kMaxOps operations. Returns the number of runs that were compared.
uint64_t expect_same_meaning(const ir::Design& before, const ir::Design& after, uint64_t seeds);

// The value as an expression of inputs and reads: "add:8(a, 0x1:8)". Shared operations are written
// out at each use.
std::string expression(const ir::Design& design, const ir::Process& process, ir::ValueId value);

// Loops in program order, outer ones first.
std::vector<const ir::Loop*> loops_of(const ir::Process& process);

// Operations of this kind in the sequence itself.
size_t count(const ir::Process& process, const ir::Sequence& items, ir::Opcode opcode);

// The widths of all phis in program order, as "8 16".
std::string phi_widths(const ir::Process& process);

}  // namespace vta::hlsc

#endif  // VTA_TESTS_UNIT_HW_HLSC_PASSES_MEANING_H_
