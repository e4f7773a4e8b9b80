// SPDX-License-Identifier: Apache-2.0
//
// Profile: the time of an inference, operator by operator, and how well it agrees with the time of
// an inference that is not profiled.
#ifndef VTA_TOOLS_SIM_PROFILE_H_
#define VTA_TOOLS_SIM_PROFILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/registers/counters.h"
#include "runtime/tensor/place.h"

namespace vta::sim {

struct ProfileRow {
  std::string name, op;
  Place where = Place::kHost;
  std::vector<std::string> shapes;  // types of the operands, then of the result
  std::string layout;               // of the result: "packed", "nchw", "nChw16c"
  uint64_t count = 0;               // operators that run in it: several if they are fused
  uint64_t macs = 0;                // of the whole batch
  uint64_t bytes = 0;               // of DRAM on the core; of operands and result on the host
  std::vector<double> seconds;      // by sample
  hw::Counters counters;            // on the core; of the last sample
  std::vector<double> cpu_counts;   // on the host: sums over samples, by CpuCounters::names()
};

struct Profile {
  std::string description;
  std::vector<ProfileRow> rows;
  std::vector<double> profiled_seconds, plain_seconds;  // whole inferences, by sample
  std::vector<std::string> cpu_counters;                // names
  std::string no_cpu_counters;                          // why there are none; "" if there are

  std::vector<double> sums() const;  // of the rows' seconds, by sample
  // The sum of the rows, and a profiled inference, in percent of the plain one that ran next to it:
  // medians of the samples' ratios, in which changes in the machine's speed cancel.
  double sum_percent_of_plain() const;
  double profiled_percent_of_plain() const;
};

// The median of numerators[i] / denominators[i]; both have the same size.
double median_ratio(const std::vector<double>& numerators, const std::vector<double>& denominators);

// A table with a line per row, then Sum, Total and the line that compares them with plain runs.
std::string to_text(const Profile& profile);
std::string to_json(const Profile& profile);
// A heading and a line per row.
std::string to_csv(const Profile& profile);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_PROFILE_H_
