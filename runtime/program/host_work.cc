// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/host_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/program/macs.h"

namespace vta {
namespace {

std::string names_of(const std::vector<std::string>& layers, bool all) {
  constexpr size_t kMaxNames = 4;
  if (all || layers.size() <= kMaxNames) return fmt::format("{}", fmt::join(layers, ", "));
  const auto end = layers.begin() + kMaxNames - 1;
  return fmt::format("{} and {} more", fmt::join(layers.begin(), end, ", "),
                     layers.size() - (kMaxNames - 1));
}

}  // namespace

std::vector<HostWork> host_work(const Program& program) {
  std::vector<HostWork> work;
  for (const ProgramStep& step : program.steps) {
    const bool converts = step.host_reason == HostReason::kConversion;
    if (step.kind != ProgramStep::Kind::kHost || converts) continue;
    const auto same = [&](const HostWork& other) {
      return other.op == step.op && other.reason == step.host_reason;
    };
    auto found = std::ranges::find_if(work, same);
    if (found == work.end()) found = work.insert(found, {step.op, step.host_reason, {}});
    found->layers.push_back(step.layer);
  }
  return work;
}

std::string host_work_text(const Program& program) {
  const std::vector<HostWork> work = host_work(program);
  if (work.empty()) return "On the host: conversions only\n";
  const bool all = macs_of(program).on_core == 0;
  std::string text = "On the host:\n";
  for (const HostWork& row : work) {
    text += fmt::format("\t{:<16}: {} ({})\n", to_string(row.op), text_of(row.reason),
                        names_of(row.layers, all));
  }
  return text;
}

std::string placement_text(const Program& program) {
  const MacSums macs = macs_of(program);
  return fmt::format("{} of {} multiply-accumulates on the core ({:.2f} %)\n{}", macs.on_core,
                     macs.all, percent_on_core(macs), host_work_text(program));
}

nlohmann::ordered_json to_json(const std::vector<HostWork>& work) {
  auto json = nlohmann::ordered_json::array();
  for (const HostWork& row : work) {
    json.push_back({{"op", to_string(row.op)},
                    {"reason", to_string(row.reason)},
                    {"text", text_of(row.reason)},
                    {"layers", row.layers}});
  }
  return json;
}

}  // namespace vta
