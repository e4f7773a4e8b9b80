// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/numbers/statistics.h"
#include "tools/sim/csv_field.h"

namespace vta::sim {
namespace {

using Json = nlohmann::ordered_json;

std::vector<double> picked(const std::vector<double>& seconds, const std::vector<size_t>& samples) {
  std::vector<double> some;
  for (const size_t sample : samples) some.push_back(seconds.at(sample));
  return some;
}

std::string shapes_text(const ProfileRow& row) {
  std::string text;
  for (const std::string& shape : row.shapes) text += (text.empty() ? "" : ", ") + shape;
  return text;
}

double giga_ops(const ProfileRow& row, double seconds) {
  return seconds == 0 ? 0 : 2 * static_cast<double>(row.macs) / seconds / 1e9;
}

uint64_t cycles_in(const ProfileRow& row, hw::Stage stage, hw::StageState state) {
  return row.counters.stages->of[stage][state];
}

// Cycles in which the stage executes an instruction, in percent; "" without cycles. The states of a
// stage share all cycles of a row, so this is at most 100.
std::string busy_percent(const ProfileRow& row, hw::Stage stage) {
  const uint64_t cycles = row.counters.cycles.value_or(0);
  if (cycles == 0 || !row.counters.stages) return "";
  return fmt::format("{:.1f}",
                     100 * static_cast<double>(cycles_in(row, stage, hw::kStageState_busy)) /
                         static_cast<double>(cycles));
}

struct Column {
  std::string heading;
  std::function<std::string(const ProfileRow& row)> text;
  bool is_left = false;
};

using CounterValue = uint64_t hw::Counters::*;

std::vector<Column> counter_columns() {
  std::vector<Column> columns;
  const auto add = [&](const char* name, CounterValue value) {
    columns.push_back({name, [value](const ProfileRow& row) {
                         return row.where == Place::kCore ? fmt::format("{}", row.counters.*value)
                                                          : std::string();
                       }});
  };
#define VTA_COUNTER(offset, name, description) add(#name, &hw::Counters::name);
#include "hw/registers/registers.def"
  return columns;
}

std::vector<Column> cycle_columns() {
  std::vector<Column> columns = {
      {"cycles",
       [](const ProfileRow& row) {
         return row.counters.cycles ? fmt::format("{}", *row.counters.cycles) : "";
       }},
  };
  for (const auto& [heading, state] : {std::pair{"wait_token", hw::kStageState_wait_token},
                                       std::pair{"wait_memory", hw::kStageState_wait_memory},
                                       std::pair{"wait_port", hw::kStageState_wait_port},
                                       std::pair{"wait_queue", hw::kStageState_wait_queue},
                                       std::pair{"idle", hw::kStageState_idle}}) {
    columns.push_back({heading, [cause = state](const ProfileRow& row) {
                         return row.counters.stages
                                    ? fmt::format("{}", cycles_in(row, hw::kStage_gemm, cause))
                                    : "";
                       }});
  }
  columns.push_back(
      {"array_percent", [](const ProfileRow& row) { return busy_percent(row, hw::kStage_gemm); }});
  columns.push_back(
      {"port_percent", [](const ProfileRow& row) { return busy_percent(row, hw::kStage_load); }});
  return columns;
}

bool is_layer(const ProfileRow& row) { return !row.op.empty(); }  // not Sum, Total or Plain

std::string number_of(const ProfileRow& row, uint64_t number) {
  return is_layer(row) || number > 0 ? fmt::format("{}", number) : "";
}

std::vector<Column> time_columns(const Profile& profile) {
  const SteadySamples steady = profile.steady_samples();
  const double total = steady.mean(profile.profiled_seconds);
  const auto mean_of = [steady](const ProfileRow& row) { return steady.mean(row.seconds); };
  return {
      {"name", [](const ProfileRow& row) { return row.name; }, true},
      {"op", [](const ProfileRow& row) { return row.op; }, true},
      {"where", [](const ProfileRow& row) { return is_layer(row) ? to_string(row.where) : ""; },
       true},
      {"count", [](const ProfileRow& row) { return fmt::format("{}", row.count); }},
      {"mean_us", [=](const ProfileRow& row) { return fmt::format("{:.2f}", 1e6 * mean_of(row)); }},
      {"stddev_us",
       [=](const ProfileRow& row) {
         return fmt::format("{:.2f}", 1e6 * steady.deviation(row.seconds));
       }},
      {"percent",
       [=](const ProfileRow& row) {
         return fmt::format("{:.2f}", total == 0 ? 0 : 100 * mean_of(row) / total);
       }},
      {"macs", [](const ProfileRow& row) { return number_of(row, row.macs); }},
      {"bytes", [](const ProfileRow& row) { return number_of(row, row.bytes); }},
      {"gops",
       [=](const ProfileRow& row) {
         return is_layer(row) || row.macs > 0 ? fmt::format("{:.2f}", giga_ops(row, mean_of(row)))
                                              : "";
       }},
  };
}

std::vector<Column> layout_columns() {
  std::vector<Column> columns;
  const auto add = [&](const char* name, std::string ProfileLayouts::* layout) {
    columns.push_back(
        {name, [layout](const ProfileRow& row) { return row.layouts.*layout; }, true});
  };
  add("data_layout", &ProfileLayouts::data);
  add("kernel_layout", &ProfileLayouts::kernel);
  add("out_layout", &ProfileLayouts::out);
  add("src_layout", &ProfileLayouts::source);
  add("dst_layout", &ProfileLayouts::destination);
  columns.push_back({"hash", [](const ProfileRow& row) { return row.hash; }, true});
  columns.push_back({"shapes", shapes_text, true});
  return columns;
}

// `profile` must outlive them.
std::vector<Column> columns_of(const Profile& profile) {
  std::vector<Column> columns = time_columns(profile);
  const auto add = [&](std::vector<Column> more) {
    for (Column& column : more) columns.push_back(std::move(column));
  };
  const auto counts_cycles = [](const ProfileRow& row) { return row.counters.cycles.has_value(); };
  if (std::ranges::any_of(profile.rows, counts_cycles)) add(cycle_columns());
  const auto is_on_core = [](const ProfileRow& row) { return row.where == Place::kCore; };
  if (std::ranges::any_of(profile.rows, is_on_core)) add(counter_columns());
  for (size_t i = 0; i < profile.cpu_counters.size(); ++i) {
    columns.push_back({profile.cpu_counters[i], [i](const ProfileRow& row) {
                         if (row.cpu_counts.empty() || row.seconds.empty()) return std::string();
                         const auto samples = static_cast<double>(row.seconds.size());
                         return fmt::format("{:.0f}", row.cpu_counts[i] / samples);
                       }});
  }
  add(layout_columns());
  return columns;
}

void add_counts(const ProfileRow& row, ProfileRow& to) {
  to.count += row.count;
  to.macs += row.macs;
  to.bytes += row.bytes;
  to.cpu_counts.resize(std::max(to.cpu_counts.size(), row.cpu_counts.size()));
  for (size_t i = 0; i < row.cpu_counts.size(); ++i) to.cpu_counts[i] += row.cpu_counts[i];
  if (row.where == Place::kCore) to.counters += row.counters;
}

// Sum, Total and Plain as rows.
std::vector<ProfileRow> whole_rows(const Profile& profile) {
  ProfileRow sum{.name = "Sum", .count = 0, .seconds = profile.sums()};
  for (const ProfileRow& row : profile.rows) {
    if (row.where == Place::kCore) sum.where = Place::kCore;
    add_counts(row, sum);
  }
  return {std::move(sum),
          {.name = "Total", .seconds = profile.profiled_seconds},
          {.name = "Plain", .seconds = profile.plain_seconds}};
}

Json counters_json(const hw::Counters& counters) {
  Json json;
#define VTA_COUNTER(offset, name, description) json[#name] = counters.name;
#include "hw/registers/registers.def"
  json["cycles"] = counters.cycles ? Json(*counters.cycles) : Json(nullptr);
  if (!counters.stages) return json;
  for (size_t state = 0; state < hw::kNumStageStates; ++state)
    json["gemm"][hw::kStageStateNames[state]] = counters.stages->of[hw::kStage_gemm][state];
  return json;
}

Json row_json(const Profile& profile, const SteadySamples& steady, const ProfileRow& row) {
  const double mean = steady.mean(row.seconds);
  Json json = {{"name", row.name},
               {"op", row.op},
               {"where", to_string(row.where)},
               {"hash", row.hash},
               {"count", row.count},
               {"shapes", row.shapes},
               {"data_layout", row.layouts.data},
               {"kernel_layout", row.layouts.kernel},
               {"out_layout", row.layouts.out},
               {"src_layout", row.layouts.source},
               {"dst_layout", row.layouts.destination},
               {"macs", row.macs},
               {"bytes", row.bytes},
               {"seconds", row.seconds},
               {"mean_seconds", mean},
               {"stddev_seconds", steady.deviation(row.seconds)},
               {"gops", giga_ops(row, mean)}};
  if (row.where == Place::kCore) json["counters"] = counters_json(row.counters);
  for (size_t i = 0; i < profile.cpu_counters.size() && !row.cpu_counts.empty(); ++i)
    json["cpu"][profile.cpu_counters[i]] =
        row.cpu_counts[i] / static_cast<double>(row.seconds.size());
  return json;
}

}  // namespace

std::vector<double> Profile::sums() const {
  std::vector<double> sums(profiled_seconds.size());
  for (const ProfileRow& row : rows)
    for (size_t sample = 0; sample < row.seconds.size(); ++sample)
      sums.at(sample) += row.seconds[sample];
  return sums;
}

std::vector<double> Profile::ratios() const {
  std::vector<double> ratios = sums();
  for (size_t sample = 0; sample < ratios.size(); ++sample)
    ratios[sample] /= plain_seconds.at(sample);
  return ratios;
}

SteadySamples Profile::steady_samples() const {
  std::vector<size_t> samples(profiled_seconds.size());
  std::iota(samples.begin(), samples.end(), size_t{0});
  const std::vector<double> by = ratios();
  std::ranges::sort(samples, {}, [&](size_t sample) { return std::pair(by[sample], sample); });
  const auto quarter = static_cast<std::ptrdiff_t>(samples.size() / 4);
  samples.assign(samples.begin() + quarter, samples.end() - quarter);
  std::ranges::sort(samples);
  return {samples};
}

double SteadySamples::mean(const std::vector<double>& seconds) const {
  return seconds.empty() ? 0 : vta::mean(picked(seconds, indices));
}

double SteadySamples::deviation(const std::vector<double>& seconds) const {
  return seconds.empty() ? 0 : standard_deviation(picked(seconds, indices));
}

double Profile::sum_percent_of_plain() const {
  const SteadySamples steady = steady_samples();
  return 100 * steady.mean(sums()) / steady.mean(plain_seconds);
}

double Profile::profiled_percent_of_plain() const {
  const SteadySamples steady = steady_samples();
  return 100 * steady.mean(profiled_seconds) / steady.mean(plain_seconds);
}

double Profile::percent_error() const {
  const std::vector<double> steady = picked(ratios(), steady_samples().indices);
  const auto [least, most] = std::ranges::minmax(steady);
  constexpr double kOfMedian = 0.93;  // of normal samples: 1.2533 deviations, 1.349 in the range
  return 100 * kOfMedian * (most - least) / std::sqrt(static_cast<double>(plain_seconds.size()));
}

Profile by_kernel(const Profile& profile) {
  Profile merged = profile;
  merged.rows.clear();
  for (const ProfileRow& row : profile.rows) {
    const auto same = std::ranges::find(merged.rows, row.hash, &ProfileRow::hash);
    if (same == merged.rows.end()) {
      merged.rows.push_back(row);
      continue;
    }
    add_counts(row, *same);
    for (size_t sample = 0; sample < row.seconds.size(); ++sample)
      same->seconds.at(sample) += row.seconds[sample];
  }
  const SteadySamples steady = profile.steady_samples();
  std::ranges::sort(merged.rows, {}, [&](const ProfileRow& row) {
    return std::pair(-steady.mean(row.seconds), row.name);
  });
  return merged;
}

std::string to_text(const Profile& profile) {
  const std::vector<Column> columns = columns_of(profile);
  std::vector<ProfileRow> rows = profile.rows;
  for (ProfileRow& row : whole_rows(profile)) rows.push_back(std::move(row));
  std::vector<size_t> widths;
  for (const Column& column : columns) {
    size_t width = column.heading.size();
    for (const ProfileRow& row : rows) width = std::max(width, column.text(row).size());
    widths.push_back(width);
  }
  std::string text = profile.description + "\n";
  const auto line = [&](const std::function<std::string(const Column&)>& cell) {
    std::string all;
    for (size_t i = 0; i < columns.size(); ++i) {
      all += columns[i].is_left ? fmt::format("{:<{}}  ", cell(columns[i]), widths[i])
                                : fmt::format("{:>{}}  ", cell(columns[i]), widths[i]);
    }
    text += all.substr(0, all.find_last_not_of(' ') + 1) + "\n";
  };
  line([](const Column& column) { return column.heading; });
  for (const ProfileRow& row : rows) line([&](const Column& column) { return column.text(row); });
  const double total = profile.profiled_percent_of_plain();
  text += fmt::format(
      "Sum is {:.2f} % of Total, and {:.2f} % of Plain, an inference that is not profiled "
      "(standard error {:.2f}; means of {} of {} pairs, without the quarters whose ratios are the "
      "least and the greatest)\n",
      100 * profile.sum_percent_of_plain() / total, profile.sum_percent_of_plain(),
      profile.percent_error(), profile.steady_samples().indices.size(),
      profile.plain_seconds.size());
  if (!profile.no_cpu_counters.empty()) text += profile.no_cpu_counters + "\n";
  text += "\nConfiguration\n";
  for (const auto& [name, value] : profile.configuration)
    text += fmt::format("{:<16}: {}\n", name, value);
  return text;
}

std::string to_json(const Profile& profile) {
  Json json = {{"description", profile.description},
               {"configuration", Json::object()},
               {"rows", Json::array()}};
  for (const auto& [name, value] : profile.configuration) json["configuration"][name] = value;
  const SteadySamples steady = profile.steady_samples();
  for (const ProfileRow& row : profile.rows) json["rows"].push_back(row_json(profile, steady, row));
  json["sum_seconds"] = profile.sums();
  json["total_seconds"] = profile.profiled_seconds;
  json["plain_seconds"] = profile.plain_seconds;
  json["steady_samples"] = steady.indices;
  json["sum_percent_of_plain"] = profile.sum_percent_of_plain();
  json["total_percent_of_plain"] = profile.profiled_percent_of_plain();
  json["percent_error"] = profile.percent_error();
  if (!profile.no_cpu_counters.empty()) json["no_cpu_counters"] = profile.no_cpu_counters;
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_csv(const Profile& profile) {
  const std::vector<Column> columns = columns_of(profile);
  std::vector<ProfileRow> rows = profile.rows;
  for (ProfileRow& row : whole_rows(profile)) rows.push_back(std::move(row));
  std::string text;
  for (size_t i = 0; i < columns.size(); ++i) text += (i > 0 ? "," : "") + columns[i].heading;
  text += "\n";
  for (const ProfileRow& row : rows) {
    for (size_t i = 0; i < columns.size(); ++i)
      text += (i > 0 ? "," : "") + csv_field(columns[i].text(row));
    text += "\n";
  }
  return text;
}

}  // namespace vta::sim
