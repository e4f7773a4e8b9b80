// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_RPC_BITSTREAM_H_
#define VTA_RUNTIME_RPC_BITSTREAM_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace vta::rpc {

// A bitstream file sent by a client.
struct Bitstream {
  std::string board;  // "pynq-z1", chosen by the client
  std::string core;   // "vta_1x16", the core it contains; may be empty
  std::string file;   // file name
  std::span<const uint8_t> bytes;
};

// Programs the FPGA and returns a report for the user. May throw any Error.
using Flash = std::function<std::string(const Bitstream& bitstream)>;

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_BITSTREAM_H_
