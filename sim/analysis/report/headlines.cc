// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/headlines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace vta::sim {
namespace {

// Share of an inference's cycles: a change that saves less is not worth its name.
constexpr double kMinSaved = 0.01;

double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double percent(uint64_t part, uint64_t whole) { return 100 * ratio(part, whole); }

// "7,320,257"
std::string grouped(uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (auto i = static_cast<int64_t>(text.size()) - 3; i > 0; i -= 3)
    text.insert(static_cast<size_t>(i), ",");
  return text;
}

std::string megabytes(uint64_t bytes) {
  return fmt::format("{:.2f} MB", static_cast<double>(bytes) / 1e6);
}

// The layer with instructions for which `value` is largest; nullptr if it is 0 everywhere.
const ReportedLayer* largest(const NetworkReport& report,
                             const std::function<uint64_t(const ReportedLayer&)>& value) {
  const ReportedLayer* found = nullptr;
  uint64_t most = 0;
  for (const ReportedLayer& layer : report.layers) {
    if (!layer.has_instructions || value(layer) <= most) continue;
    most = value(layer);
    found = &layer;
  }
  return found;
}

uint64_t lost_cycles(const NetworkReport& report, const ReportedLayer& layer) {
  return layer.cycles() - std::min(layer.cycles(), report.multiplying(layer.measured.counters));
}

uint64_t excess_bytes(const ReportedLayer& layer) {
  return layer.traffic.sum_bytes() - layer.traffic.sum_min_bytes();
}

std::optional<Headline> speed(const NetworkReport& report) {
  if (report.cycles() == 0) return Headline{"speed", "no layer runs on the core", ""};
  const bool is_batch = report.batch > 1;
  const auto images = static_cast<double>(report.batch);
  const double seconds = static_cast<double>(report.cycles()) / (report.clock_mhz * 1e6);
  return Headline{
      "speed",
      fmt::format(
          "{} cycles an inference{}: {:.2f} ms{} and {:.1f} images/s at {:g} MHz; {:.1f} of the "
          "network's multiply-accumulates a cycle, also counting those with padding that the core "
          "leaves out; the array does at most {:.0f}",
          grouped(report.cycles()), is_batch ? fmt::format(" of {} images", report.batch) : "",
          seconds * 1e3,
          is_batch ? fmt::format(", {:.2f} ms an image,", seconds * 1e3 / images) : "",
          images / seconds, report.clock_mhz,
          static_cast<double>(report.num_macs()) / static_cast<double>(report.cycles()),
          report.peak_macs()),
      ""};
}

std::optional<Headline> most_cycles(const NetworkReport& report) {
  const ReportedLayer* layer = largest(report, &ReportedLayer::cycles);
  if (layer == nullptr) return std::nullopt;
  return Headline{
      "most cycles",
      fmt::format("{}: {} cycles, {:.1f} % of all; limited by {}: {}", layer->measured.name,
                  grouped(layer->cycles()), percent(layer->cycles(), report.cycles()),
                  to_string(layer->limit.limit), layer->limit.why),
      layer->measured.name};
}

std::optional<Headline> most_lost(const NetworkReport& report) {
  const ReportedLayer* layer =
      largest(report, [&](const ReportedLayer& one) { return lost_cycles(report, one); });
  if (layer == nullptr) return std::nullopt;
  const uint64_t all =
      report.cycles() - std::min(report.cycles(), report.multiplying(report.counters));
  return Headline{
      "most lost cycles",
      fmt::format("{}: {} of its {} cycles do not multiply; limited by {}: {}. All layers together "
                  "lose {} cycles ({:.1f} %)",
                  layer->measured.name, grouped(lost_cycles(report, *layer)),
                  grouped(layer->cycles()), to_string(layer->limit.limit), layer->limit.why,
                  grouped(all), percent(all, report.cycles())),
      layer->measured.name};
}

std::optional<Headline> traffic(const NetworkReport& report) {
  uint64_t bytes = 0;
  for (const ReportedLayer& layer : report.layers) bytes += layer.traffic.sum_bytes();
  if (bytes == 0) return std::nullopt;
  std::string text = fmt::format(
      "{} an inference, {:.2f} times the {} that the layers need if each byte moves once",
      megabytes(bytes), ratio(bytes, report.num_min_bytes()), megabytes(report.num_min_bytes()));
  const ReportedLayer* layer = largest(report, excess_bytes);
  if (layer == nullptr) return Headline{"DRAM traffic", text, ""};
  text +=
      fmt::format("; furthest above it is {} ({} instead of {})", layer->measured.name,
                  megabytes(layer->traffic.sum_bytes()), megabytes(layer->traffic.sum_min_bytes()));
  return Headline{"DRAM traffic", text, layer->measured.name};
}

// Cycles of the present clock that a change saves in a layer, or in all of them.
double saved(const NetworkReport& report, const WhatIf& change) {
  return static_cast<double>(report.cycles()) - change.time();
}
double saved(const NetworkReport& report, const WhatIf& change, const ReportedLayer& layer) {
  return static_cast<double>(layer.cycles()) -
         change.time_of(static_cast<size_t>(&layer - report.layers.data()));
}

const WhatIf* find_change(const NetworkReport& report,
                          const std::function<bool(const WhatIf&)>& fits) {
  const auto found = std::ranges::find_if(report.what_if, fits);  // the shortest time first
  return found == report.what_if.end() ? nullptr : &*found;
}

// "with DRAM ports of their own for operands, ...: 9,905 cycles less (0.1 %); conv1 gains most"
std::string memory_text(const NetworkReport& report) {
  const auto is_memory = [](const WhatIf& one) { return one.clock == 1; };
  const WhatIf* best = find_change(
      report, [&](const WhatIf& one) { return is_memory(one) && one.change != kFreeDram; });
  const WhatIf* free =
      find_change(report, [](const WhatIf& one) { return one.change == kFreeDram; });
  const double cycles = static_cast<double>(report.cycles());
  if (best != nullptr && saved(report, *best) >= kMinSaved * cycles) {
    const ReportedLayer* layer = largest(report, [&](const ReportedLayer& one) {
      return static_cast<uint64_t>(std::max(0.0, saved(report, *best, one)));
    });
    std::string text = fmt::format("if {}, an inference takes {:.1f} % less cycles", best->change,
                                   100 * saved(report, *best) / cycles);
    if (layer == nullptr) return text;
    const auto changed = best->layer_cycles.at(static_cast<size_t>(layer - report.layers.data()));
    return text + fmt::format("; {} gains most: {} instead of {}", layer->measured.name,
                              grouped(changed), grouped(layer->cycles()));
  }
  if (free == nullptr) return "";
  return fmt::format("no memory: even free DRAM would save only {:.1f} % of the cycles",
                     100 * std::max(0.0, saved(report, *free)) / cycles);
}

// Cycles that a load port of twice the width could save in a layer that loads limit. The model's
// core has 64-bit ports, so this is a bound and not a run.
uint64_t savable_by_width(const NetworkReport& report, const ReportedLayer& layer) {
  if (layer.limit.limit != Limit::kLoads) return 0;
  return layer.cycles() -
         std::min(layer.cycles(),
                  std::max(layer.cycles() / 2, report.multiplying(layer.measured.counters)));
}

// "a load port of 128 bits could save up to ..."
std::string width_text(const NetworkReport& report) {
  const ReportedLayer* layer =
      largest(report, [&](const ReportedLayer& one) { return savable_by_width(report, one); });
  if (layer == nullptr) return "";
  uint64_t sum = 0;
  for (const ReportedLayer& one : report.layers) sum += savable_by_width(report, one);
  return fmt::format(
      "a load port of 128 instead of 64 bits could save at most {} cycles ({:.1f} %; estimate), of "
      "which {} {}",
      grouped(sum), percent(sum, report.cycles()), layer->measured.name,
      grouped(savable_by_width(report, *layer)));
}

// "at twice the clock with the same DRAM, ..."
std::string clock_text(const NetworkReport& report) {
  const WhatIf* change = find_change(report, [](const WhatIf& one) { return one.clock > 1; });
  if (change == nullptr || change->cycles == 0) return "";
  const auto gain = [&](const ReportedLayer& layer) {
    const double time = change->time_of(static_cast<size_t>(&layer - report.layers.data()));
    return time == 0 ? change->clock : static_cast<double>(layer.cycles()) / time;
  };
  const ReportedLayer* least = nullptr;
  for (const ReportedLayer& layer : report.layers) {
    if (layer.cycles() == 0 || !layer.has_instructions) continue;
    if (least == nullptr || gain(layer) < gain(*least)) least = &layer;
  }
  if (least == nullptr) return "";
  return fmt::format(
      "at {} times the clock with the same DRAM an inference is {:.2f} times as fast ({}, "
      "which gains least, {:.2f} times)",
      change->clock, static_cast<double>(report.cycles()) / change->time(), least->measured.name,
      gain(*least));
}

std::optional<Headline> help(const NetworkReport& report) {
  if (report.cycles() == 0) return std::nullopt;
  std::string text;
  for (const std::string& advice : {memory_text(report), width_text(report), clock_text(report)}) {
    if (!advice.empty()) text += (text.empty() ? "" : "; ") + advice;
  }
  if (text.empty()) return std::nullopt;
  return Headline{"what would help", text, ""};
}

std::optional<Headline> noise(const NetworkReport& report) {
  const ReportedLayer* noisiest = nullptr;
  for (const ReportedLayer& layer : report.layers) {
    if (layer.snr_db && (noisiest == nullptr || *layer.snr_db < *noisiest->snr_db))
      noisiest = &layer;
  }
  if (noisiest == nullptr || !report.snr_db) return std::nullopt;
  return Headline{
      "quantization",
      fmt::format(
          "signal-to-noise ratio of the results {:.1f} dB; the noisiest layer is {}, {:.1f} "
          "dB",
          *report.snr_db, noisiest->measured.name, *noisiest->snr_db),
      noisiest->measured.name};
}

}  // namespace

std::vector<Headline> headlines(const NetworkReport& report) {
  std::vector<Headline> result;
  for (const auto make : {speed, most_cycles, most_lost, traffic, help, noise}) {
    if (std::optional<Headline> headline = make(report)) result.push_back(std::move(*headline));
  }
  return result;
}

std::string to_text(const std::vector<Headline>& headlines) {
  std::string text;
  for (const Headline& headline : headlines)
    text += fmt::format("{:<21}{}\n", headline.topic + ":", headline.text);
  return text;
}

}  // namespace vta::sim
