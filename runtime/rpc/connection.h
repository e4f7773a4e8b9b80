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
  std::function<void(const std::string& line)> log_refusal;  // of an unauthenticated connection
  std::function<bool(DeviceQueue::ClientId)> admit;  // makes it a client, if the limit allows one
  std::function<void(DeviceQueue::ClientId)> on_refused;  // it stays until its peer has read why
  std::function<void(DeviceQueue::ClientId)> on_gone;     // the connection is over
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(const ConnectionHost& host, DeviceQueue::ClientId id, const std::string& peer,
             std::unique_ptr<Channel> channel);

  void start();
  bool is_client() const { return service_ != nullptr; }

  // Ends an unauthenticated connection at once, in favour of a newer one.
  void give_way() { on_end("gave way to a newer connection", false); }

  // Ends the connection gracefully: rejects calls waiting for the device, replies to the running
  // call, then closes with `reason`. Replies that the client does not read within the limit `drain`
  // are dropped.
  void finish(const std::string& reason);

 private:
  using Clock = std::chrono::steady_clock;

  void on_frame(Frame frame);
  void greet(const Frame& frame);
  // Checks the token. Returns whether it permits flashing; none if it is wrong.
  std::optional<bool> role_of(const std::string& token) const;
  void refuse_wrong_token();
  void on_call(Frame frame);
  void on_cancel(const Frame& frame);
  void refuse_call(const CallState& call, const Error& error);
  // Drops the reply if the call is no longer in progress.
  void on_reply(const CallState& call, std::vector<uint8_t> reply);
  void on_end(const std::string& reason, bool corrupt);

  void tick();
  void wait_for_tick();
  // True if a frame has been incomplete for longer than its limit.
  bool is_stuck();
  // Closes the connection with an error message.
  void refuse(const Error& error);
  void mark_refused(const std::string& reason);
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
  // When a tick first found the frame that follows this many bytes incomplete.
  std::optional<Clock::time_point> incomplete_since_;
  uint64_t bytes_before_incomplete_ = 0;
  std::optional<std::string> finish_reason_;
  bool refused_ = false;  // before it became a client
  bool gone_ = false;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CONNECTION_H_
