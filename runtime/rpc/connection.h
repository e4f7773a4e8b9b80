// SPDX-License-Identifier: Apache-2.0
//
// Connection: one client of a server, from its greeting to its end. Runs on the I/O thread;
// work for the device goes through the queue.
#ifndef VTA_RUNTIME_RPC_CONNECTION_H_
#define VTA_RUNTIME_RPC_CONNECTION_H_

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/rpc/client_service.h"
#include "runtime/rpc/device_queue.h"
#include "runtime/rpc/frame_pipe.h"
#include "runtime/rpc/server.h"

namespace vta::rpc {

// The services that a connection uses; they outlive it.
struct ConnectionHost {
  boost::asio::io_context& io;
  DeviceQueue& queue;
  const ServerOptions& options;
  std::function<void(const std::string& line)> log;
  std::function<bool()> may_connect;                   // another client fits the limit
  std::function<void(DeviceQueue::ClientId)> on_gone;  // the connection is over
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(const ConnectionHost& host, DeviceQueue::ClientId id, const std::string& peer,
             std::unique_ptr<Channel> channel);

  void start();
  bool is_client() const { return service_ != nullptr; }

  // Ends the connection gracefully: rejects calls waiting for the device, replies to the running
  // call, then closes with `reason`. Replies that the client does not read within the limit `drain`
  // are dropped.
  void finish(const std::string& reason);

 private:
  using Clock = std::chrono::steady_clock;

  void on_frame(Frame frame);
  void greet(const Frame& frame);
  void on_call(Frame frame);
  void on_cancel(const Frame& frame);
  void refuse_call(const CallState& call, const Error& error);
  // Drops the reply if the call is no longer in progress.
  void on_reply(const CallState& call, std::vector<uint8_t> reply);
  void on_end(const std::string& reason, bool corrupt);

  void tick();
  void wait_for_tick();
  // Closes the connection with an error message.
  void refuse(const Error& error);
  void close_after(std::chrono::milliseconds time);
  // Deregisters the client and frees its resources.
  void leave(const std::string& reason);
  void end_if_answered();

  const ConnectionHost& host_;
  const DeviceQueue::ClientId id_;
  const std::string peer_;
  const std::shared_ptr<FramePipe> pipe_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<ClientService> service_;  // used by the device's thread; set after the greeting
  std::map<uint32_t, std::shared_ptr<CallState>> calls_;  // calls without reply, by id
  uint32_t unsent_ = 0;                                   // replies in flight
  Clock::time_point last_activity_;
  std::optional<std::string> finish_reason_;
  bool gone_ = false;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CONNECTION_H_
