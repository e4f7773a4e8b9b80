// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/core_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/errors/error.h"
#include "base/numbers/parse_number.h"
#include "configs/core_fields.h"

namespace vta::sim {
namespace {

constexpr const char* kBlock = "block";

std::optional<uint64_t> parse_size(std::string text) {
  uint64_t unit = 1;
  if (!text.empty() && (text.back() == 'K' || text.back() == 'M')) {
    unit = text.back() == 'K' ? 1024 : 1024 * 1024;
    text.pop_back();
  }
  const auto number = parse_number<uint32_t>(text);
  return number ? std::optional(*number * unit) : std::nullopt;
}

// The value of a size in the fewest characters.
std::string size_text(uint32_t bytes) {
  constexpr uint32_t kKilo = 1024, kMega = 1024 * 1024;
  if (bytes % kMega == 0) return fmt::format("{}M", bytes / kMega);
  if (bytes % kKilo == 0) return fmt::format("{}K", bytes / kKilo);
  return fmt::format("{}", bytes);
}

template <typename T>
void keep_distinct(std::vector<T>& values) {
  std::vector<T> distinct;
  for (const T& value : values) {
    if (std::ranges::find(distinct, value) == distinct.end()) distinct.push_back(value);
  }
  values = std::move(distinct);
}

// The values of each field, in the order of kCoreFields; an empty list: as block_in.
using FieldValues = std::vector<std::vector<uint32_t>>;

FieldValues field_values(const CoreConfig& base,
                         const std::map<std::string, std::vector<uint32_t>>& values) {
  FieldValues all;
  for (const CoreField& field : kCoreFields) {
    const bool is_block =
        field.member == &CoreSizes::block_in || field.member == &CoreSizes::block_out;
    const auto given = values.find(is_block && values.contains(kBlock) ? kBlock : field.key);
    all.push_back(given == values.end() ? std::vector{base.*field.member} : given->second);
    keep_distinct(all.back());
    if (values.contains(kBlock) && field.member == &CoreSizes::block_out) all.back().clear();
  }
  return all;
}

// Appends a core for each combination of the fields from `field` on.
void combine(size_t field, const FieldValues& values, CoreConfig& core,
             const std::vector<double>& clocks_mhz, CoreSpace& space) {
  if (field < values.size()) {
    const std::vector<uint32_t> same = {core.block_in};
    for (const uint32_t value : values[field].empty() ? same : values[field]) {
      core.*kCoreFields[field].member = value;
      combine(field + 1, values, core, clocks_mhz, space);
    }
    return;
  }
  core.name = core_name(core);
  try {
    check(core);
  } catch (const Error& error) {
    if (space.num_illegal++ == 0) space.first_illegal = core.name + ": " + error.what();
    return;
  }
  for (const double clock_mhz : clocks_mhz) space.cores.push_back({core, clock_mhz});
}

void check_keys(const std::map<std::string, std::vector<uint32_t>>& values) {
  if (values.contains(kBlock) && (values.contains("block_in") || values.contains("block_out")))
    fail(ErrorCode::kInvalidArgument, "block excludes block_in and block_out");
  for (const auto& [key, numbers] : values) {
    const auto* field = std::ranges::find_if(kCoreFields, [&](const CoreField& one) {
      return one.key == key || (key == kBlock && one.member == &CoreSizes::block_in);
    });
    if (field == std::end(kCoreFields)) {
      fail(ErrorCode::kInvalidArgument, "'{}' is not a field of a core", key);
    }
    for (const uint32_t number : numbers) {
      if (number >= 1 && number <= field->max) continue;
      fail(ErrorCode::kInvalidArgument, "{} {}: expected 1 to {}", key, number, field->max);
    }
  }
}

}  // namespace

std::vector<std::string> parse_list(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<uint32_t> parse_sizes(const std::string& text) {
  std::vector<uint32_t> sizes;
  for (const std::string& part : parse_list(text)) {
    const std::optional<uint64_t> size = parse_size(part);
    if (!size || *size > UINT32_MAX) {
      fail(ErrorCode::kInvalidArgument, "'{}': expected numbers such as 16,32K, got '{}'", text,
           part);
    }
    sizes.push_back(static_cast<uint32_t>(*size));
  }
  return sizes;
}

std::vector<double> parse_clocks(const std::string& text) {
  std::vector<double> clocks;
  for (const std::string& part : parse_list(text)) {
    const auto mhz = parse_number<double>(part);
    if (!mhz || *mhz < kMinClockMhz || *mhz > kMaxClockMhz) {
      fail(ErrorCode::kInvalidArgument, "'{}': expected clocks from {} to {} MHz, got '{}'", text,
           kMinClockMhz, kMaxClockMhz, part);
    }
    clocks.push_back(*mhz);
  }
  return clocks;
}

std::string core_name(const CoreConfig& core) {
  return fmt::format(
      "{}x{}x{}_u{}_i{}_w{}_a{}_c{}_t{}{}{}{}", core.batch, core.block_in, core.block_out,
      size_text(core.uop_buffer_bytes), size_text(core.inp_buffer_bytes),
      size_text(core.wgt_buffer_bytes), size_text(core.acc_buffer_bytes), core.command_queue_depth,
      core.token_queue_depth, core.alu_folding > 1 ? fmt::format("_f{}", core.alu_folding) : "",
      core.pixels > 1 ? fmt::format("_p{}", core.pixels) : "", core.extension ? "" : "_plain");
}

CoreSpace make_core_space(const CoreConfig& base,
                          const std::map<std::string, std::vector<uint32_t>>& values,
                          const std::vector<double>& clocks_mhz) {
  check_keys(values);
  const FieldValues by_field = field_values(base, values);
  std::vector<double> clocks = clocks_mhz;
  keep_distinct(clocks);
  uint64_t combinations = clocks.size();
  for (const std::vector<uint32_t>& numbers : by_field) {
    combinations *= std::max<size_t>(1, numbers.size());
    if (combinations > kMaxExploredCores) {
      fail(ErrorCode::kInvalidArgument, "these are more than {} cores", kMaxExploredCores);
    }
  }
  CoreSpace space;
  CoreConfig core = base;
  combine(0, by_field, core, clocks, space);
  if (space.cores.empty()) {
    fail(ErrorCode::kInvalidArgument, "no core is legal; the first is {}", space.first_illegal);
  }
  return space;
}

}  // namespace vta::sim
