// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/passes/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "hw/hlsc/ir/verify.h"
#include "runtime/base/error.h"

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

class Pipeline {
 public:
  Pipeline(ir::Design& design, const LegalizeOptions& options)
      : design_(design), options_(options) {}

  size_t run() {
    for (const Step& step : kPipeline) {
      const Pass& pass = pass_of(step.pass);
      if (const auto* function = std::get_if<DesignPass*>(&pass.function)) {
        if (!execute({executed_ + 1, pass.name, "", true}, [&] { (*function)(design_); })) break;
      } else {
        if (!run_on_processes(pass)) break;
      }
      if (options_.stop_after == pass.name) break;
    }
    return executed_;
  }

 private:
  bool run_on_processes(const Pass& pass) {
    for (ir::Process& process : design_.processes) {
      const bool last = &process == &design_.processes.back();
      const bool done = execute({executed_ + 1, pass.name, process.name, last}, [&] {
        (*std::get<ProcessPass*>(pass.function))(design_, process);
      });
      if (!done) return false;
    }
    return true;
  }

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
  if (const auto* function = std::get_if<DesignPass*>(&pass.function)) return (*function)(design);
  for (ir::Process& process : design.processes)
    (*std::get<ProcessPass*>(pass.function))(design, process);
}

std::span<const Step> pipeline() { return kPipeline; }

size_t legalize(ir::Design& design, const LegalizeOptions& options) {
  if (!options.stop_after.empty()) pass_of(options.stop_after);
  const size_t executed = Pipeline(design, options).run();
  ir::verify(design);
  return executed;
}

}  // namespace vta::hlsc::passes
