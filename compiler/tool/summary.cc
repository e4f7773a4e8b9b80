// SPDX-License-Identifier: Apache-2.0
#include "compiler/tool/summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace vta {
namespace {

struct Sums {
  uint64_t gemm_count = 0;
  uint64_t dram_bytes = 0;
};

Sums sums_of(const std::vector<LayerSummary>& layers) {
  Sums sums;
  for (const LayerSummary& layer : layers) {
    sums.gemm_count += layer.gemm_count;
    sums.dram_bytes += layer.dram_bytes;
  }
  return sums;
}

// At least the width of the heading.
template <typename Column>
size_t width_of(const std::vector<LayerSummary>& layers, size_t width, Column column) {
  for (const LayerSummary& layer : layers) width = std::max(width, column(layer).size());
  return width;
}

}  // namespace

std::string summary_text(const CompileResult& result) {
  const auto& layers = result.layers;
  const size_t name = width_of(layers, 5, [](const LayerSummary& l) { return l.layer; });
  const size_t op = width_of(layers, 8, [](const LayerSummary& l) { return l.op; });
  const size_t tiles = width_of(layers, 5, [](const LayerSummary& l) { return l.tiles; });
  std::string text =
      fmt::format("{:<{}}  {:<{}}  {:<5}  {:<{}}  {:>10}  {:>11}  {:>9}\n", "layer", name,
                  "operator", op, "where", "tiles", tiles, "gemm_count", "dram_bytes", "macs/byte");
  for (const LayerSummary& layer : layers) {
    const std::string intensity =
        layer.where == "core" ? fmt::format("{:.1f}", layer.arithmetic_intensity) : "-";
    text += fmt::format("{:<{}}  {:<{}}  {:<5}  {:<{}}  {:>10}  {:>11}  {:>9}\n", layer.layer, name,
                        layer.op, op, layer.where, layer.tiles.empty() ? "-" : layer.tiles, tiles,
                        layer.gemm_count, layer.dram_bytes, intensity);
  }
  const Sums sums = sums_of(layers);
  text += fmt::format("{:<{}}  {:<{}}  {:<5}  {:<{}}  {:>10}  {:>11}\n", "sum", name, "", op, "",
                      "", tiles, sums.gemm_count, sums.dram_bytes);
  return text;
}

std::string summary_json(const CompileResult& result) {
  using Json = nlohmann::ordered_json;
  const Program& program = result.program;
  Json json = {{"network", program.network}, {"core", program.core.name},
               {"mode", program.mode},       {"quantize", program.quantize},
               {"weights", program.weights}, {"arena_bytes", program.arena_bytes},
               {"layers", Json::array()}};
  for (const LayerSummary& layer : result.layers) {
    json["layers"].push_back({{"layer", layer.layer},
                              {"op", layer.op},
                              {"where", layer.where},
                              {"tiles", layer.tiles},
                              {"gemm_count", layer.gemm_count},
                              {"dram_bytes", layer.dram_bytes},
                              {"arithmetic_intensity", layer.arithmetic_intensity}});
  }
  return json.dump(2);
}

}  // namespace vta
