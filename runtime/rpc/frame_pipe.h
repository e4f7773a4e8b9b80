// SPDX-License-Identifier: Apache-2.0
//
// FramePipe: sends and receives frames over a channel, for clients and servers. Belongs to the
// thread of the channel's io_context.
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
  // Called once, when the connection is over: `corrupt` if the other side violated the protocol.
  using OnEnd = std::function<void(const std::string& reason, bool corrupt)>;

  explicit FramePipe(std::unique_ptr<Channel> channel);

  // Performs the handshake, then calls `on_frame` with each frame. Neither callback is called after
  // close(). An exception of a callback and a failed allocation end the connection.
  void start(std::function<void()> on_greeted, OnFrame on_frame, OnEnd on_end);

  // A larger body ends the connection before memory is allocated for it.
  void set_max_body_bytes(uint32_t bytes) { max_body_bytes_ = bytes; }

  // Queues a frame; `sent` is called when it has been written.
  void send(std::vector<uint8_t> frame, std::function<void()> sent = {});
  bool is_sending() const { return !outbox_.empty(); }

  // Bytes of the frames received completely.
  uint64_t num_taken_bytes() const { return num_taken_bytes_; }
  // A part of the next frame has been received.
  bool is_mid_frame() const { return channel_->num_read_bytes() > num_taken_bytes_; }

  void close();
  // Half-closes the connection after the queued frames, and reads until the other side closes:
  // closing with unread data would discard the frames sent last.
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
  // Ends the connection if `action` throws: without a pending operation it would hang forever.
  void guard(const std::function<void()>& action);
  void end(const std::string& reason, bool corrupt);

  std::unique_ptr<Channel> channel_;
  OnFrame on_frame_;
  OnEnd on_end_;
  uint32_t max_body_bytes_ = kMaxBodyBytes;
  HeaderBytes header_bytes_{};
  Frame frame_;
  std::deque<Outgoing> outbox_;
  uint64_t num_taken_bytes_ = 0;
  bool open_ = true, finishing_ = false;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_FRAME_PIPE_H_
