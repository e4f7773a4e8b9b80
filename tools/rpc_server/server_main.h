// SPDX-License-Identifier: Apache-2.0
//
// The command line of vta-rpc-server, shared by the programs for hosts and boards.
#ifndef VTA_TOOLS_RPC_SERVER_SERVER_MAIN_H_
#define VTA_TOOLS_RPC_SERVER_SERVER_MAIN_H_

#include "runtime/rpc/device_slot.h"

namespace vta::rpc {

// Serves the registered devices (driver/device.h). `flash` loads bitstreams; it may be empty.
// Returns the exit status.
int server_main(int argc, char** argv, Flash flash);

}  // namespace vta::rpc

#endif  // VTA_TOOLS_RPC_SERVER_SERVER_MAIN_H_
