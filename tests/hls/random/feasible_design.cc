// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/random/feasible_design.h"

#include <fmt/format.h>

#include <regex>

#include "base/errors/error.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/passes/pipeline.h"
#include "hw/hlsc/schedule/fit_period.h"
#include "hw/hlsc/schedule/scheduler.h"

namespace vta::kernels {
namespace {

using Intervals = std::map<std::string, uint32_t>;

void lengthen(hlsc::ir::Sequence& items, const Intervals& intervals) {
  hlsc::ir::for_each_loop(items, [&](hlsc::ir::Loop& loop) {
    const auto found = intervals.find(fmt::format("{}:{}", loop.location.file, loop.location.line));
    if (found != intervals.end() && loop.initiation_interval != 0)
      loop.initiation_interval = found->second;
  });
}

// Applies the scheduler's proposal; false if it has no new one.
bool take_proposal(const std::string& message, Intervals& intervals) {
  static const std::regex loop("of loop \\S+ \\((\\S+)\\) is not achievable");
  static const std::regex proposal("the interval could be ([0-9]+)");
  std::smatch which, what;
  if (!std::regex_search(message, which, loop) || !std::regex_search(message, what, proposal))
    return false;
  const auto interval = static_cast<uint32_t>(std::stoul(what[1]));
  if (intervals[which[1]] >= interval) return false;
  intervals[which[1]] = interval;
  return true;
}

}  // namespace

std::optional<FeasibleDesign> feasible_design(const hlsc::ir::Design& design,
                                              hlsc::schedule::Options options) {
  constexpr double kMaxPeriodNs = 40, kLonger = 1.25;
  FeasibleDesign result;
  result.design = hlsc::ir::parse(hlsc::ir::print(design), design.name);  // a copy
  hlsc::passes::legalize(result.design);
  for (;;) {
    for (auto& process : result.design.processes) lengthen(process.body, result.intervals);
    try {
      hlsc::schedule::fit_period(result.design, options);
      result.schedule = hlsc::schedule::schedule(result.design, options);
      return result;
    } catch (const Error& error) {
      const std::string message = error.what();
      if (message.find("computes the counters") != std::string::npos &&
          options.period_ns < kMaxPeriodNs) {
        options.period_ns *= kLonger;  // counters have no stages
        options.margin_ns *= kLonger;
        continue;
      }
      if (message.find("is not achievable") == std::string::npos) throw;
      if (!take_proposal(message, result.intervals)) return std::nullopt;
    }
  }
}

}  // namespace vta::kernels
