// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/explore_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/errors/counted.h"
#include "sim/analysis/explore/page_files.h"
#include "sim/analysis/report/page.h"

namespace vta::sim {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

// Cores that fit come first, in order of time.
std::vector<size_t> order_of(const ExploreResult& result) {
  std::vector<size_t> order(result.cores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) {
    const ExploredCore& core = result.cores[i];
    return std::tuple(!core.fits, core.mean_ms.value_or(std::numeric_limits<double>::infinity()),
                      core.share.share, i);
  });
  return order;
}

std::string ms_text(double ms) { return fmt::format("{:.3f}", ms); }

Row head_of(const ExploreResult& result) {
  Row head = {"",    "core", "MHz",     "estimated", "routed",
              "LUT", "FF",   "DSP48E1", "RAMB36",    "of " + result.part.name};
  const std::vector<ExploredRun>* runs = nullptr;
  for (const ExploredCore& core : result.cores) {
    if (!core.runs.empty()) runs = &core.runs;
  }
  if (runs == nullptr) return head;
  for (const ExploredRun& run : *runs)
    head.push_back(fmt::format("{} {} ms", run.network, run.memory));
  if (runs->size() > 1) head.emplace_back("mean ms");
  return head;
}

Row row_of(const ExploredCore& core) {
  Row row = {
      core.on_front ? "*" : "", core.choice.core.name,
      core.schedule_refusal.empty()
          ? fmt::format("{:g}", core.choice.clock_mhz)
          : fmt::format("{:g}, scheduled for {:g}", core.choice.clock_mhz, core.scheduled_mhz)};
  if (!core.error.empty()) return row;
  row.push_back(fmt::format("{:.0f}", core.clocks.estimated_mhz));
  row.push_back(core.clocks.routed_mhz ? fmt::format("{:.1f}", *core.clocks.routed_mhz) : "-");
  row.push_back(fmt::format("{:.0f}", core.uses.lut));
  row.push_back(fmt::format("{:.0f}", core.uses.ff));
  row.push_back(fmt::format("{:.0f}", core.uses.dsp48e1));
  row.push_back(fmt::format("{:g}", core.uses.ramb36));
  row.push_back(fmt::format("{:.1f} % {}", 100 * core.share.share, core.share.resource));
  for (const ExploredRun& run : core.runs)
    row.push_back(run.error.empty() ? ms_text(run.ms) : "fails");
  if (core.runs.size() > 1) row.push_back(core.mean_ms ? ms_text(*core.mean_ms) : "-");
  return row;
}

