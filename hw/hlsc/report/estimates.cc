// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <ranges>
#include <regex>

#include "hw/hlsc/report/report.h"

namespace vta::hlsc::report {
namespace {

double rounded(double ns) {
  constexpr double kDigits = 1000;  // of a nanosecond
  return std::round(ns * kDigits) / kDigits;
}

// The registers of a process.
auto times_in(const std::string& process, const estimate::RegisterTimes& times) {
  const auto first = times.lower_bound({process, ""});
  return std::ranges::subrange(first, std::find_if(first, times.end(), [&](const auto& it) {
                                 return it.first.first != process;
                               }));
}

std::optional<double> slowest(const std::string& process, const estimate::RegisterTimes& times) {
  std::optional<double> ns;
  for (const auto& [name, time] : times_in(process, times))
    ns = std::max(ns, {rounded(time.period_ns)});
  return ns;
}

// The time of the first register of each value (emit/README.md), by the value and the stage before
// the register; -1 for one of a state.
std::map<std::pair<uint32_t, int64_t>, double> times_of(const std::string& process,
                                                        const estimate::RegisterTimes& times) {
  static const std::regex kKept("(?:.*_)?([0-9]+)_(?:p([0-9]+)|c)");
  std::map<std::pair<uint32_t, int64_t>, double> found;
  for (const auto& [name, time] : times_in(process, times)) {
    std::smatch match;
    if (!std::regex_match(name.second, match, kKept)) continue;
    const int64_t stage = match[2].matched ? std::stoll(match[2]) - 1 : -1;
    found[{static_cast<uint32_t>(std::stoul(match[1])), stage}] = rounded(time.period_ns);
  }
  return found;
}

}  // namespace

void add_estimates(Report& report, const estimate::RegisterTimes& times) {
  for (ProcessReport& process : report.processes) {
    const auto found = times_of(process.name, times);
    process.estimated_ns = slowest(process.name, times);
    for (const auto& [name, time] : times_in(process.name, times))
      process.register_bits += time.flip_flops;
    for (ScheduledOperation& op : process.schedule) {
      const auto time = found.find({op.value, op.in_nest ? int64_t{op.step} : -1});
      if (time != found.end()) op.estimated_ns = time->second;
    }
  }
}

}  // namespace vta::hlsc::report
