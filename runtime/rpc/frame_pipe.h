// SPDX-License-Identifier: Apache-2.0
//
// FramePipe: frames over a channel, both ways, as client and server use it. Belongs to one
// io_context's thread, as its channel does.
#ifndef VTA_RUNTIME_RPC_FRAME_PIPE_H_
#define VTA_RUNTIME_RPC_FRAME_PIPE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/rpc/channel.h"
#include "runtime/rpc/frame.h"

namespace vta::rpc {

class FramePipe : public std::enable_shared_from_this<FramePipe> {
 public:
  using OnFrame = std::function<void(Frame frame)>;
  // Once, when the connection is over: `corrupt` if the other side broke the protocol.
  using OnEnd = std::function<void(const std::string& reason, bool corrupt)>;

  explicit FramePipe(std::unique_ptr<Channel> channel);

  // Greets, then reads frame by frame and calls `on_frame` with each. Neither is called any more
  // after close(). What they throw, and what has no memory any more, ends the connection.
  void start(std::function<void()> on_greeted, OnFrame on_frame, OnEnd on_end);

  // Bodies beyond it end the connection before memory is taken for them.
  void set_max_body_bytes(uint32_t bytes) { max_body_bytes_ = bytes; }

  // Sends after what was sent before; `sent` is called when it is out.
  void send(std::vector<uint8_t> frame, std::function<void()> sent = {});
  bool is_sending() const { return !outbox_.empty(); }

  void close();
  // Says that nothing follows what was sent. What comes in is read on until the other side closes:
  // a connection closed with bytes unread would take back what was sent last.
  void finish_sending();

 private:
  struct Outgoing {
    std::vector<uint8_t> bytes;
    std::function<void()> sent;
  };

  void read_header();
  void take_header();
  void read_body();
  void take_frame();
  void write_next();
  void take_written();
  // A connection with nothing pending would stay for ever: what `action` throws ends it.
  void guard(const std::function<void()>& action);
  void end(const std::string& reason, bool corrupt);

  std::unique_ptr<Channel> channel_;
  OnFrame on_frame_;
  OnEnd on_end_;
  uint32_t max_body_bytes_ = kMaxBodyBytes;
  HeaderBytes header_bytes_{};
  Frame frame_;
  std::deque<Outgoing> outbox_;
  bool open_ = true, finishing_ = false;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_FRAME_PIPE_H_
