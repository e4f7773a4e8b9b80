// SPDX-License-Identifier: Apache-2.0
//
// The device "rpc://HOST:PORT": one that a vta-rpc-server serves, on another machine or on this.
#ifndef VTA_RUNTIME_RPC_RPC_DEVICE_H_
#define VTA_RUNTIME_RPC_RPC_DEVICE_H_

#include <memory>

#include "driver/device.h"

namespace vta::rpc {

// `uri` as in client_options.h. The core is the server's, whatever was asked for: describe() says
// which, and a program for another one is refused by the session.
// The device also is a driver::EvaluatingDevice.
std::unique_ptr<driver::Device> open_rpc_device(const std::string& uri, const CoreConfig& core);

// Makes "rpc" known to driver::open().
void register_rpc_device();

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_RPC_DEVICE_H_
