// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/client.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cmath>
#include <cstring>
#include <deque>
#include <optional>

#include "base/errors/counted.h"
#include "base/errors/printable.h"
#include "base/files/checksum.h"
#include "runtime/rpc/frame_pipe.h"
#include "runtime/rpc/messages.h"
#include "runtime/rpc/socket_channel.h"
#include "runtime/rpc/tls.h"

namespace vta::rpc {
namespace {

bool is_time(double seconds) { return std::isfinite(seconds) && seconds >= 0; }

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// How often a call in progress looks whether its caller has asked to stop it.
constexpr std::chrono::milliseconds kStopInterval{20};

}  // namespace

class Client::Impl {
 public:
  explicit Impl(const ClientOptions& options) : options_(options) {
    Socket socket = connect();
    open_pipe(std::move(socket));
    HelloCall hello;
    hello.token = options_.token;
    call<HelloReply>(hello);
    greeted_ = true;
  }

  ~Impl() {
    if (broken_) return;
    pipe_->send(encode(CloseCall{}, next_id_));
    pipe_->finish_sending();
    // Long enough to send the frame; the server needs nothing else.
    io_.restart();
    io_.poll();
    pipe_->close();
    io_.poll();
  }

  bool is_broken() const { return broken_.has_value(); }
  const std::string& uri() const { return options_.uri; }

  template <typename Reply, typename Message>
  Reply call(const Message& message) {
    const uint32_t id = send(message);
    Reply reply;
    receive<Reply>(id, [&](const Reply& received) { reply = received; });
    return reply;
  }

  // Sends a call; receive() waits for its reply.
  template <typename Message>
  uint32_t send(const Message& message) {
    throw_if_broken();
    const uint32_t id = next_id_++;
    if (next_id_ == 0) next_id_ = 1;
    pipe_->send(encode(message, id));
    return id;
  }

  // Views in the message passed to `use` are valid during the call only.
  template <typename Reply>
  void receive(uint32_t id, const std::function<void(const Reply&)>& use) {
    const Frame frame = next_reply(id);
    if (frame.header.type == MessageType::kError) throw_reply(decode_or_break<ErrorReply>(frame));
    if (frame.header.type == MessageType::kFault) throw_reply(decode_or_break<FaultReply>(frame));
    use(decode_or_break<Reply>(frame));
  }

  // Keeps up to kClientWindow calls in flight: calls `send_next` until it returns no id, and passes
  // each reply to `use`, in order. Receives all replies even if one is an error.
  template <typename Reply>
  void pipeline(const std::function<std::optional<uint32_t>()>& send_next,
                const std::function<void(const Reply&)>& use) {
    std::deque<uint32_t> in_flight;
    std::exception_ptr failure;
    bool more = true;
    while (true) {
      while (more && !failure && in_flight.size() < kClientWindow) {
        const std::optional<uint32_t> id = send_next();
        more = id.has_value();
        if (id) in_flight.push_back(*id);
      }
      if (in_flight.empty()) break;
      try {
        receive<Reply>(in_flight.front(), use);
      } catch (const Error&) {
        if (broken_) throw;
        if (!failure) failure = std::current_exception();
      }
      in_flight.pop_front();
    }
    if (failure) std::rethrow_exception(failure);
  }

  void cancel() {
    const uint32_t id = cancellable_;
    if (id == 0) return;
    asio::post(io_, [this, id] {
      if (!broken_) pipe_->send(encode(CancelCall{id}, id));
    });
  }

