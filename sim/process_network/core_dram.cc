// SPDX-License-Identifier: Apache-2.0
#include "sim/process_network/core_dram.h"

#include "sim/process_network/shared_dram.h"
#include "sim/process_network/uncontended_dram.h"

namespace vta::process_network {

std::unique_ptr<CoreDram> make_dram(ProcessNetwork& network, const MemoryConfig& config) {
  if (UncontendedDram::fits(config)) return std::make_unique<UncontendedDram>(network, config);
  return std::make_unique<SharedDram>(network, config);
}

}  // namespace vta::process_network
