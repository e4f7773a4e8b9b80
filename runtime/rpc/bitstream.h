// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_RPC_BITSTREAM_H_
#define VTA_RUNTIME_RPC_BITSTREAM_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace vta::rpc {

// A bitstream file as a client sent it.
struct Bitstream {
  std::string board;  // "pynq-z1", as the client named it
  std::string core;   // "vta_1x16", likewise: what is in it; may be empty
  std::string file;   // its name
  std::span<const uint8_t> bytes;
};

// Programs the FPGA, and returns what it did, for people. Errors: as it likes.
using Flash = std::function<std::string(const Bitstream& bitstream)>;

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_BITSTREAM_H_
