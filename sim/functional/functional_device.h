// SPDX-License-Identifier: Apache-2.0
//
// The functional simulator as a driver::Device: hw/core compiled natively, with vector loops for
// whole instructions (`functional`) or as it is written (`native`). It does not count cycles.
#ifndef VTA_SIM_FUNCTIONAL_FUNCTIONAL_DEVICE_H_
#define VTA_SIM_FUNCTIONAL_FUNCTIONAL_DEVICE_H_

#include <memory>

#include "driver/device.h"

namespace vta::sim {

// Opens "functional". Besides the faults of the ISA it reports races (as Error kDevice): two split
// instructions of gemm and alu that access one ACC or UOP element without a token path between
// them.
// Errors: kUnsupported if the simulator is not compiled for the values of `core`; kInvalidArgument
// for a URI with options.
std::unique_ptr<driver::Device> open_functional_device(const std::string& uri,
                                                       const CoreConfig& core);

// Registers the scheme "functional" for driver::open().
void register_functional_device();

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_FUNCTIONAL_DEVICE_H_
