// SPDX-License-Identifier: Apache-2.0
//
// The device "rpc://HOST:PORT", served by a vta-rpc-server on another machine or on this one.
#ifndef VTA_RUNTIME_RPC_RPC_DEVICE_H_
#define VTA_RUNTIME_RPC_RPC_DEVICE_H_

#include <memory>

#include "driver/device.h"

namespace vta::rpc {

// `uri`: see client_options.h. The core is the server's, whatever `core` is: describe() returns it,
// and a session rejects a program for another core. The device is also a driver::EvaluatingDevice.
std::unique_ptr<driver::Device> open_rpc_device(const std::string& uri, const CoreConfig& core);

// Registers the scheme "rpc" for driver::open().
void register_rpc_device();

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_RPC_DEVICE_H_
