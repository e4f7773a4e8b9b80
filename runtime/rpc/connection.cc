// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/connection.h"

#include <malloc.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "runtime/rpc/token.h"

namespace vta::rpc {
namespace {

constexpr DeviceQueue::JobId kReleaseJob = 0;  // calls have other ids

// The time for a client to close after it was sent the reason.
constexpr std::chrono::milliseconds kLinger{1000};

ServiceLimits service_limits(const ServerLimits& limits) {
  ServiceLimits result;
  result.memory_bytes = limits.memory_bytes;
  result.total_memory_bytes = limits.total_memory_bytes;
  result.run = limits.run;
  return result;
}

// Freed small blocks leave holes in the heap that only a trim returns.
void return_freed_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace

Connection::Connection(const ConnectionHost& host, DeviceQueue::ClientId id,
                       const std::string& peer, std::unique_ptr<Channel> channel)
    : host_(host),
      id_(id),
      peer_(peer),
      pipe_(std::make_shared<FramePipe>(std::move(channel))),
      timer_(host.io),
      last_activity_(Clock::now()) {}

void Connection::start() {
  timer_.expires_after(host_.options.limits.greeting);
  timer_.async_wait([self = shared_from_this()](const boost::system::error_code& aborted) {
    if (!aborted && !self->is_client()) self->on_end("greeting timed out", false);
  });
  // Limits unauthenticated clients to one short frame.
  pipe_->set_max_body_bytes(kMaxHelloBodyBytes);
  const auto self = shared_from_this();
  pipe_->start(
      {}, [self](Frame frame) { self->on_frame(std::move(frame)); },
      [self](const std::string& reason, bool corrupt) { self->on_end(reason, corrupt); });
}

void Connection::on_frame(Frame frame) {
  if (gone_ || finish_reason_ || refused_) return;
  // A cancel is not a call: alone, it does not keep an idle client.
  if (frame.header.type != MessageType::kCancel) last_activity_ = Clock::now();
  try {
    if (frame.header.id == 0)
      fail(ErrorCode::kCorrupt, "{}: a call has id 0", to_string(frame.header.type));
    if (!is_client()) return greet(frame);
    switch (frame.header.type) {
      case MessageType::kCancel:
        return on_cancel(frame);
      case MessageType::kClose:
        return on_end("closed by the client", false);
      default:
        return on_call(std::move(frame));
    }
  } catch (const Error& error) {
    refuse(error);
  }
}

void Connection::greet(const Frame& frame) {
  if (frame.header.type != MessageType::kHello) {
    fail(ErrorCode::kCorrupt, "{} before hello", to_string(frame.header.type));
  }
  const auto hello = decode<HelloCall>(frame.body);
  if (hello.magic != kMagic) fail(ErrorCode::kCorrupt, "hello: not a client of this protocol");
  if (hello.version != kProtocolVersion) {
    fail(ErrorCode::kUnsupported, "the client has protocol version {}, the server {}",
         hello.version, kProtocolVersion);
  }
  const std::optional<bool> may_flash = role_of(hello.token);
  if (!may_flash) return refuse_wrong_token();
  if (!host_.admit(id_)) {
    fail(ErrorCode::kOutOfMemory, "the server is full: it has reached its limit of {} clients",
         host_.options.limits.clients);
  }
  service_ = std::make_shared<ClientService>(service_limits(host_.options.limits), *may_flash);
  pipe_->set_max_body_bytes(kMaxBodyBytes);
  wait_for_tick();
  host_.log(
      fmt::format("client {} ({}): connected{}", id_, peer_, *may_flash ? ", may flash" : ""));
  HelloReply reply;
  reply.memory_limit_bytes = host_.options.limits.memory_bytes;
  pipe_->send(encode(reply, frame.header.id));
}

std::optional<bool> Connection::role_of(const std::string& token) const {
  const ServerOptions& options = host_.options;
  if (!options.flash_token.empty() && same_token(options.flash_token, token)) return true;
  if (options.token.empty() || same_token(options.token, token)) return false;
  if (token.empty()) fail(ErrorCode::kInvalidArgument, "the server requires a token");
  return std::nullopt;
}

// A guess costs its connection a second, in which it may have to give way.
void Connection::refuse_wrong_token() {
  const Error error(ErrorCode::kInvalidArgument, "wrong token");
  mark_refused(error.what());
  timer_.expires_after(host_.options.limits.wrong_token);
  timer_.async_wait([self = shared_from_this(), error](const boost::system::error_code& aborted) {
    if (!aborted) self->refuse(error);
  });
}

void Connection::on_call(Frame frame) {
  const uint32_t id = frame.header.id;
  if (calls_.size() + unsent_ >= kServerWindow) {
    fail(ErrorCode::kCorrupt, "more than {} calls in flight", kServerWindow);
  }
  if (calls_.contains(id)) {
    fail(ErrorCode::kCorrupt, "{}: id {} belongs to a call in flight", to_string(frame.header.type),
         id);
  }
  const auto call = std::make_shared<CallState>(std::move(frame));
  calls_.emplace(id, call);
  // The work guard keeps the server's loop alive until the reply is ready.
  host_.queue.add(id_, id,
                  [self = shared_from_this(), service = service_, call,
                   guard = boost::asio::make_work_guard(host_.io)](DeviceSlot& slot) {
                    std::optional<std::vector<uint8_t>> reply = service->turn(*call, slot);
                    if (!reply) return false;
                    boost::asio::post(self->host_.io,
                                      [self, call, bytes = std::move(*reply)]() mutable {
                                        self->on_reply(*call, std::move(bytes));
                                      });
                    return true;
                  });
}

void Connection::on_cancel(const Frame& frame) {
  const uint32_t id = decode<CancelCall>(frame.body).id;
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;  // done, its reply is in flight
  const std::shared_ptr<CallState> call = found->second;
  call->stop = true;
  host_.queue.cancel(id_, id);
  refuse_call(*call, Error(ErrorCode::kDevice, "cancelled by the client"));
}

void Connection::refuse_call(const CallState& call, const Error& error) {
  on_reply(call, encode(to_reply(error), call.frame.header.id));
}

void Connection::on_reply(const CallState& call, std::vector<uint8_t> reply) {
  const auto found = calls_.find(call.frame.header.id);
  // The reply is not expected any more; its id may belong to a later call.
  if (gone_ || found == calls_.end() || found->second.get() != &call) return;
  calls_.erase(found);
  last_activity_ = Clock::now();
  ++unsent_;
  pipe_->send(std::move(reply), [self = shared_from_this()] {
    --self->unsent_;
    self->last_activity_ = Clock::now();
  });
  if (finish_reason_) end_if_answered();
}

void Connection::finish(const std::string& reason) {
  if (gone_ || finish_reason_) return;
  finish_reason_ = reason;
  if (!is_client()) return on_end(reason, false);
  for (const auto& entry : calls_) entry.second->cancelled = true;
  for (const uint32_t id : host_.queue.cancel_waiting(id_)) {
    const auto found = calls_.find(id);
    if (found == calls_.end()) continue;
    const std::shared_ptr<CallState> call = found->second;
    refuse_call(*call, Error(ErrorCode::kIo, reason));
  }
  end_if_answered();
}

// Sends pending replies before the reason, if the client reads them in time.
void Connection::end_if_answered() {
  if (calls_.empty()) refuse(Error(ErrorCode::kIo, *finish_reason_));
}

void Connection::on_end(const std::string& reason, bool corrupt) {
  timer_.cancel();
  pipe_->close();
  leave(corrupt ? "protocol violation: " + reason : reason);
}

void Connection::refuse(const Error& error) {
  if (gone_) return;
  close_after(unsent_ > 0 ? host_.options.limits.drain : kLinger);
  pipe_->send(encode(to_reply(error), 0),
              [self = shared_from_this()] { self->close_after(kLinger); });
  pipe_->finish_sending();
  is_client() ? leave(error.what()) : mark_refused(error.what());
}

// It keeps its slot until it is closed, so that the number of lingering connections is limited.
void Connection::mark_refused(const std::string& reason) {
  if (gone_ || std::exchange(refused_, true)) return;
  host_.on_refused(id_);
  host_.log_refusal(fmt::format("{}: refused: {}", peer_, reason));
}

// The client may close earlier.
void Connection::close_after(std::chrono::milliseconds time) {
  timer_.expires_after(time);
  timer_.async_wait([self = shared_from_this()](const boost::system::error_code& aborted) {
    if (!aborted) self->on_end("refused", false);
  });
}

void Connection::leave(const std::string& reason) {
  if (std::exchange(gone_, true)) return;
  const auto self = shared_from_this();  // on_gone must run, whatever is thrown after it
  host_.on_gone(id_);
  if (is_client()) {
    for (const auto& entry : calls_) entry.second->stop = true;
    host_.queue.cancel_all(id_);
    host_.queue.add(id_, kReleaseJob, [service = std::move(service_)](DeviceSlot& slot) mutable {
      service->release(slot);
      service.reset();
      return_freed_memory();
      return true;
    });
    host_.log(fmt::format("client {} ({}): gone: {}", id_, peer_, reason));
  } else if (!refused_) {
    host_.log_refusal(fmt::format("{}: refused: {}", peer_, reason));
  }
}

void Connection::wait_for_tick() {
  timer_.expires_after(host_.options.limits.heartbeat);
  timer_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
    if (!error && !self->gone_) self->tick();
  });
}

bool Connection::is_stuck() {
  if (!pipe_->is_mid_frame()) {
    incomplete_since_.reset();
    return false;
  }
  if (!incomplete_since_ || bytes_before_incomplete_ != pipe_->num_taken_bytes()) {
    incomplete_since_ = Clock::now();
    bytes_before_incomplete_ = pipe_->num_taken_bytes();
  }
  return Clock::now() - *incomplete_since_ >= host_.options.limits.frame;
}

void Connection::tick() {
  wait_for_tick();  // first, so that an exception below does not stop the ticks
  const auto quiet = Clock::now() - last_activity_;
  const ServerLimits& limits = host_.options.limits;
  if (is_stuck()) return on_end("a frame stopped half-way", false);
  if (!calls_.empty()) {
    // Shows the client that the server is alive, unless earlier frames are still unsent.
    if (!pipe_->is_sending()) pipe_->send(encode(Waiting{}, calls_.begin()->first));
  } else if (quiet > limits.idle) {
    return refuse(Error(ErrorCode::kTimeout,
                        fmt::format("the server closed the connection: idle for more than {} s",
                                    std::chrono::duration<double>(limits.idle).count())));
  }
}

}  // namespace vta::rpc
