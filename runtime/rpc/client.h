// SPDX-License-Identifier: Apache-2.0
//
// Client: a connection to a server and its calls. Each call waits for its reply; it fails if the
// server is silent for too long.
#ifndef VTA_RUNTIME_RPC_CLIENT_H_
#define VTA_RUNTIME_RPC_CLIENT_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "driver/device.h"
#include "driver/evaluation.h"
#include "runtime/rpc/bitstream.h"
#include "runtime/rpc/client_options.h"

namespace vta::rpc {

// Errors of all calls: the errors replied by the server, rethrown; kIo, naming the server, if the
// connection is lost or the protocol is violated; kTimeout if the server is silent. After a
// connection error every later call fails with the same error.
class Client {
 public:
  // Connects and sends the greeting. Errors: kInvalidArgument for a connection to another machine
  // without TLS, unless options.insecure.
  explicit Client(const ClientOptions& options);
  ~Client();  // ends the session: the server frees its memory
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // True after a connection error: every call fails, and the server has freed the session's memory.
  bool is_broken() const;

  // The functions of driver::Device. When request.stop becomes true, a run or evaluation is
  // cancelled on the server, and fails; the connection stays usable. kIo, naming the field, if the
  // server describes a core that is not legal (configs/core_config.h), or other times than asked.
  driver::DeviceDescription describe();
  driver::DeviceAddress allocate(uint64_t size_bytes);
  void free(driver::DeviceAddress address);
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src);
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src);
  hw::Counters run(const driver::RunRequest& request);
  driver::Evaluation evaluate(const driver::RunRequest& request, uint32_t number, uint32_t repeat);

  // Sends a bitstream and has it programmed; returns the server's report.
  std::string flash(const Bitstream& bitstream);

  // Cancels the run or evaluation in progress, which then fails. Callable from any thread.
  void cancel();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CLIENT_H_
