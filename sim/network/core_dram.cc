// SPDX-License-Identifier: Apache-2.0
#include "sim/network/core_dram.h"

#include "sim/network/free_dram.h"
#include "sim/network/shared_dram.h"

namespace vta::network {

std::unique_ptr<CoreDram> make_dram(Network& network, const MemoryConfig& config) {
  if (FreeDram::fits(config)) return std::make_unique<FreeDram>(network, config);
  return std::make_unique<SharedDram>(network, config);
}

}  // namespace vta::network
