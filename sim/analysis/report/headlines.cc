// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/headlines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace vta::sim {
namespace {

// Share of an inference's cycles: a change that saves less is not worth its name.
constexpr double kMinSaved = 0.02;
constexpr size_t kMaxNamedChanges = 3;

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

// "GEMM uses the array in 38.2 % of the cycles, with 35.2 % of its multipliers"
std::string array_text(const NetworkReport& report) {
  const uint64_t used = report.multiplying(report.counters);
  std::string text =
      fmt::format("GEMM uses the array in {:.1f} % of them", percent(used, report.cycles()));
  const double useful =
      static_cast<double>(report.num_macs()) / (report.peak_macs() * static_cast<double>(used));
  if (useful < 1) text += fmt::format(", with {:.1f} % of its multipliers", 100 * useful);
  return text;
}

std::optional<Headline> speed(const NetworkReport& report) {
  if (report.cycles() == 0) return Headline{"speed", "no layer runs on the core", ""};
  const bool is_batch = report.batch > 1;
  const auto images = static_cast<double>(report.batch);
  const double seconds = static_cast<double>(report.cycles()) / (report.clock_mhz * 1e6);
  return Headline{
      "speed",
      fmt::format("{} cycles an inference{}: {:.2f} ms{} and {:.1f} images/s at {:g} MHz; {}",
                  grouped(report.cycles()),
                  is_batch ? fmt::format(" of {} images", report.batch) : "", seconds * 1e3,
                  is_batch ? fmt::format(", {:.2f} ms an image,", seconds * 1e3 / images) : "",
                  images / seconds, report.clock_mhz, array_text(report)),
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

// "at most 23.3 % fewer cycles if the ALU has twice the lanes (estimate, features.0.2 from 141,367
// to 71,046)"
std::string saving_text(const NetworkReport& report, const WhatIf& change) {
  std::string text = fmt::format("{}{:.1f} % fewer cycles if {}", change.is_bound ? "at most " : "",
                                 100 * saved(report, change) / static_cast<double>(report.cycles()),
                                 change.change);
  const ReportedLayer* layer = largest(report, [&](const ReportedLayer& one) {
    return static_cast<uint64_t>(std::max(0.0, saved(report, change, one)));
  });
  if (layer == nullptr) return text;
  const size_t step = static_cast<size_t>(layer - report.layers.data());
  return text + fmt::format(" ({}{} from {} to {})", change.is_bound ? "estimate, " : "",
                            layer->measured.name, grouped(layer->cycles()),
                            grouped(change.layer_cycles.at(step)));
}

// That no change of the memory or the core saves enough.
std::string no_change_text(const NetworkReport& report) {
  const double used = percent(report.multiplying(report.counters), report.cycles());
  std::string text = used < 100 * kMinOccupied
                         ? "no single change"
                         : fmt::format(
                               "a larger array or a higher clock: GEMM uses the array in "
                               "{:.1f} % of the cycles",
                               used);
  const WhatIf* free =
      find_change(report, [](const WhatIf& one) { return one.change == kFreeDram; });
  if (free == nullptr) return text;
  return text + fmt::format("; even free DRAM would save only {:.1f} % of them",
                            100 * std::max(0.0, saved(report, *free)) /
                                static_cast<double>(report.cycles()));
}

// The changes of the memory or the core that save most.
std::string changes_text(const NetworkReport& report) {
  std::string text;
  size_t num_named = 0;
  for (const WhatIf& change : report.what_if) {
    if (change.clock > 1 || change.change == kFreeDram) continue;
    if (saved(report, change) < kMinSaved * static_cast<double>(report.cycles()) ||
        ++num_named > kMaxNamedChanges)
      break;
    text += (text.empty() ? "" : "; ") + saving_text(report, change);
  }
  return text.empty() ? no_change_text(report) : text;
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
  const std::string clock = clock_text(report);
  return Headline{"what would help", changes_text(report) + (clock.empty() ? "" : "; ") + clock,
                  ""};
}

std::optional<Headline> noise(const NetworkReport& report) {
  const ReportedLayer* noisiest = nullptr;
  for (const ReportedLayer& layer : report.layers) {
    if (layer.noise && (noisiest == nullptr || layer.noise->snr_db < noisiest->noise->snr_db))
      noisiest = &layer;
  }
  if (noisiest == nullptr || !report.snr_db) return std::nullopt;
  return Headline{
      "quantization",
      fmt::format(
          "signal-to-noise ratio of the results {:.1f} dB; the noisiest layer is {}, {:.1f} "
          "dB",
          *report.snr_db, noisiest->measured.name, noisiest->noise->snr_db),
      noisiest->measured.name};
}

}  // namespace

std::vector<Headline> headlines(const NetworkReport& report) {
  std::vector<Headline> result;
  for (const auto make : {speed, most_cycles, help, most_lost, traffic, noise}) {
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
