// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/files/strict_json.h"

namespace vta::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kNoiseTolerance = 0.1;  // dB

std::optional<double> number(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::optional<double> dram_bytes(const Json& object) {
  double sum = 0;
  for (const char* key : {"inp_load_nbytes", "wgt_load_nbytes", "acc_load_nbytes",
                          "uop_load_nbytes", "out_store_nbytes"}) {
    const std::optional<double> bytes = number(object, key);
    if (!bytes) return std::nullopt;
    sum += *bytes;
  }
  return sum;
}

struct Metric {
  const char* name;
  std::optional<double> (*of)(const Json& object);
  bool less_is_better;
};
constexpr Metric kMetrics[] = {
    {"cycles", [](const Json& json) { return number(json, "cycles"); }, true},
    {"dram_bytes", dram_bytes, true},
    {"gemm_counter", [](const Json& json) { return number(json, "gemm_counter"); }, true},
    {"alu_counter", [](const Json& json) { return number(json, "alu_counter"); }, true},
    {"snr_db", [](const Json& json) { return number(json, "snr_db"); }, false},
};

// Checks what compare_reports() uses.
Json parse_report(const std::string& text, const std::string& origin) {
  return with_context(origin, [&] {
    Json json = parse_strict_json(text);
    const auto require = [&](bool is_there, const char* what) {
      if (!is_there) {
        fail(ErrorCode::kCorrupt,
             "expected a report of 'vta-sim report --json' or 'vta-sim run --json': {}", what);
      }
    };
    require(json.is_object(), "not an object");
    require(json.contains("counters") && json["counters"].is_object(), "no object 'counters'");
    require(json.contains("layers") && json["layers"].is_array(), "no array 'layers'");
    for (const Json& layer : json["layers"]) {
      require(layer.is_object() && layer.contains("name") && layer["name"].is_string(),
              "a layer without 'name'");
    }
    // The sums of a report, in one object.
    if (json.contains("snr_db")) json["counters"]["snr_db"] = json["snr_db"];
    return json;
  });
}

std::string setting(const Json& report, const char* key) {
  const auto found = report.find(key);
  if (found == report.end()) return "";
  if (found->is_object()) return found->value("name", "");
  return found->is_string() ? found->get<std::string>() : found->dump();
}

class Comparer {
 public:
  Comparer(const Json& before, const Json& after, double tolerance_percent)
      : before_(before), after_(after), tolerance_percent_(tolerance_percent) {}

  Comparison compare() {
    for (const char* key :
         {"network", "core", "mode", "quantize", "weights", "memory", "clock_mhz", "batch"}) {
      const std::string a = setting(before_, key), b = setting(after_, key);
      if (!a.empty() && !b.empty() && a != b)
        result_.settings.push_back(fmt::format("{}: {}, {}", key, a, b));
    }
    compare_metrics("", before_.at("counters"), after_.at("counters"));
    compare_layers();
    return std::move(result_);
  }

 private:
  void compare_layers() {
    std::multimap<std::string, const Json*> earlier;
    for (const Json& layer : before_.at("layers"))
      earlier.emplace(layer.at("name").get<std::string>(), &layer);
    for (const Json& layer : after_.at("layers")) {
      const auto name = layer.at("name").get<std::string>();
      const auto found = earlier.lower_bound(name);  // the first of this name
      if (found == earlier.end() || found->first != name) {
        result_.only_after.push_back(name);
        continue;
      }
      const size_t changes = result_.changes.size();
      compare_metrics(name, *found->second, layer);
      if (result_.changes.size() == changes) ++result_.num_equal_layers;
      earlier.erase(found);
    }
    for (const auto& [name, layer] : earlier) result_.only_before.push_back(name);
  }

  void compare_metrics(const std::string& layer, const Json& before, const Json& after) {
    for (const Metric& metric : kMetrics) {
      const std::optional<double> a = metric.of(before), b = metric.of(after);
      if (!a || !b || *a == *b) continue;
      Change change{layer, metric.name, *a, *b, false};
      change.is_regression = metric.less_is_better
                                 ? *b - *a > std::abs(*a) * tolerance_percent_ / 100
                                 : *a - *b > kNoiseTolerance;
      result_.changes.push_back(std::move(change));
    }
  }

  const Json &before_, &after_;
  const double tolerance_percent_;
  Comparison result_;
};

std::string value_text(const Change& change, double value) {
  return change.metric == "snr_db" ? fmt::format("{:.2f}", value) : fmt::format("{:.0f}", value);
}

}  // namespace

bool Comparison::has_regression() const {
  return std::ranges::any_of(changes, &Change::is_regression);
}

Comparison compare_reports(const std::string& before_json, const std::string& before_origin,
                           const std::string& after_json, const std::string& after_origin,
                           double tolerance_percent) {
  const Json before = parse_report(before_json, before_origin);
  const Json after = parse_report(after_json, after_origin);
  Comparison comparison = Comparer(before, after, tolerance_percent).compare();
  comparison.before = before_origin;
  comparison.after = after_origin;
  return comparison;
}

std::string to_text(const Comparison& comparison) {
  std::string text;
  for (const std::string& setting : comparison.settings)
    text += fmt::format("different {}\n", setting);
  size_t width = 10;
  for (const Change& change : comparison.changes) width = std::max(width, change.layer.size());
  if (!comparison.changes.empty()) {
    text += fmt::format("  {:<{}}  {:<12}  {:>14}  {:>14}  {:>14}  {:>8}\n", "layer", width,
                        "metric", "before", "after", "change", "percent");
  }
  for (const Change& change : comparison.changes) {
    const std::string difference = value_text(change, change.after - change.before);
    text += fmt::format(
        "{} {:<{}}  {:<12}  {:>14}  {:>14}  {:>14}  {:>+8.2f}\n", change.is_regression ? '!' : ' ',
        change.layer.empty() ? "all layers" : change.layer, width, change.metric,
        value_text(change, change.before), value_text(change, change.after),
        difference.starts_with('-') ? difference : "+" + difference, change.percent());
  }
  for (const std::string& layer : comparison.only_before) text += "only before: " + layer + "\n";
  for (const std::string& layer : comparison.only_after) text += "only after: " + layer + "\n";
  const auto regressions = std::ranges::count_if(comparison.changes, &Change::is_regression);
  return text + fmt::format("{} (!), {}, {} without a change\n", counted(regressions, "regression"),
                            counted(static_cast<int64_t>(comparison.changes.size()) - regressions,
                                    "other change"),
                            counted(comparison.num_equal_layers, "layer"));
}

std::string to_json(const Comparison& comparison) {
  Json json = {{"before", comparison.before},
               {"after", comparison.after},
               {"regression", comparison.has_regression()},
               {"settings", comparison.settings},
               {"changes", Json::array()},
               {"only_before", comparison.only_before},
               {"only_after", comparison.only_after},
               {"equal_layers", comparison.num_equal_layers}};
  for (const Change& change : comparison.changes) {
    json["changes"].push_back({{"layer", change.layer},
                               {"metric", change.metric},
                               {"before", change.before},
                               {"after", change.after},
                               {"percent", change.percent()},
                               {"regression", change.is_regression}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vta::sim
