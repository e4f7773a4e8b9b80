// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_SIM_CSV_FIELD_H_
#define VTA_TOOLS_SIM_CSV_FIELD_H_

#include <string>

namespace vta::sim {

// A field of a line of comma-separated values, quoted if necessary (RFC 4180).
std::string csv_field(const std::string& text);

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_CSV_FIELD_H_
