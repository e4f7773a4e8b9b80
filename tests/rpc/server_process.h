// SPDX-License-Identifier: Apache-2.0
//
// A vta-rpc-server process, which tests can kill.
#ifndef VTA_TESTS_RPC_SERVER_PROCESS_H_
#define VTA_TESTS_RPC_SERVER_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace vta::support {

class ServerProcess {
 public:
  // Starts the server on `port` of the loopback interface (0: any free port) and returns when it
  // serves. Throws std::runtime_error if it fails. `tool`: of this build; the board's server links
  // fewer devices.
  ServerProcess(uint16_t port, const std::vector<std::string>& more_options,
                const std::string& tool = "vta-rpc-server-board");
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  uint16_t port() const { return port_; }
  pid_t process() const { return process_; }
  // Its resident memory, and how many files it has open, connections among them.
  uint64_t resident_bytes() const;
  int open_files() const;
  // Makes the pipe of its output as small as possible, one page.
  void shrink_output() const;
  // Kills it at once, as a crash does, and waits for its end.
  void kill();
  // Stops it with SIGTERM; returns its exit status, or 128 + signal number.
  int terminate();
  // The same in two calls.
  void send_terminate();
  int wait();
  // The next line of its output; "" at the end. The server drops lines while the pipe is full: 64
  // KiB, the log of several hundred clients.
  std::string read_line();
  // Reads the output to its end, from now on.
  void discard_output();

 private:
  pid_t process_ = -1;
  int output_ = -1;
  uint16_t port_ = 0;
  std::thread reader_;  // of discard_output()
};

}  // namespace vta::support

#endif  // VTA_TESTS_RPC_SERVER_PROCESS_H_
