// SPDX-License-Identifier: Apache-2.0
//
// CoreSpace: the cores that are explored, all combinations of values of their fields.
#ifndef VTA_SIM_ANALYSIS_EXPLORE_CORE_SPACE_H_
#define VTA_SIM_ANALYSIS_EXPLORE_CORE_SPACE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "configs/memory_clock.h"

namespace vta::sim {

inline constexpr uint64_t kMaxExploredCores = 10'000;

// A core at a clock.
struct CoreChoice {
  CoreConfig core;
  double clock_mhz = kDefaultClockMhz;
};

// The parts of "a,b" between commas.
std::vector<std::string> parse_list(const std::string& text);

// "16,32K" as numbers: decimal, or with K for 1024 or M for 1024 * 1024. Errors: kInvalidArgument.
std::vector<uint32_t> parse_sizes(const std::string& text);

// "100,133.3" as MHz. Errors: kInvalidArgument; a clock is from kMinClockMhz to kMaxClockMhz.
std::vector<double> parse_clocks(const std::string& text);

struct CoreSpace {
  std::vector<CoreChoice> cores;  // distinct and legal, in the order of the values
  uint64_t num_illegal = 0;       // combinations that check() refuses
  std::string first_illegal;      // why
};

// All combinations of `values`, by the keys of core_fields.def; other fields are those of `base`.
// The key "block" stands for block_in and block_out with the same value, and excludes these. The
// cores are named after their fields (core_name()). Errors: kInvalidArgument for an unknown key,
// for more than kMaxExploredCores combinations, or if no combination is legal.
CoreSpace make_core_space(const CoreConfig& base,
                          const std::map<std::string, std::vector<uint32_t>>& values,
                          const std::vector<double>& clocks_mhz);

// "1x16x16_u32K_i32K_w256K_a128K_c512_t1023": batch, block_in, block_out, buffers, queue depths;
// "_plain" for a core without the extension.
std::string core_name(const CoreConfig& core);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_CORE_SPACE_H_
