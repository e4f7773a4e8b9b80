// SPDX-License-Identifier: Apache-2.0
//
// The result of `vta-sim bench`, as text and as JSON.
#ifndef VTA_TOOLS_SIM_BENCH_RESULT_H_
#define VTA_TOOLS_SIM_BENCH_RESULT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace vta::sim {

struct BenchResult {
  std::string description;      // what ran
  int64_t batch = 1;            // images of an inference
  uint64_t number = 1;          // inferences of a sample
  uint64_t warm_up = 0;         // inferences before the first sample
  std::vector<double> seconds;  // of an inference, by sample; not empty
  // Their part in a device on another machine, by the clock of that machine; empty if none is used.
  std::vector<double> remote_seconds = {};
};

// Ends with "ProfileResult(mean=0.1763, results=(0.1753, 0.1769))", as TVM prints it.
std::string to_text(const BenchResult& result);
// `beside`: of another runtime, under the key of this name; null: none.
std::string to_json(const BenchResult& result, const BenchResult* beside = nullptr);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_BENCH_RESULT_H_
