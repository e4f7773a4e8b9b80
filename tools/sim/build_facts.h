// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_SIM_BUILD_FACTS_H_
#define VTA_TOOLS_SIM_BUILD_FACTS_H_

#include <string>
#include <utility>
#include <vector>

namespace vta::sim {

// How this program was built: version, compiler, build type, instruction set.
std::vector<std::pair<std::string, std::string>> build_facts();

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_BUILD_FACTS_H_
