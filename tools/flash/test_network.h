// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_FLASH_TEST_NETWORK_H_
#define VTA_TOOLS_FLASH_TEST_NETWORK_H_

#include <optional>
#include <string>

#include "configs/core_config.h"
#include "tools/flash/selftest/network_check.h"

namespace vta {

// The network of the self-test, with its sample as input. `file`: a compiled network; "" for
// share/vta/examples/digits_CORE.vta of this installation, else digits.vta, which the archive for
// boards has: none if they are missing or of another core. Errors: any of read_program() and
// read_image_input(); kInvalidArgument for a `file` of another core or without a sample.
std::optional<selftest::TestNetwork> load_test_network(const std::string& file,
                                                       const CoreConfig& core);

}  // namespace vta

#endif  // VTA_TOOLS_FLASH_TEST_NETWORK_H_
