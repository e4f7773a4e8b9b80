// SPDX-License-Identifier: Apache-2.0
#include "tools/compile/summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors/counted.h"
#include "compiler/calibration.h"
#include "runtime/program/host_work.h"
#include "runtime/program/macs.h"

namespace vta {
namespace {

struct Sums {
  uint64_t gemm_counter = 0;
  uint64_t dram_bytes = 0;
};

Sums sums_of(const std::vector<LayerSummary>& layers) {
  Sums sums;
  for (const LayerSummary& layer : layers) {
    sums.gemm_counter += layer.gemm_counter;
    sums.dram_bytes += layer.dram_bytes;
  }
  return sums;
}

// The width of a column; `width` is that of its heading.
template <typename Column>
size_t width_of(const std::vector<LayerSummary>& layers, size_t width, Column column) {
  for (const LayerSummary& layer : layers) width = std::max(width, column(layer).size());
  return width;
}

std::string schedules_text(const ScheduleUse& use, const std::string& core) {
  if (use.layers == 0 || !use.memory) return "";
  return fmt::format("tuned tilings: {} of {} (the schedule logs have {} for {} and {})\n",
                     use.layers_tuned, counted(use.layers, "layer"), use.tilings, core,
                     *use.memory);
}

}  // namespace

std::string summary_text(const CompileResult& result) {
  const auto& layers = result.layers;
  const size_t name = width_of(layers, 5, [](const LayerSummary& l) { return l.layer; });
  const size_t op = width_of(layers, 8, [](const LayerSummary& l) { return l.op; });
  const size_t tiles = width_of(layers, 5, [](const LayerSummary& l) { return l.tiles; });
  std::string text = fmt::format("{:<{}}  {:<{}}  {:<5}  {:<{}}  {:>11}  {:>12}  {:>11}  {:>9}\n",
                                 "layer", name, "operator", op, "where", "tiles", tiles, "macs",
                                 "gemm_counter", "dram_bytes", "macs/byte");
  for (const LayerSummary& layer : layers) {
    const std::string intensity =
        layer.where == Place::kCore ? fmt::format("{:.1f}", layer.macs_per_byte) : "-";
    text += fmt::format("{:<{}}  {:<{}}  {:<5}  {:<{}}  {:>11}  {:>12}  {:>11}  {:>9}\n",
                        layer.layer, name, layer.op, op, to_string(layer.where),
                        layer.tiles.empty() ? "-" : layer.tiles, tiles, layer.macs,
                        layer.gemm_counter, layer.dram_bytes, intensity);
  }
  const Sums sums = sums_of(layers);
  const MacSums macs = macs_of(result.program);
  text += fmt::format("{:<{}}  {:<{}}  {:<5}  {:<{}}  {:>11}  {:>12}  {:>11}\n", "sum", name, "",
                      op, "", "", tiles, macs.all, sums.gemm_counter, sums.dram_bytes);
  text += fmt::format("{} of {} macs on the core: {:.2f} %\n", macs.on_core, macs.all,
                      percent_on_core(macs));
  text += schedules_text(result.schedules, result.program.core.name);
  text += host_work_text(result.program);
  if (!result.calibration.empty()) {
    text +=
        fmt::format("scales: {}, calibrated on {}{}\n", result.program.quantize, result.calibration,
                    result.calibration == kNoise ? " (images: --calibrate)" : "");
  }
  return text;
}

std::string summary_json(const CompileResult& result) {
  using Json = nlohmann::ordered_json;
  const Program& program = result.program;
  Json json = {{"network", program.network},
               {"core", program.core.name},
               {"mode", program.mode},
               {"quantize", program.quantize},
               {"weights", program.weights},
               {"calibration", result.calibration},
               {"arena_bytes", program.arena_bytes}};
  const MacSums macs = macs_of(program);
  json["macs"] = macs.all;
  json["macs_on_core"] = macs.on_core;
  json["host"] = to_json(host_work(program));
  const ScheduleUse& schedules = result.schedules;
  json["schedules"] = {{"tilings", schedules.tilings},
                       {"layers", schedules.layers},
                       {"layers_tuned", schedules.layers_tuned}};
  json["layers"] = Json::array();
  for (const LayerSummary& layer : result.layers) {
    json["layers"].push_back({{"name", layer.layer},
                              {"op", layer.op},
                              {"where", to_string(layer.where)},
                              {"tiles", layer.tiles},
                              {"macs", layer.macs},
                              {"gemm_counter", layer.gemm_counter},
                              {"dram_bytes", layer.dram_bytes},
                              {"macs_per_byte", layer.macs_per_byte}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);  // paths may contain any bytes
}

}  // namespace vta
