// SPDX-License-Identifier: Apache-2.0
//
// Client: a connection to a server, and its calls. Each call waits for its reply; a server that
// gives no sign of life while it waits is given up.
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

// Errors of all calls: those that the server replies, as it would throw them; kIo, naming the
// server, where the connection ends or the protocol is broken; kTimeout for silence. After one of
// the connection every later call fails with the same one.
class Client {
 public:
  // Connects, greets. Errors: kInvalidArgument for a token or nothing at all over a connection
  // that is neither TLS nor loopback, unless options.insecure.
  explicit Client(const ClientOptions& options);
  ~Client();  // ends the session: the server frees its memory
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Has the connection ended, so that every call fails and the server has freed everything?
  bool is_broken() const;

  // As driver::Device has them.
  driver::DeviceDescription describe();
  driver::DeviceAddress allocate(uint64_t size_bytes);
  void free(driver::DeviceAddress address);
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src);
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src);
  driver::Counters run(const driver::RunRequest& request);
  driver::Evaluation evaluate(const driver::RunRequest& request, uint32_t number, uint32_t repeat);

  // Sends a bitstream and has it programmed; what the server says about it.
  std::string flash(const Bitstream& bitstream);

  // From another thread: the run or evaluation that is waited for ends with an error.
  void cancel();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CLIENT_H_
