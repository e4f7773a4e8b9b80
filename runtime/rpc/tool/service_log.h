// SPDX-License-Identifier: Apache-2.0
//
// The log of a server on standard output. The server must not wait for the reader of its log: if a
// pipe or terminal has no space, lines are dropped, and their number is printed when it has space
// again.
#ifndef VTA_RUNTIME_RPC_TOOL_SERVICE_LOG_H_
#define VTA_RUNTIME_RPC_TOOL_SERVICE_LOG_H_

#include <cstdint>
#include <mutex>
#include <string>

namespace vta::rpc {

class ServiceLog {
 public:
  // Prints a line of less than 4 KiB, and flushes it. Any thread.
  void print(const std::string& line);

 private:
  std::mutex mutex_;
  uint64_t num_dropped_ = 0;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_TOOL_SERVICE_LOG_H_
