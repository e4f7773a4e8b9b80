// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/tune/tune_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/errors/counted.h"

namespace vta::sim {
namespace {

// 10^9 operations a second.
double gops(uint64_t macs, uint64_t cycles, double clock_mhz) {
  if (cycles == 0) return 0;
  return 2e-3 * static_cast<double>(macs) * clock_mhz / static_cast<double>(cycles);
}

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string pass_text(const NetworkPassResult& pass) {
  std::string text;
  for (const NetworkPassResult::Kept& kept : pass.kept) {
    for (size_t i = 0; i < kept.layers.size(); ++i)
      text += fmt::format("{}{}: {}", i == 0 ? "" : " with ", kept.layers[i], kept.tilings[i]);
    text += fmt::format(", {} saved\n", counted(kept.saved_cycles, "cycle"));
  }
  return text + fmt::format(
                    "pass over the network: {} instead of {}; {} "
                    "measured, {} from the log\n",
                    counted(pass.cycles_after, "cycle"), pass.cycles_before,
                    counted(pass.measured, "combination"), pass.from_log);
}

nlohmann::ordered_json to_json(const NetworkPassResult& pass) {
  nlohmann::ordered_json json = {{"cycles_before", pass.cycles_before},
                                 {"cycles_after", pass.cycles_after},
                                 {"measured", pass.measured},
                                 {"from_log", pass.from_log},
                                 {"kept", nlohmann::ordered_json::array()}};
  for (const NetworkPassResult::Kept& kept : pass.kept) {
    json["kept"].push_back(
        {{"layers", kept.layers}, {"tilings", kept.tilings}, {"saved_cycles", kept.saved_cycles}});
  }
  return json;
}

}  // namespace

std::string progress_line(const TuneProgress& p, double clock_mhz) {
  return fmt::format(
      "[{} {:2}/{:2}] Current/Best: {:6.1f}/{:6.1f} GOPS | Progress: ({}/{}) | "
      "{:.2f} s{}",
      p.what == TuneProgress::What::kTask ? "Task" : "Pass", p.number, p.count,
      gops(p.macs, p.cycles, clock_mhz), gops(p.macs, p.best_cycles, clock_mhz), p.trial, p.trials,
      p.seconds, p.is_done ? " Done." : "");
}

std::string to_text(const TuneResult& result) {
  std::string text;
  size_t changed = 0, open = 0;
  for (const TunedTask& task : result.tasks) {
    if (task.is_open) ++open;
    if (task.after != task.before) ++changed;
    if (task.saved_cycles == 0) continue;
    text += fmt::format("{} ({}): {} instead of {}, {} saved\n", task.layers.at(0),
                        counted(task.layers.size(), "layer"), task.after, task.before,
                        counted(task.saved_cycles, "cycle"));
  }
  for (const NetworkPassResult& pass : result.passes) text += pass_text(pass);
  if (open > 0) text += fmt::format("Not measured: {}\n", counted(open, "task"));
  const uint64_t saved = result.cycles_before - result.cycles_after;
  text += fmt::format(
      "Better tilings for {} of {}: {} instead of {} ({:.2f} % less); {} measured, {} from the "
      "log\n",
      changed, counted(result.tasks.size(), "task"), counted(result.cycles_after, "cycle"),
      result.cycles_before, percent(saved, result.cycles_before), counted(result.measured, "trial"),
      result.from_log);
  if (result.cycles_of_log)
    text += fmt::format("With the log alone, measured again: {}\n",
                        counted(*result.cycles_of_log, "cycle"));
  return text;
}

std::string to_json(const TuneResult& result) {
  nlohmann::ordered_json json = {{"cycles_before", result.cycles_before},
                                 {"cycles_after", result.cycles_after},
                                 {"measured", result.measured},
                                 {"from_log", result.from_log},
                                 {"tasks", nlohmann::ordered_json::array()}};
  if (result.cycles_of_log) json["cycles_of_log"] = *result.cycles_of_log;
  for (const TunedTask& task : result.tasks) {
    json["tasks"].push_back({{"task", task.text},
                             {"layers", task.layers},
                             {"before", task.before},
                             {"after", task.after},
                             {"window_cycles_before", task.window_cycles_before},
                             {"window_cycles_after", task.window_cycles_after},
                             {"trials", task.trials},
                             {"saved_cycles", task.saved_cycles},
                             {"open", task.is_open}});
  }
  json["passes"] = nlohmann::ordered_json::array();
  for (const NetworkPassResult& pass : result.passes) json["passes"].push_back(to_json(pass));
  return json.dump();
}

}  // namespace vta::sim
