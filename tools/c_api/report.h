// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_C_API_REPORT_H_
#define VTA_TOOLS_C_API_REPORT_H_

#include <vector>

#include "runtime/session/inference_report.h"
#include "tools/c_api/vta.h"

// What the handle points to.
struct vta_report {
  explicit vta_report(vta::InferenceReport counted);
  vta_report(const vta_report&) = delete;
  vta_report& operator=(const vta_report&) = delete;

  const vta::InferenceReport report;     // owns the texts
  std::vector<vta_layer_report> layers;  // in the order of the program's steps
  vta_run_report totals{};
};

#endif  // VTA_TOOLS_C_API_REPORT_H_
