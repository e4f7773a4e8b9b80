// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_SUPPORT_AXI_RESPONSES_H_
#define VTA_TESTS_SUPPORT_AXI_RESPONSES_H_

#include <cstdint>

namespace vta::support {

// DECERR, of an interconnect that has no slave at an address. The simulated DRAM answers with
// sim::kAxiSlaveError.
inline constexpr uint8_t kAxiDecodeError = 3;

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_AXI_RESPONSES_H_
