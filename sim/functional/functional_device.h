// SPDX-License-Identifier: Apache-2.0
//
// The functional simulator: hw/core compiled natively, behind driver::Device. It has no notion of
// time.
#ifndef VTA_SIM_FUNCTIONAL_FUNCTIONAL_DEVICE_H_
#define VTA_SIM_FUNCTIONAL_FUNCTIONAL_DEVICE_H_

#include <memory>

#include "driver/device.h"

namespace vta::sim {

// URI "functional". Besides the faults of the ISA it reports (as Error kDevice) two split
// instructions of gemm and alu that touch one ACC or UOP element without a token path between them.
// Errors: kUnsupported if the simulator is not compiled for the values of `core`; kInvalidArgument
// for a URI with options.
std::unique_ptr<driver::Device> open_functional_device(const std::string& uri,
                                                       const CoreConfig& core);

// Makes "functional" known to driver::open().
void register_functional_device();

}  // namespace vta::sim

#endif  // VTA_SIM_FUNCTIONAL_FUNCTIONAL_DEVICE_H_
