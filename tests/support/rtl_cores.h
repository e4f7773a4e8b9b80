// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_SUPPORT_RTL_CORES_H_
#define VTA_TESTS_SUPPORT_RTL_CORES_H_

#include <sstream>
#include <string>
#include <vector>

namespace vta::support {

// The names of the Verilated cores (VTA_RTL_CORES of scripts/cmake/vta_core_config.cmake), a subset
// of installed_core_names(). For targets that link vta_rtl_cores.
inline std::vector<std::string> rtl_cores() {
  std::istringstream words(VTA_RTL_CORES);
  std::vector<std::string> names;
  for (std::string name; words >> name;) names.push_back(name);
  return names;
}

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_RTL_CORES_H_
