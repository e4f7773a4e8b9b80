// SPDX-License-Identifier: Apache-2.0
//
// Headlines: a report in a few sentences, each computed from its numbers.
#ifndef VTA_SIM_ANALYSIS_REPORT_HEADLINES_H_
#define VTA_SIM_ANALYSIS_REPORT_HEADLINES_H_

#include <string>
#include <vector>

#include "sim/analysis/report/network_report.h"

namespace vta::sim {

struct Headline {
  std::string topic;  // "most cycles"
  std::string text;
  std::string layer;  // the layer that it is about; "" for the network
};

// In order of importance: speed, the layer with the most cycles and why, what would help, the layer
// that loses the most cycles, DRAM traffic, quantization noise. Topics without data are left out.
std::vector<Headline> headlines(const NetworkReport& report);

// One line each, for terminals.
std::string to_text(const std::vector<Headline>& headlines);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_HEADLINES_H_
