// SPDX-License-Identifier: Apache-2.0
//
// Connection: one client of a server, from its greeting to its end. On the network's thread; what
// it wants of the device goes through the queue and comes back.
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

// What a connection needs of its server, which outlives it.
struct ConnectionHost {
  boost::asio::io_context& io;
  DeviceQueue& queue;
  const ServerOptions& options;
  std::function<void(const std::string& line)> log;
  std::function<bool()> has_room;                      // for one more client
  std::function<void(DeviceQueue::ClientId)> on_gone;  // the connection is over
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(const ConnectionHost& host, DeviceQueue::ClientId id, const std::string& peer,
             std::unique_ptr<Channel> channel);

  void start();
  bool is_client() const { return service_ != nullptr; }

  // No more calls: those that wait for the device are refused, one that runs is replied to, then
  // the connection ends with `reason`; replies that the client does not take within the limit
  // `drain` are dropped.
  void finish(const std::string& reason);

 private:
  using Clock = std::chrono::steady_clock;

  void on_frame(Frame frame);
  void greet(const Frame& frame);
  void on_call(Frame frame);
  void on_cancel(const Frame& frame);
  void refuse_call(const CallState& call, const Error& error);
  // Dropped if the call is not under way any more.
  void on_reply(const CallState& call, std::vector<uint8_t> reply);
  void on_end(const std::string& reason, bool corrupt);

  void tick();
  void wait_for_tick();
  // Leaves, and tells the client why.
  void refuse(const Error& error);
  void close_after(std::chrono::milliseconds time);
  // Is no client any more; what it has is freed.
  void leave(const std::string& reason);
  void end_if_answered();

  const ConnectionHost& host_;
  const DeviceQueue::ClientId id_;
  const std::string peer_;
  const std::shared_ptr<FramePipe> pipe_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<ClientService> service_;  // of the device's thread; there once it has greeted
  std::map<uint32_t, std::shared_ptr<CallState>> calls_;  // without a reply so far, by id
  uint32_t unsent_ = 0;                                   // replies on their way
  Clock::time_point last_activity_;
  std::optional<std::string> finish_reason_;
  bool gone_ = false;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_CONNECTION_H_
