// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "base/errors/error.h"
#include "hw/hlsc/ir/verify.h"

namespace vta::hlsc::passes {
namespace {

constexpr Pass kPasses[] = {
#define VTA_HLSC_PASS(name, scope, summary) {#name, summary, name},
#include "hw/hlsc/passes/passes.def"
};

constexpr Step kPipeline[] = {
#define VTA_HLSC_STEP(name, why) {#name, why},
#include "hw/hlsc/passes/passes.def"
};

void verify_after(const ir::Design& design, const Execution& execution) {
  try {
    ir::verify(design);
  } catch (const Error& error) {
    throw std::logic_error(fmt::format("pass {} (execution {}) broke the design: {}",
                                       execution.pass, execution.number, error.what()));
  }
}

// visit(process, call) for each call of a pass: on each process, or on the design (process: null).
// False if a visit returns false, which ends it.
template <class Visit>
bool for_each_call(const Pass& pass, ir::Design& design, Visit visit) {
  if (const auto* function = std::get_if<DesignPass*>(&pass.function))
    return visit(nullptr, [&] { (*function)(design); });
  ProcessPass* const function = std::get<ProcessPass*>(pass.function);
  return std::ranges::all_of(design.processes, [&](ir::Process& process) {
    return visit(&process, [&] { function(design, process); });
  });
}

class Pipeline {
 public:
  Pipeline(ir::Design& design, const LegalizeOptions& options)
      : design_(design), options_(options) {}

  void run() {
    for (const Step& step : kPipeline) {
      const Pass& pass = pass_of(step.pass);
      const bool completed =
          for_each_call(pass, design_, [&](const ir::Process* process, auto call) {
            const bool last = process == nullptr || process == &design_.processes.back();
            const std::string name = process == nullptr ? "" : process->name;
            return execute({executed_ + 1, pass.name, name, last}, call);
          });
      if (!completed || options_.stop_after == pass.name) return;
    }
  }

 private:
  // False if the limit is reached.
  template <class Call>
  bool execute(const Execution& execution, Call call) {
    if (executed_ == options_.pass_limit) return false;
    call();
    ++executed_;
    if (options_.verify_each) verify_after(design_, execution);
    if (options_.on_execution) options_.on_execution(execution);
    return true;
  }

  ir::Design& design_;
  const LegalizeOptions& options_;
  size_t executed_ = 0;
};

}  // namespace

std::span<const Pass> all_passes() { return kPasses; }

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const Pass& pass : kPasses) names.emplace_back(pass.name);
  return names;
}

const Pass& pass_of(const std::string& name) {
  for (const Pass& pass : kPasses) {
    if (name == pass.name) return pass;
  }
  fail(ErrorCode::kInvalidArgument, "pass '{}' is not one of {}", name,
       fmt::join(pass_names(), ", "));
}

void run(const Pass& pass, ir::Design& design) {
  for_each_call(pass, design, [](const ir::Process*, auto call) {
    call();
    return true;
  });
}

std::span<const Step> pipeline() { return kPipeline; }

void legalize(ir::Design& design, const LegalizeOptions& options) {
  if (!options.stop_after.empty()) pass_of(options.stop_after);
  Pipeline(design, options).run();
  ir::verify(design);
}

}  // namespace vta::hlsc::passes
