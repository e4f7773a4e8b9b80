// SPDX-License-Identifier: Apache-2.0
//
// The log of a server on standard output. The server must not wait for the reader of its log: lines
// that a full pipe or a stopped terminal does not take are dropped, and the next line that it takes
// is their number.
#ifndef VTA_RUNTIME_RPC_TOOL_SERVICE_LOG_H_
#define VTA_RUNTIME_RPC_TOOL_SERVICE_LOG_H_

#include <cstdint>
#include <mutex>
#include <string>

namespace vta::rpc {

class ServiceLog {
 public:
  // Prints the first 3 KiB of a line, and flushes. Thread-safe.
  void print(const std::string& line);

 private:
  std::mutex mutex_;
  uint64_t num_dropped_ = 0;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_TOOL_SERVICE_LOG_H_
