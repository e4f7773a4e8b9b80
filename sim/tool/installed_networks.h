// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_TOOL_INSTALLED_NETWORKS_H_
#define VTA_SIM_TOOL_INSTALLED_NETWORKS_H_

#include <string>
#include <vector>

namespace vta::sim {

// File names of the networks in configs/networks, sorted.
std::vector<std::string> installed_network_names();

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_INSTALLED_NETWORKS_H_
