// SPDX-License-Identifier: Apache-2.0
//
// The command line of vta-rpc-server, which programs with different devices share.
#ifndef VTA_RUNTIME_RPC_TOOL_SERVER_MAIN_H_
#define VTA_RUNTIME_RPC_TOOL_SERVER_MAIN_H_

#include "runtime/rpc/device_slot.h"

namespace vta::rpc {

// Serves the devices that are registered (driver/device.h). `flash` may be empty. Returns the exit
// status.
int server_main(int argc, char** argv, Flash flash);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_TOOL_SERVER_MAIN_H_
