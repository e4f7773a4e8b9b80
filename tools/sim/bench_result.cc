// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/bench_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors/counted.h"
#include "base/numbers/statistics.h"

namespace vta::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kPercents[] = {50, 90, 99};

std::string results_text(const std::vector<double>& seconds) {
  std::string text;
  for (const double one : seconds) text += fmt::format("{}{:.9g}", text.empty() ? "" : ", ", one);
  return seconds.size() == 1 ? text + "," : text;  // a tuple of one element in Python
}

Json json_of(const BenchResult& result) {
  Json json = {{"description", result.description},
               {"batch", result.batch},
               {"number", result.number},
               {"warm_up", result.warm_up},
               {"seconds", result.seconds},
               {"mean_seconds", mean(result.seconds)},
               {"stddev_seconds", standard_deviation(result.seconds)},
               {"min_seconds", std::ranges::min(result.seconds)},
               {"max_seconds", std::ranges::max(result.seconds)}};
  for (const double percent : kPercents)
    json["percentiles"][fmt::format("{:g}", percent)] = percentile(result.seconds, percent);
  if (!result.remote_seconds.empty()) json["remote_seconds"] = result.remote_seconds;
  return json;
}

}  // namespace

std::string to_text(const BenchResult& result) {
  const double average = mean(result.seconds);
  std::string text =
      fmt::format("{}, batch {}: {} of {}, after {} to warm up\n", result.description, result.batch,
                  counted(result.seconds.size(), "sample"), counted(result.number, "inference"),
                  result.warm_up);
  text +=
      fmt::format("mean {:.3f} ms, standard deviation {:.3f} ms, minimum {:.3f} ms", 1e3 * average,
                  1e3 * standard_deviation(result.seconds), 1e3 * std::ranges::min(result.seconds));
  for (const double percent : kPercents)
    text += fmt::format(", p{:g} {:.3f} ms", percent, 1e3 * percentile(result.seconds, percent));
  text += fmt::format(", maximum {:.3f} ms; {:.1f} images per second\n",
                      1e3 * std::ranges::max(result.seconds),
                      static_cast<double>(result.batch) / average);
  if (!result.remote_seconds.empty())
    text += fmt::format("of it on the device: mean {:.3f} ms, by the clock of its machine\n",
                        1e3 * mean(result.remote_seconds));
  return text + fmt::format("ProfileResult(mean={:.9g}, results=({}))\n", average,
                            results_text(result.seconds));
}

std::string to_json(const BenchResult& result, const BenchResult* beside) {
  Json json = json_of(result);
  if (beside != nullptr) json["beside"] = json_of(*beside);
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vta::sim
