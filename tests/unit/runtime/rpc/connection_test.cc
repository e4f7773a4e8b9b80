// SPDX-License-Identifier: Apache-2.0
//
// Connections whose other side violates the protocol, or which run out of memory.
#include "runtime/rpc/connection.h"

#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <string>
#include <vector>

#include "runtime/rpc/listener.h"
#include "runtime/rpc/messages.h"
#include "tests/unit/runtime/rpc/fake_channel.h"
#include "tests/unit/runtime/rpc/slow_device.h"

namespace vta::rpc {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using std::chrono::milliseconds;

// Runs `io` until `condition` holds.
template <typename Condition>
void run_until(asio::io_context& io, Condition condition) {
  const auto work = asio::make_work_guard(io);  // the condition may depend on another thread
  for (int i = 0; i < 3000 && !condition(); ++i) {
    io.restart();
    io.run_one_for(milliseconds(10));
  }
  EXPECT_TRUE(condition());
}

TEST(RpcListener, TakesTheNextConnectionWhereOneFails) {
  asio::io_context io;
  Listener listener(io, {asio::ip::address_v4::loopback(), 0}, "loopback");
  int taken = 0;
  std::vector<std::string> errors;
  listener.start(
      [&](const Socket&) {
        if (++taken == 1) throw std::bad_alloc();
        if (taken == 2) throw boost::system::system_error(asio::error::no_memory, "TLS");
      },
      [&](const std::string& what) { errors.push_back(what); });
  std::vector<tcp::socket> clients;
  for (int i = 1; i <= 3; ++i) {
    clients.emplace_back(io).connect({asio::ip::address_v4::loopback(), listener.port()});
    run_until(io, [&] { return taken == i; });
  }
  EXPECT_EQ(errors.size(), 2u);
}

TEST(RpcFramePipe, EndsWhereAFrameCannotBeTaken) {
  asio::io_context io;
  FakeWire wire(io);
  const auto pipe = std::make_shared<FramePipe>(wire.channel());
  std::string reason;
  pipe->start(
      {}, [](const Frame&) { throw std::bad_alloc(); },
      [&](const std::string& why, bool corrupt) {
        reason = why;
        EXPECT_FALSE(corrupt);
      });
  wire.arrive(encode(AllocateCall{1}, 1));
  EXPECT_NO_THROW(io.poll());
  EXPECT_EQ(reason, std::bad_alloc().what());
  EXPECT_TRUE(wire.is_closed);
}

// A connected client with memory, on a device whose runs wait.
struct RpcConnection : testing::Test {
  RpcConnection() {
    options.limits.heartbeat = milliseconds(5);
    options.limits.drain = milliseconds(20);
    connection = std::make_shared<Connection>(host, 1, "test", wire.channel());
    connection->start();
    wire.arrive(encode(HelloCall{}, 1));
    wire.arrive(encode(AllocateCall{16}, 2));
    run_until(io, [&] { return replies().size() == 2; });
  }
  ~RpcConnection() override {
    control.allow(1000);
    connection->finish("the test is over");
    run_until(io, [&] { return control.live_blocks == 0; });
    wire.hang_up();  // otherwise the connection waits for it, longer than the test
    run_until(io, [&] { return wire.is_closed; });
  }

  static std::vector<uint8_t> run_call(uint32_t id) {
    return encode(RunCall{driver::kArenaAlignmentBytes, 16, 0, 0, 60'000, ""}, id);
  }
  // Without waiting messages.
  std::vector<Frame> replies() const {
    std::vector<Frame> frames = wire.frames();
    std::erase_if(frames, [](const Frame& f) { return f.header.type == MessageType::kWaiting; });
    return frames;
  }

  SlowDevice::Control control;
  asio::io_context io;
  FakeWire wire{io};
  ServerOptions options;
  std::vector<std::string> log;
  bool gone = false;
  const ConnectionHost host{io,
                            queue,
                            options,
                            [this](const std::string& line) { log.push_back(line); },
                            [this](const std::string& line) { log.push_back(line); },
                            [](DeviceQueue::ClientId) { return true; },
                            [](DeviceQueue::ClientId) {},
                            [this](DeviceQueue::ClientId) { gone = true; }};
  DeviceQueue queue{{[this] { return std::make_unique<SlowDevice>(control); }, {}}};
  std::shared_ptr<Connection> connection;
};

TEST_F(RpcConnection, EndsWhereASignOfLifeCannotBeSent) {
  wire.arrive(run_call(3));
  wire.breaks = true;
  EXPECT_NO_THROW(run_until(io, [&] { return gone; }));
  EXPECT_TRUE(wire.is_closed);
}

TEST_F(RpcConnection, ACancelledRunsResultIsNotThatOfALaterCallWithItsId) {
  wire.arrive(run_call(3));
  run_until(io, [&] { return control.started == 1; });
  wire.arrive(encode(CancelCall{3}, 3));
  wire.arrive(run_call(3));
  run_until(io, [&] { return replies().size() == 3; });
  EXPECT_EQ(decode<ErrorReply>(replies()[2].body).message, "cancelled by the client");
  const size_t so_far = wire.frames().size();
  run_until(
      io, [&] { return wire.frames().size() > so_far; });  // a waiting message: the call is waiting
  control.allow(2);
  run_until(io, [&] { return replies().size() == 4; });
  EXPECT_EQ(decode<RunReply>(replies()[3].body).counters.gemm_counter, 2u) << "the second run's";
}

TEST_F(RpcConnection, CancelsAloneDoNotKeepAnIdleClient) {
  options.limits.idle = milliseconds(30);
  for (int i = 0; i < 3000 && !gone; ++i) {
    wire.arrive(encode(CancelCall{3}, 3));
    io.restart();
    io.run_for(milliseconds(5));
  }
  EXPECT_TRUE(gone);
  run_until(io, [&] { return wire.is_finished; });
  EXPECT_EQ(decode<ErrorReply>(replies().back().body).message,
            "the server closed the connection: idle for more than 0.03 s");
}

TEST_F(RpcConnection, IsLeftWhereItsClientDoesNotReadAndTheServerStops) {
  wire.takes = false;
  const size_t so_far = wire.frames().size();
  wire.arrive(encode(FreeCall{driver::kArenaAlignmentBytes}, 3));
  run_until(io, [&] { return wire.frames().size() > so_far; });
  connection->finish("the server is stopping");
  run_until(io, [&] { return gone; });
  EXPECT_FALSE(wire.is_closed) << "the reply may still get out";
  run_until(io, [&] { return wire.is_closed; });
}

TEST_F(RpcConnection, SaysWhyItEndsAfterTheReplyOfTheRunInProgress) {
  wire.arrive(run_call(3));
  run_until(io, [&] { return control.started == 1; });
  wire.arrive(run_call(4));
  const size_t so_far = wire.frames().size();
  // Two waiting messages: meanwhile header and body of the call have been read.
  run_until(io, [&] { return wire.frames().size() > so_far + 1; });
  connection->finish("the server is stopping");
  EXPECT_FALSE(gone) << "a run is in progress";
  control.allow(1);
  run_until(io, [&] { return wire.is_finished; });
  const std::vector<Frame> frames = replies();
  ASSERT_EQ(frames.size(), 5u);
  EXPECT_EQ(frames[2].header.id, 4u);
  EXPECT_EQ(decode<RunReply>(frames[3].body).counters.gemm_counter, 1u);
  EXPECT_EQ(frames[4].header.id, 0u);
  EXPECT_EQ(decode<ErrorReply>(frames[4].body).message, "the server is stopping");
}

}  // namespace
}  // namespace vta::rpc