// Columns as wide as their longest cell; the first two are left-aligned.
std::string table_of(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += i < 2 ? fmt::format("{:<{}}", row[i], widths[i])
                    : fmt::format("  {:>{}}", row[i], widths[i]);
      if (i == 0) line += ' ';
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

// A line for each distinct reason.
std::string failures(const ExploreResult& result) {
  std::string text;
  std::vector<std::string> reasons;
  const auto add = [&](const std::string& core, const std::string& reason) {
    if (reason.empty() || std::ranges::count(reasons, reason) != 0) return;
    reasons.push_back(reason);
    text += fmt::format("{}: {}\n", core, reason);
  };
  for (const ExploredCore& core : result.cores) {
    add(core.choice.core.name, core.error);
    add(fmt::format("{}, scheduled for {:g} MHz instead of {:g}", core.choice.core.name,
                    core.scheduled_mhz, core.choice.clock_mhz),
        core.schedule_refusal);
    add(core.choice.core.name + ", routed", core.clocks.not_routed);
    for (const ExploredRun& run : core.runs) {
      add(fmt::format("{}, {}", core.choice.core.name, run.network), run.error);
    }
  }
  return text;
}

std::string front_text(const ExploreResult& result) {
  const auto fitting = std::ranges::count_if(result.cores, &ExploredCore::fits);
  const std::string part =
      result.max_share < 1 ? fmt::format("{:g} % of {}", 100 * result.max_share, result.part.name)
                           : result.part.name;
  const char* const fit = fitting == 1 ? "fits" : "fit";
  if (result.front.empty()) {
    return fitting == 0 ? fmt::format("None of the cores fits {}.\n", part)
                        : fmt::format("{} of {} {} {}; none is scheduled for its clock.\n", fitting,
                                      counted(result.cores.size(), "core"), fit, part);
  }
  const ExploredCore& fastest = result.cores[result.front[0]];
  return fmt::format(
      "{} of {} {} {}; {} (*) {} on the Pareto front of time and share.\n"
      "Fastest: {} at {:g} MHz, {} ms for an image.\n",
      fitting, counted(result.cores.size(), "core"), fit, part, result.front.size(),
      result.front.size() == 1 ? "is" : "are", fastest.choice.core.name, fastest.choice.clock_mhz,
      ms_text(*fastest.mean_ms));
}

Json json_of(const FpgaResources& resources) {
  return {{"lut", resources.lut},
          {"ff", resources.ff},
          {"dsp48e1", resources.dsp48e1},
          {"ramb36", resources.ramb36}};
}

Json json_of(const ExploredRun& run) {
  Json json = {{"network", run.network}, {"memory", run.memory}};
  if (!run.error.empty()) {
    json["error"] = run.error;
    return json;
  }
  json["cycles"] = run.cycles;
  json["ms"] = run.ms;
  return json;
}

Json json_of(const ExploredCore& core) {
  Json json = {{"name", core.choice.core.name},
               {"clock_mhz", core.choice.clock_mhz},
               {"core", Json::parse(to_json(core.choice.core))}};
  if (!core.error.empty()) {
    json["error"] = core.error;
  } else {
    json["scheduled_mhz"] = core.scheduled_mhz;
    if (!core.schedule_refusal.empty()) json["schedule_refusal"] = core.schedule_refusal;
    json["estimated_mhz"] = core.clocks.estimated_mhz;
    json["routed_mhz"] = core.clocks.routed_mhz ? Json(*core.clocks.routed_mhz) : Json();
    if (!core.clocks.verilog_sha256.empty()) json["verilog_sha256"] = core.clocks.verilog_sha256;
    if (!core.clocks.not_routed.empty()) json["not_routed"] = core.clocks.not_routed;
    json["resources"] = json_of(core.uses);
    json["share_percent"] = 100 * core.share.share;
    json["share_of"] = core.share.resource;
  }
  json["fits"] = core.fits;
  json["on_front"] = core.on_front;
  json["mean_ms"] = core.mean_ms ? Json(*core.mean_ms) : Json();
  json["runs"] = Json::array();
  for (const ExploredRun& run : core.runs) json["runs"].push_back(json_of(run));
  return json;
}

}  // namespace

std::string to_text(const ExploreResult& result, const CoreSpace& space) {
  std::vector<Row> rows = {head_of(result)};
  for (const size_t i : order_of(result)) rows.push_back(row_of(result.cores[i]));
  std::string text = table_of(rows) + failures(result);
  if (space.num_illegal > 0) {
    text += fmt::format("{} refused, such as {}\n", counted(space.num_illegal, "combination"),
                        space.first_illegal);
  }
  return text + front_text(result) +
         fmt::format("{} measured, {} found; {} built, {} found.\n",
                     counted(result.num_measured, "run"), result.num_found,
                     counted(result.models_built, "cycle model"), result.models_found);
}

std::string to_json(const ExploreResult& result, const CoreSpace& space,
                    const CoreConfig& default_core) {
  Json json = {{"part", {{"name", result.part.name}, {"has", json_of(result.part.has)}}},
               {"max_share_percent", 100 * result.max_share},
               {"cores", Json::array()},
               {"front", result.front},
               {"num_illegal", space.num_illegal},
               {"first_illegal", space.first_illegal},
               {"measured", result.num_measured},
               {"found", result.num_found},
               {"models_built", result.models_built},
               {"models_found", result.models_found}};
  for (const ExploredCore& core : result.cores) {
    json["cores"].push_back(json_of(core));
    json["cores"].back()["is_default"] = core.choice.core.same_hardware(default_core);
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string explore_page(const std::string& made, const std::string& json) {
  return fill_page(kCoresBody, kCoresScript, "Cores", made, json);
}

}  // namespace vta::sim
