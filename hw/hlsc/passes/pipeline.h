// SPDX-License-Identifier: Apache-2.0
//
// legalize(): the pipeline of passes that brings a design into the form that the scheduler takes.
#ifndef VTA_HW_HLSC_PASSES_PIPELINE_H_
#define VTA_HW_HLSC_PASSES_PIPELINE_H_

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/passes/passes.h"

namespace vta::hlsc::passes {

// A line VTA_HLSC_PASS of passes.def.
struct Pass {
  const char* name;
  const char* summary;
  std::variant<ProcessPass*, DesignPass*> function;
};
std::span<const Pass> all_passes();
std::vector<std::string> pass_names();
// Errors: kInvalidArgument, with the names of all passes.
const Pass& pass_of(const std::string& name);
// Runs one pass on the whole design.
void run(const Pass& pass, ir::Design& design);

// A line VTA_HLSC_STEP of passes.def.
struct Step {
  const char* pass;
  const char* why;
};
std::span<const Step> pipeline();

// One call of a pass: on a process, or on the design.
struct Execution {
  size_t number;        // from 1, over the whole pipeline
  const char* pass;     // its name
  std::string process;  // empty: the design
  bool completes_step;  // no other process of this step follows
};

struct LegalizeOptions {
#ifdef NDEBUG
  bool verify_each = false;
#else
  bool verify_each = true;
#endif
  std::string stop_after;  // the first step of this pass is the last one; empty: none
  size_t pass_limit = std::numeric_limits<size_t>::max();  // executions
  std::function<void(const Execution&)> on_execution;      // after each
};

// Runs the pipeline. The design keeps its meaning (interpreter.h), is verified, and:
// - is simplified, with sums of many terms as one operation;
// - streams between processes carry only bits that are read and not constant;
// - in pipelined loops, and between waits elsewhere, a register is read at most once, before it is
//   written at most once; a read of a RAM need not see the earlier writes of its iteration
//   (forward_stores.cc has the exceptions for registers and RAMs that processes share);
// - phis have only the bits that their values can have and that are demanded;
// - pipelined loops have no effects in their heads;
// - counters of a nest do not depend on what its body reads, and values that they read from
//   registers are used in the nest only.
// With stop_after or a pass_limit it is verified only.
// Errors: kInvalidArgument: "file:line: ..." for a pipelined loop whose condition depends on its
// body; an unknown stop_after. With verify_each, a pass that breaks a design is a std::logic_error
// that names it.
void legalize(ir::Design& design, const LegalizeOptions& options = {});

}  // namespace vta::hlsc::passes

#endif  // VTA_HW_HLSC_PASSES_PIPELINE_H_
