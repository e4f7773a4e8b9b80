// SPDX-License-Identifier: Apache-2.0
#include "sim/process_network/core_dram.h"

#include "sim/process_network/free_dram.h"
#include "sim/process_network/shared_dram.h"

namespace vta::process_network {

std::unique_ptr<CoreDram> make_dram(ProcessNetwork& network, const MemoryConfig& config) {
  if (FreeDram::fits(config)) return std::make_unique<FreeDram>(network, config);
  return std::make_unique<SharedDram>(network, config);
}

}  // namespace vta::process_network
