// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/numbers/statistics.h"
#include "configs/core_timing.h"
#include "tools/sim/csv_field.h"

namespace vta::sim {
namespace {

using Json = nlohmann::ordered_json;

double row_mean(const ProfileRow& row) { return row.seconds.empty() ? 0 : mean(row.seconds); }
double row_deviation(const ProfileRow& row) {
  return row.seconds.empty() ? 0 : standard_deviation(row.seconds);
}

std::string shapes_text(const ProfileRow& row) {
  std::string text;
  for (const std::string& shape : row.shapes) text += (text.empty() ? "" : ", ") + shape;
  return text;
}

double giga_ops(const ProfileRow& row) {
  const double seconds = row_mean(row);
  return seconds == 0 ? 0 : 2 * static_cast<double>(row.macs) / seconds / 1e9;
}

// Cycles of gemm in a state; "" without cycles.
std::string gemm_cycles(const ProfileRow& row, hw::StageState state) {
  if (!row.counters.stages) return "";
  return fmt::format("{}", row.counters.stages->of[hw::kStage_gemm][state]);
}

std::string percent_of_cycles(const ProfileRow& row, uint64_t part) {
  const uint64_t cycles = row.counters.cycles.value_or(0);
  if (cycles == 0) return "";
  return fmt::format("{:.1f}", 100 * static_cast<double>(part) / static_cast<double>(cycles));
}

// The load port's beats of a row: its operands share one port.
uint64_t load_beats(const hw::Counters& counters) {
  return (counters.inp_load_nbytes + counters.wgt_load_nbytes) / kBeatBytes;
}

struct Column {
  std::string heading;
  std::function<std::string(const ProfileRow& row)> text;
  bool is_left = false;
};

std::vector<Column> core_columns() {
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
    columns.push_back(
        {heading, [cause = state](const ProfileRow& row) { return gemm_cycles(row, cause); }});
  }
  columns.push_back({"array_percent", [](const ProfileRow& row) {
                       return percent_of_cycles(row, row.counters.gemm_counter);
                     }});
  columns.push_back({"port_percent", [](const ProfileRow& row) {
                       return percent_of_cycles(row, load_beats(row.counters));
                     }});
  return columns;
}

std::vector<Column> columns_of(const Profile& profile) {
  const auto sums = profile.sums();
  const double sum = sums.empty() ? 0 : mean(sums);
  std::vector<Column> columns = {
      {"name", [](const ProfileRow& row) { return row.name; }, true},
      {"op", [](const ProfileRow& row) { return row.op; }, true},
      {"where", [](const ProfileRow& row) { return to_string(row.where); }, true},
      {"count", [](const ProfileRow& row) { return fmt::format("{}", row.count); }},
      {"mean_us", [](const ProfileRow& row) { return fmt::format("{:.2f}", 1e6 * row_mean(row)); }},
      {"stddev_us",
       [](const ProfileRow& row) { return fmt::format("{:.2f}", 1e6 * row_deviation(row)); }},
      {"percent",
       [sum](const ProfileRow& row) {
         return fmt::format("{:.2f}", sum == 0 ? 0 : 100 * row_mean(row) / sum);
       }},
      {"macs", [](const ProfileRow& row) { return fmt::format("{}", row.macs); }},
      {"bytes", [](const ProfileRow& row) { return fmt::format("{}", row.bytes); }},
      {"gops", [](const ProfileRow& row) { return fmt::format("{:.2f}", giga_ops(row)); }},
  };
  const auto on_core = [](const ProfileRow& row) { return row.counters.cycles.has_value(); };
  if (std::ranges::any_of(profile.rows, on_core)) {
    for (Column& column : core_columns()) columns.push_back(std::move(column));
  }
  for (size_t i = 0; i < profile.cpu_counters.size(); ++i) {
    columns.push_back({profile.cpu_counters[i], [i](const ProfileRow& row) {
                         if (row.cpu_counts.empty() || row.seconds.empty()) return std::string();
                         const auto samples = static_cast<double>(row.seconds.size());
                         return fmt::format("{:.0f}", row.cpu_counts[i] / samples);
                       }});
  }
  columns.push_back({"layout", [](const ProfileRow& row) { return row.layout; }, true});
  columns.push_back({"shapes", shapes_text, true});
  return columns;
}

std::string total_line(const char* name, size_t width, const std::vector<double>& seconds) {
  return fmt::format("{:<{}}  {:>12.2f} us, standard deviation {:.2f} us\n", name, width,
                     1e6 * mean(seconds), 1e6 * standard_deviation(seconds));
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

Json row_json(const Profile& profile, const ProfileRow& row) {
  Json json = {{"name", row.name},
               {"op", row.op},
               {"where", to_string(row.where)},
               {"count", row.count},
               {"shapes", row.shapes},
               {"layout", row.layout},
               {"macs", row.macs},
               {"bytes", row.bytes},
               {"seconds", row.seconds},
               {"mean_seconds", row_mean(row)},
               {"stddev_seconds", row_deviation(row)},
               {"gops", giga_ops(row)}};
  if (row.where == Place::kCore) json["counters"] = counters_json(row.counters);
  for (size_t i = 0; i < profile.cpu_counters.size() && !row.cpu_counts.empty(); ++i)
    json["cpu"][profile.cpu_counters[i]] =
        row.cpu_counts[i] / static_cast<double>(row.seconds.size());
  return json;
}

}  // namespace

double median_ratio(const std::vector<double>& numerators,
                    const std::vector<double>& denominators) {
  std::vector<double> ratios;
  for (size_t i = 0; i < numerators.size(); ++i)
    ratios.push_back(numerators[i] / denominators.at(i));
  return median(std::move(ratios));
}

std::vector<double> Profile::sums() const {
  std::vector<double> sums(profiled_seconds.size());
  for (const ProfileRow& row : rows)
    for (size_t sample = 0; sample < row.seconds.size(); ++sample)
      sums.at(sample) += row.seconds[sample];
  return sums;
}

double Profile::sum_percent_of_plain() const { return 100 * median_ratio(sums(), plain_seconds); }

double Profile::profiled_percent_of_plain() const {
  return 100 * median_ratio(profiled_seconds, plain_seconds);
}

std::string to_text(const Profile& profile) {
  const std::vector<Column> columns = columns_of(profile);
  std::vector<size_t> widths;
  for (const Column& column : columns) {
    size_t width = column.heading.size();
    for (const ProfileRow& row : profile.rows) width = std::max(width, column.text(row).size());
    widths.push_back(width);
  }
  widths[0] = std::max(widths[0], std::string_view("Total").size());
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
  for (const ProfileRow& row : profile.rows)
    line([&](const Column& column) { return column.text(row); });
  text += total_line("Sum", widths[0], profile.sums());
  text += total_line("Total", widths[0], profile.profiled_seconds);
  text += fmt::format(
      "Sum is {:.2f} % of Total, and {:.2f} % of an inference that is not profiled, {:.2f} us "
      "(medians over {} pairs)\n",
      100 * median_ratio(profile.sums(), profile.profiled_seconds), profile.sum_percent_of_plain(),
      1e6 * median(profile.plain_seconds), profile.plain_seconds.size());
  if (!profile.no_cpu_counters.empty()) text += profile.no_cpu_counters + "\n";
  return text;
}

std::string to_json(const Profile& profile) {
  Json json = {{"description", profile.description}, {"rows", Json::array()}};
  for (const ProfileRow& row : profile.rows) json["rows"].push_back(row_json(profile, row));
  json["sum_seconds"] = profile.sums();
  json["total_seconds"] = profile.profiled_seconds;
  json["plain_seconds"] = profile.plain_seconds;
  json["sum_percent_of_plain"] = profile.sum_percent_of_plain();
  json["total_percent_of_plain"] = profile.profiled_percent_of_plain();
  if (!profile.no_cpu_counters.empty()) json["no_cpu_counters"] = profile.no_cpu_counters;
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string to_csv(const Profile& profile) {
  const std::vector<Column> columns = columns_of(profile);
  std::string text;
  for (size_t i = 0; i < columns.size(); ++i) text += (i > 0 ? "," : "") + columns[i].heading;
  text += "\n";
  for (const ProfileRow& row : profile.rows) {
    for (size_t i = 0; i < columns.size(); ++i)
      text += (i > 0 ? "," : "") + csv_field(columns[i].text(row));
    text += "\n";
  }
  return text;
}

}  // namespace vta::sim
