// SPDX-License-Identifier: Apache-2.0
//
// The log of a server on standard output. The server must not wait for the reader of its log, which
// may be a stopped terminal or a connection that hangs: a thread writes the lines. Lines that it
// has no space for are dropped, and the next one is their number.
#ifndef VTA_TOOLS_RPC_SERVER_SERVICE_LOG_H_
#define VTA_TOOLS_RPC_SERVER_SERVICE_LOG_H_

#include <memory>
#include <string>

namespace vta::rpc {

class ServiceLog {
 public:
  ServiceLog();
  // Waits until the lines are written, for at most a second.
  ~ServiceLog();
  ServiceLog(const ServiceLog&) = delete;
  ServiceLog& operator=(const ServiceLog&) = delete;

  // Thread-safe; does not wait for the output.
  void print(const std::string& line);

 private:
  struct Lines;
  std::shared_ptr<Lines>
      lines_;  // shared with the thread, which may outlive this object in a write
};

}  // namespace vta::rpc

#endif  // VTA_TOOLS_RPC_SERVER_SERVICE_LOG_H_
