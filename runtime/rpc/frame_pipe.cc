// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/frame_pipe.h"

#include <boost/asio/error.hpp>
#include <exception>
#include <utility>

#include "base/errors/error.h"

namespace vta::rpc {
namespace {

using boost::system::error_code;

std::string reason_of(const error_code& error) {
  if (error == boost::asio::error::eof) return "the other side closed the connection";
  return error.message();
}

}  // namespace

FramePipe::FramePipe(std::unique_ptr<Channel> channel) : channel_(std::move(channel)) {}

void FramePipe::start(std::function<void()> on_greeted, OnFrame on_frame, OnEnd on_end) {
  on_frame_ = std::move(on_frame);
  on_end_ = std::move(on_end);
  channel_->handshake(
      [self = shared_from_this(), greeted = std::move(on_greeted)](const error_code& error) {
        if (!self->open_) return;
        if (error) return self->end("handshake: " + reason_of(error), false);
        self->guard([&] {
          if (greeted) greeted();
          self->read_header();
        });
      });
}

void FramePipe::read_header() {
  if (!open_) return;
  channel_->read(header_bytes_, [self = shared_from_this()](const error_code& error) {
    if (!self->open_) return;
    if (error) return self->end(reason_of(error), false);
    self->guard([&] { self->take_header(); });
  });
}

void FramePipe::take_header() {
  try {
    frame_.header = decode_header(header_bytes_, max_body_bytes_);
  } catch (const Error& wrong) {
    return end(wrong.what(), true);
  }
  read_body();
}

void FramePipe::read_body() {
  frame_.body.resize(frame_.header.body_bytes);
  if (frame_.body.empty()) return take_frame();
  channel_->read(frame_.body, [self = shared_from_this()](const error_code& error) {
    if (!self->open_) return;
    if (error) return self->end(reason_of(error), false);
    self->guard([&] { self->take_frame(); });
  });
}

void FramePipe::take_frame() {
  try {
    check_body(frame_.header, header_bytes_, frame_.body);
  } catch (const Error& wrong) {
    return end(wrong.what(), true);
  }
  num_taken_bytes_ += kFrameHeaderBytes + frame_.body.size();
  const OnFrame on_frame = on_frame_;  // a copy, because the callback may call close()
  on_frame(std::exchange(frame_, {}));
  read_header();
}

void FramePipe::send(std::vector<uint8_t> frame, std::function<void()> sent) {
  if (!open_ || finishing_) return;
  guard([&] {
    outbox_.push_back({std::move(frame), std::move(sent)});
    if (outbox_.size() == 1) write_next();
  });
}

void FramePipe::write_next() {
  channel_->write(outbox_.front().bytes, [self = shared_from_this()](const error_code& error) {
    if (!self->open_) return;
    if (error) return self->end(reason_of(error), false);
    self->guard([&] { self->take_written(); });
  });
}

void FramePipe::take_written() {
  const std::function<void()> sent = std::move(outbox_.front().sent);
  outbox_.pop_front();
  if (!outbox_.empty()) {
    write_next();
  } else if (finishing_) {
    channel_->finish_writing();
  }
  if (sent) sent();
}

void FramePipe::finish_sending() {
  if (!open_ || std::exchange(finishing_, true)) return;
  if (outbox_.empty()) channel_->finish_writing();
}

void FramePipe::close() {
  if (!std::exchange(open_, false)) return;
  const auto self = weak_from_this().lock();
  channel_->close();
  // The callbacks may own this object. The bytes stay: a pending write reads them.
  on_frame_ = nullptr;
  on_end_ = nullptr;
  for (Outgoing& outgoing : outbox_) outgoing.sent = nullptr;
}

void FramePipe::guard(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    end(error.what(), false);
  }
}

void FramePipe::end(const std::string& reason, bool corrupt) {
  const OnEnd on_end = std::move(on_end_);
  close();
  if (on_end) on_end(reason, corrupt);
}

}  // namespace vta::rpc
