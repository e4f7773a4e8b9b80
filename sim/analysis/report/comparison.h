// SPDX-License-Identifier: Apache-2.0
//
// Comparison of two reports, of `vta-sim report --json` or `vta-sim run --json`, layer by layer.
#ifndef VTA_SIM_ANALYSIS_REPORT_COMPARISON_H_
#define VTA_SIM_ANALYSIS_REPORT_COMPARISON_H_

#include <string>
#include <vector>

namespace vta::sim {

// A number that differs. More cycles, DRAM bytes or micro-ops are a regression, and so is a lower
// signal-to-noise ratio.
struct Change {
  std::string layer;   // "" for the sum of all layers
  std::string metric;  // "cycles", "dram_bytes", "gemm_counter", "alu_counter", "snr_db"
  double before = 0, after = 0;
  bool is_regression = false;

  double percent() const { return before == 0 ? 0 : 100 * (after - before) / before; }
};

struct Comparison {
  std::string before, after;          // origins
  std::vector<std::string> settings;  // that differ: "memory: ideal64, pynq-z1"
  std::vector<Change> changes;  // of the sum, then of the layers of the second report in order
  std::vector<std::string> only_before, only_after;  // names of layers
  size_t num_equal_layers = 0;                       // layers without a change

  bool has_regression() const;
};

// Differences of at most `tolerance_percent` (of the signal-to-noise ratio: 0.1 dB) are changes but
// not regressions. Metrics that only one report has are left out. Layers are compared by name; of
// equal names, in order. Errors: kCorrupt, naming `before_origin` or `after_origin` and the key.
Comparison compare_reports(const std::string& before_json, const std::string& before_origin,
                           const std::string& after_json, const std::string& after_origin,
                           double tolerance_percent);

// A table with a mark at each regression.
std::string to_text(const Comparison& comparison);
std::string to_json(const Comparison& comparison);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_COMPARISON_H_
