// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_COMPILE_SENSITIVITY_REPORT_H_
#define VTA_TOOLS_COMPILE_SENSITIVITY_REPORT_H_

#include <string>

#include "compiler/quantize/sensitivity.h"

namespace vta {

// The report as a table with a line per layer, or as one JSON object; without a final line break.
std::string sensitivity_text(const quantize::Sensitivity& sensitivity);
std::string sensitivity_json(const quantize::Sensitivity& sensitivity);

}  // namespace vta

#endif  // VTA_TOOLS_COMPILE_SENSITIVITY_REPORT_H_
