// SPDX-License-Identifier: Apache-2.0
//
// Profile: the time of an inference, kernel by kernel or layer by layer, and how well it agrees
// with the time of an inference that is not profiled.
#ifndef VTA_TOOLS_SIM_PROFILE_H_
#define VTA_TOOLS_SIM_PROFILE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hw/registers/counters.h"
#include "runtime/tensor/place.h"

namespace vta::sim {

// Layouts as TVM's profiles name them; "" where one does not apply.
struct ProfileLayouts {
  std::string data, kernel, out;    // of an operator: operand, weights, result
  std::string source, destination;  // of a conversion, also of one before an operator
};

struct ProfileRow {
  std::string name, op;  // of the first layer; operators that run as one, "conv2d+add+relu"
  std::string hash;      // rows with equal hashes run the same kernel
  Place where = Place::kHost;
  std::vector<std::string> shapes;  // types of the operands with constants, then of the result
  ProfileLayouts layouts;
  uint64_t count = 1;              // calls in an inference
  uint64_t macs = 0;               // of the whole batch
  uint64_t bytes = 0;              // of DRAM on the core; of operands and result on the host
  std::vector<double> seconds;     // by sample
  hw::Counters counters;           // on the core; of the last sample
  std::vector<double> cpu_counts;  // on the host: sums over samples, by CpuCounters::names()
};

using Configuration = std::vector<std::pair<std::string, std::string>>;

// The samples that the printed means are of: without the quarters of the least and the greatest
// ratios. A disturbance of the machine during one of a pair's inferences drops the pair, and the
// percentages that are printed are those of the means that are printed.
struct SteadySamples {
  std::vector<size_t> indices;

  // Those of a row or of whole inferences, by sample; 0 of none.
  double mean(const std::vector<double>& seconds) const;
  double deviation(const std::vector<double>& seconds) const;
};

struct Profile {
  std::string description;
  Configuration configuration;
  std::vector<ProfileRow> rows;
  std::vector<double> profiled_seconds, plain_seconds;  // whole inferences, by sample
  std::vector<std::string> cpu_counters;                // names
  std::string no_cpu_counters;                          // why there are none; "" if there are

  std::vector<double> sums() const;  // of the rows' seconds, by sample

  std::vector<double> ratios() const;  // sums() per plain inference, by sample

  SteadySamples steady_samples() const;

  // Ratios of these means: the sum of the rows, and a profiled inference, in percent of a plain
  // one.
  double sum_percent_of_plain() const;
  double profiled_percent_of_plain() const;
  // Standard error of sum_percent_of_plain(), from the range of the steady samples' ratios.
  double percent_error() const;
};

// Rows of equal hashes as one, which adds their times, calls and counters; the slowest first.
Profile by_kernel(const Profile& profile);

// A table with a line per row, then Sum, Total and Plain, the line that compares them, and the
// configuration.
std::string to_text(const Profile& profile);
std::string to_json(const Profile& profile);
// A heading and a line per row, also of Sum, Total and Plain.
std::string to_csv(const Profile& profile);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_PROFILE_H_