  // A call that is cancelled while it is in progress by cancel(), or when `stop` (may be null)
  // becomes true.
  template <typename Reply, typename Message>
  Reply cancellable_call(const Message& message, const std::atomic<bool>* stop) {
    struct Reset {
      Impl& impl;
      ~Reset() {
        impl.cancellable_ = 0;
        impl.stop_ = nullptr;
      }
    } const reset{*this};
    cancellable_ = next_id_;  // set before sending: cancel() may follow at once
    stop_ = stop;
    const uint32_t id = send(message);
    Reply reply;
    receive<Reply>(id, [&](const Reply& received) { reply = received; });
    return reply;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Runs the io_context until `done`; fails if the server is silent for too long.
  void wait_until(const std::function<bool()>& done, const char* what) {
    last_sign_ = Clock::now();
    while (!done()) {
      throw_if_broken();
      cancel_if_stopped();
      io_.restart();
      const auto deadline = last_sign_ + options_.patience;
      const auto wake =
          stop_ == nullptr ? deadline : std::min(deadline, Clock::now() + kStopInterval);
      if (io_.run_one_until(wake) == 0 && !done() && Clock::now() >= deadline) {
        break_off(ErrorCode::kTimeout, fmt::format("no message from the server for {} s ({})",
                                                   seconds(options_.patience), what));
      }
    }
  }

  // The server then replies to the call with an error, unless its result is on the way already.
  void cancel_if_stopped() {
    if (stop_ == nullptr || !*stop_) return;
    stop_ = nullptr;  // once is enough
    pipe_->send(encode(CancelCall{cancellable_}, cancellable_));
  }

  static double seconds(std::chrono::milliseconds time) {
    return std::chrono::duration<double>(time).count();
  }

  Socket connect() {
    Socket socket(io_);
    tcp::resolver resolver(io_);
    std::optional<error_code> end;
    resolver.async_resolve(options_.server.host, std::to_string(options_.server.port),
                           [&](const error_code& error, const tcp::resolver::results_type& found) {
                             if (error) {
                               end = error;
                               return;
                             }
                             asio::async_connect(socket, found,
                                                 [&](const error_code& failure,
                                                     const tcp::endpoint&) { end = failure; });
                           });
    try {
      wait_until([&] { return end.has_value(); }, "connecting");
    } catch (const Error&) {
      // The handlers refer to variables of this stack frame.
      resolver.cancel();
      error_code ignored;
      socket.close(ignored);
      io_.restart();
      while (!end && io_.run_one() > 0) {
      }
      throw;
    }
    if (*end) fail(ErrorCode::kIo, "{}: cannot connect: {}", options_.uri, end->message());
    require_safe(socket);
    return socket;
  }

  void require_safe(const Socket& socket) const {
    error_code error;
    const tcp::endpoint peer = socket.remote_endpoint(error);
    if (!options_.ca.empty() || options_.insecure || peer.address().is_loopback()) return;
    fail(ErrorCode::kInvalidArgument,
         "{}: connections to another machine need TLS; name the server's certificate with ca=FILE "
         "or VTA_RPC_CA (insecure=1 allows plain connections)",
         options_.uri);
  }

  void open_pipe(Socket socket) {
    std::unique_ptr<Channel> channel;
    if (options_.ca.empty()) {
      channel = plain_channel(std::move(socket));
    } else {
      tls_ = client_context({options_.ca, options_.certificate, options_.key}, options_.server.host,
                            [this](const std::string& why) { refused_certificate_ = why; });
      channel = tls_channel(std::move(socket), *tls_, TlsSide::kClient, options_.server.host);
    }
    pipe_ = std::make_shared<FramePipe>(std::move(channel));
    bool greeted = false;
    pipe_->start([&greeted] { greeted = true; },
                 [this](Frame frame) { on_frame(std::move(frame)); },
                 [this](const std::string& reason, bool) { on_end(reason); });
    wait_until([&] { return greeted; }, "handshake");
  }

  void on_frame(Frame frame) {
    last_sign_ = Clock::now();
    if (frame.header.type == MessageType::kWaiting) return;
    replies_.push_back(std::move(frame));
  }

  void on_end(const std::string& reason) {
    if (broken_) return;
    const bool has_refused = !refused_certificate_.empty();
    broken_.emplace(
        ErrorCode::kIo,
        fmt::format("{}: {}{}", options_.uri, has_refused ? refused_certificate_ : reason,
                    has_refused || greeted_ ? "" : encryption_hint(reason)));
  }

  // The likely mistake if the server ends the connection before its first reply.
  const char* encryption_hint(const std::string& reason) const {
    if (reason.find("certificate") != std::string::npos) return "";
    return options_.ca.empty() ? " (before the server's first reply; is it a vta-rpc-server? If it "
                                 "uses TLS, name its certificate with ca=FILE or VTA_RPC_CA)"
                               : "; if the server does not use TLS, leave out ca= and VTA_RPC_CA";
  }

  Frame next_reply(uint32_t id) {
    wait_until([&] { return !replies_.empty(); }, "waiting for a reply");
    Frame frame = std::move(replies_.front());
    replies_.pop_front();
    if (frame.header.id == 0 && frame.header.type == MessageType::kError) {
      const auto reply = decode_or_break<ErrorReply>(frame);  // an error of the connection
      break_off(error_code_of(reply), reply.message);
    }
    if (frame.header.id != id) {
      break_off(ErrorCode::kIo,
                fmt::format("expected the reply to call {}, got the reply to call {}", id,
                            frame.header.id));
    }
    return frame;
  }

  template <typename Message>
  Message decode_or_break(const Frame& frame) {
    if (frame.header.type != Message::kType) {
      break_off(ErrorCode::kIo, fmt::format("got a {} for a {}", to_string(frame.header.type),
                                            to_string(Message::kType)));
    }
    try {
      return decode<Message>(frame.body);
    } catch (const Error& error) {
      break_off(ErrorCode::kIo, error.what());
    }
  }

  [[noreturn]] void break_off(ErrorCode code, const std::string& reason) {
    if (!broken_) broken_.emplace(code, fmt::format("{}: {}", options_.uri, reason));
    if (pipe_) pipe_->close();
    throw *broken_;
  }

  // If the server sent a last error, it is the reason.
  void throw_if_broken() {
    if (broken_ && replies_.empty()) throw *broken_;
  }

  const ClientOptions options_;
  asio::io_context io_;
  std::string refused_certificate_;  // why; "" if none was
  std::shared_ptr<asio::ssl::context> tls_;
  std::shared_ptr<FramePipe> pipe_;
  std::deque<Frame> replies_;
  std::optional<Error> broken_;
  Clock::time_point last_sign_;
  bool greeted_ = false;  // the server has replied to hello
  uint32_t next_id_ = 1;
  std::atomic<uint32_t> cancellable_ = 0;    // the id of the call in progress, if it is cancellable
  const std::atomic<bool>* stop_ = nullptr;  // cancels it
};

Client::Client(const ClientOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Client::~Client() = default;

bool Client::is_broken() const { return impl_->is_broken(); }

// What a server says is input, like a file: the caller computes with the sizes of its core.
driver::DeviceDescription Client::describe() {
  driver::DeviceDescription device = impl_->call<DescribeReply>(DescribeCall{}).device;
  try {
    check(device.core);
  } catch (const Error& error) {
    fail(ErrorCode::kIo, "{}: the server describes an illegal core: {}", impl_->uri(),
         error.what());
  }
  device.core.name = printable(device.core.name);
  return device;
}

driver::DeviceAddress Client::allocate(uint64_t size_bytes) {
  return {impl_->call<AllocateReply>(AllocateCall{size_bytes}).address_bytes};
}

void Client::free(driver::DeviceAddress address) {
  impl_->call<FreeReply>(FreeCall{address.bytes});
}

void Client::copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src) {
  size_t sent = 0;
  const auto send_next = [&]() -> std::optional<uint32_t> {
    if (sent == src.size()) return std::nullopt;
    const auto chunk = src.subspan(sent, std::min<size_t>(kMaxChunkBytes, src.size() - sent));
    const uint32_t id = impl_->send(CopyInCall{dst.bytes + sent, chunk});
    sent += chunk.size();
    return id;
  };
  impl_->pipeline<CopyInReply>(send_next, [](const CopyInReply&) {});
}

void Client::copy_out(std::span<uint8_t> dst, driver::DeviceAddress src) {
  size_t asked = 0, received = 0;
  const auto send_next = [&]() -> std::optional<uint32_t> {
    if (asked == dst.size()) return std::nullopt;
    const size_t size = std::min<size_t>(kMaxChunkBytes, dst.size() - asked);
    const uint32_t id = impl_->send(CopyOutCall{src.bytes + asked, static_cast<uint32_t>(size)});
    asked += size;
    return id;
  };
  impl_->pipeline<CopyOutReply>(send_next, [&](const CopyOutReply& reply) {
    const size_t size = std::min<size_t>(kMaxChunkBytes, dst.size() - received);
    if (reply.data.size() != size) {
      fail(ErrorCode::kIo, "copy_out: expected {}, got {}", counted(size, "byte"),
           reply.data.size());
    }
    std::memcpy(dst.data() + received, reply.data.data(), size);
    received += size;
  });
}

hw::Counters Client::run(const driver::RunRequest& request) {
  const RunReply reply = impl_->cancellable_call<RunReply>(to_call(request), request.stop);
  if (!is_time(reply.seconds))
    fail(ErrorCode::kIo, "{}: run: {} is not a time", impl_->uri(), reply.seconds);
  if (request.remote_seconds != nullptr) *request.remote_seconds = reply.seconds;
  if (request.part_ends != nullptr) {
    request.part_ends->clear();
    if (reply.part_cycles.size() == request.parts.size())
      for (uint64_t cycles : reply.part_cycles) request.part_ends->push_back({cycles});
  }
  return reply.counters;
}

driver::Evaluation Client::evaluate(const driver::RunRequest& request, uint32_t number,
                                    uint32_t repeat) {
  EvaluateCall call;
  call.number = number;
  call.repeat = repeat;
  call.run = to_call(request);
  driver::Evaluation evaluation =
      impl_->cancellable_call<EvaluateReply>(call, request.stop).evaluation;
  if (evaluation.seconds.size() == repeat && std::ranges::all_of(evaluation.seconds, is_time))
    return evaluation;
  fail(ErrorCode::kIo, "{}: evaluate: expected {}, got {} that are not all times", impl_->uri(),
       counted(repeat, "time"), counted(evaluation.seconds.size(), "number"));
}

std::string Client::flash(const Bitstream& bitstream) {
  const std::span<const uint8_t> bytes = bitstream.bytes;
  impl_->call<FlashBeginReply>(FlashBeginCall{static_cast<uint32_t>(bytes.size()), crc32(bytes),
                                              bitstream.board, bitstream.core, bitstream.file});
  size_t sent = 0;
  const auto send_next = [&]() -> std::optional<uint32_t> {
    if (sent == bytes.size()) return std::nullopt;
    const auto chunk = bytes.subspan(sent, std::min<size_t>(kMaxChunkBytes, bytes.size() - sent));
    sent += chunk.size();
    return impl_->send(FlashDataCall{chunk});
  };
  impl_->pipeline<FlashDataReply>(send_next, [](const FlashDataReply&) {});
  return impl_->call<FlashEndReply>(FlashEndCall{}).text;
}

void Client::cancel() { impl_->cancel(); }

}  // namespace vta::rpc
