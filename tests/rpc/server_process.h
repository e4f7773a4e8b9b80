// SPDX-License-Identifier: Apache-2.0
//
// vta-rpc-server as a process of its own, which can be killed.
#ifndef VTA_TESTS_RPC_SERVER_PROCESS_H_
#define VTA_TESTS_RPC_SERVER_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace vta::support {

class ServerProcess {
 public:
  // Serves on `port` of the loopback interface (0: a free one), once the constructor returns.
  // Throws std::runtime_error if it does not. `tool`: of this build; the board's links less.
  ServerProcess(uint16_t port, const std::vector<std::string>& more_options,
                const std::string& tool = "vta-rpc-server-board");
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  uint16_t port() const { return port_; }
  // At once, as a crash does. Waits until it is gone.
  void kill();
  // Asks it to stop (SIGTERM); its exit status, 128 + the signal's number if one ended it.
  int terminate();
  // The same in two steps.
  void send_terminate();
  int wait();
  // What it prints next, without the end of the line; "" at the end.
  std::string read_line();

 private:
  pid_t process_ = -1;
  int output_ = -1;
  uint16_t port_ = 0;
};

}  // namespace vta::support

#endif  // VTA_TESTS_RPC_SERVER_PROCESS_H_
