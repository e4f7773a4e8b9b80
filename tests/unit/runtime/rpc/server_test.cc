// SPDX-License-Identifier: Apache-2.0
//
// Server and client in one process, over loopback.
#include "runtime/rpc/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <future>
#include <memory>
#include <system_error>
#include <thread>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "base/limits/stopwatch.h"
#include "driver/evaluation.h"
#include "runtime/rpc/certificate.h"
#include "runtime/rpc/client.h"
#include "runtime/rpc/client_memory.h"
#include "runtime/rpc/messages.h"
#include "runtime/rpc/rpc_device.h"
#include "sim/functional/functional_device.h"
#include "tests/support/error_in.h"
#include "tests/support/served.h"
#include "tests/support/tiny_program.h"
#include "tests/unit/runtime/rpc/slow_device.h"

namespace vta::rpc {
namespace {

using std::chrono::milliseconds;
using support::Served;
using support::TinyProgram;

ServerOptions functional_options() {
  ServerOptions options;
  options.open_device = [] {
    return sim::open_functional_device("functional", TinyProgram::core());
  };
  return options;
}

std::unique_ptr<driver::Device> open(const Served& served, const std::string& query = "") {
  return open_rpc_device(served.uri() + query, {});
}

template <typename Action>
std::pair<ErrorCode, std::string> error_of(Action action) {
  const Error error = expect_error(action);
  return {error.code(), error.what()};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

ServerOptions slow_options(SlowDevice::Control& control) {
  ServerOptions options;
  options.open_device = [&control] { return std::make_unique<SlowDevice>(control); };
  options.limits.heartbeat = milliseconds(20);
  return options;
}

driver::RunRequest run_request(driver::DeviceAddress arena) {
  driver::RunRequest request;
  request.arena = arena;
  request.arena_bytes = 16;
  return request;
}

// Waits for an event in the server's threads.
template <typename Condition>
void eventually(Condition condition) {
  for (int i = 0; i < 3000 && !condition(); ++i) std::this_thread::sleep_for(milliseconds(10));
  EXPECT_TRUE(condition());
}

// A connection that has sent bytes. The caller closes it.
int connection_with(uint16_t port, const std::vector<uint8_t>& bytes) {
  const int client = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(::send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
  return client;
}

// The server's response to bytes, until it closes.
std::vector<uint8_t> answer_to(uint16_t port, const std::vector<uint8_t>& bytes) {
  const int client = connection_with(port, bytes);
  std::vector<uint8_t> answer(4096);
  size_t size = 0;
  for (ssize_t got; (got = ::recv(client, &answer[size], answer.size() - size, 0)) > 0;)
    size += got;
  ::close(client);
  answer.resize(size);
  return answer;
}

// The message of the error with which a server rejects bytes; "" if it only closes.
std::string refusal(const Served& served, const std::vector<uint8_t>& bytes) {
  const std::vector<uint8_t> answer = answer_to(served.port(), bytes);
  if (answer.empty()) return "";
  return decode<ErrorReply>(std::span(answer).subspan(kFrameHeaderBytes)).message;
}

TEST(RpcServer, RunsWhatALocalDeviceRuns) {
  const Served served(functional_options());
  const auto device = open(served);
  EXPECT_EQ(device->describe().core.name, "tiny_1x8");
  EXPECT_EQ(device->describe().uri, served.uri());
  EXPECT_FALSE(device->describe().timed);
  const auto local = functional_options().open_device();
  TinyProgram there(*device), here(*local);
  for (const auto& [x, w] : {std::pair<int8_t, int8_t>{2, -3}, {5, 1}}) {
    there.set_operands(x, w);
    here.set_operands(x, w);
    EXPECT_EQ(device->run(there.request()), local->run(here.request()));
    EXPECT_EQ(there.result(), TinyProgram::expected(x, w));
  }
}

TEST(RpcServer, CopiesOfAnySizeComeBackAsTheyWere) {
  const Served served(functional_options());
  const auto device = open(served);
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{65535}, size_t{65536}, size_t{65537}, size_t{1'000'003}}) {
    std::vector<uint8_t> in(size), out(size);
    for (size_t i = 0; i < size; ++i) in[i] = static_cast<uint8_t>(i * 31 + i / 65536);
    const driver::DeviceAddress address = device->allocate(size + 1);
    device->copy_in(address, in);
    device->copy_out(out, address);
    EXPECT_EQ(in, out) << size;
    device->free(address);
  }
}

TEST(RpcServer, ForwardsErrorsAndFaultsOfTheDevice) {
  const Served served(functional_options());
  const auto device = open(served);
  TinyProgram program(*device);
  driver::RunRequest request = program.request();
  --request.num_instructions;  // without FINISH
  try {
    device->run(request);
    ADD_FAILURE() << "no fault";
  } catch (const driver::DeviceFault& fault) {
    EXPECT_EQ(fault.fault, isa::kNoFinish);
    EXPECT_TRUE(contains(fault.what(), "FINISH")) << fault.what();
  }
  std::vector<uint8_t> bytes(8);
  EXPECT_EQ(error_of([&] { device->copy_out(bytes, {1}); }).first, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error_of([&] { device->free({1}); }).first, ErrorCode::kInvalidArgument);
  EXPECT_NO_THROW(device->run(program.request())) << "the session goes on";
}

TEST(RpcServer, ALargeCopyIntoTheVoidIsOneErrorAndTheSessionGoesOn) {
  const Served served(functional_options());
  const auto device = open(served);
  const driver::DeviceAddress address = device->allocate(100'000);
  std::vector<uint8_t> bytes(1'000'000, 1);
  EXPECT_EQ(error_of([&] { device->copy_in(address, bytes); }).first, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error_of([&] { device->copy_out(bytes, address); }).first, ErrorCode::kInvalidArgument);
  EXPECT_NO_THROW(device->copy_in(address, std::span(bytes).first(100'000)));
}

TEST(RpcServer, MemoryIsLimitedForEachClient) {
  ServerOptions options = functional_options();
  options.limits.memory_bytes = 2 * ClientMemory::kGranuleBytes;
  options.limits.total_memory_bytes = 3 * ClientMemory::kGranuleBytes;
  const Served served(options);
  auto first = open(served);
  const auto second = open(served);
  first->allocate(ClientMemory::kGranuleBytes + 1);
  EXPECT_TRUE(contains(error_of([&] { first->allocate(1); }).second, "this client's limit"));
  EXPECT_NO_THROW(second->allocate(1));
  EXPECT_TRUE(contains(error_of([&] { second->allocate(1); }).second, "for all clients"));
  first.reset();
  bool has_more = false;
  eventually([&] {
    try {
      if (!has_more) second->allocate(1);
      return has_more = true;
    } catch (const Error&) {
      return false;
    }
  });
}

TEST(RpcServer, AClientsMemoryIsFreedWhenItGoes) {
  SlowDevice::Control control;
  const Served served(slow_options(control));
  auto device = open(served);
  device->allocate(1);
  device->allocate(1);
  EXPECT_EQ(control.live_blocks, 2);
  device.reset();
  eventually([&] { return control.live_blocks == 0; });
}

TEST(RpcServer, EvaluatesWhereTheDeviceIs) {
  const Served served(functional_options());
  const auto device = open(served);
  TinyProgram program(*device);
  program.set_operands(1, 2);
  const driver::Evaluation there = driver::evaluate(*device, program.request(), 3, 4);
  EXPECT_EQ(there.seconds.size(), 4u);
  for (const double seconds : there.seconds) EXPECT_GT(seconds, 0);
  driver::RunRequest request = program.request();
  std::optional<double> remote_seconds;
  request.remote_seconds = &remote_seconds;
  const Stopwatch stopwatch;
  EXPECT_EQ(there.counters, device->run(request));
  EXPECT_LT(remote_seconds.value(), stopwatch.seconds()) << "the connection takes time, too";
  EXPECT_GT(*remote_seconds, 0);
  EXPECT_EQ(program.result(), TinyProgram::expected(1, 2));
}

TEST(RpcServer, ClientsWaitForLongRuns) {
  SlowDevice::Control control;
  const Served served(slow_options(control));
  ClientOptions options = parse_client_uri(served.uri());
  options.patience = milliseconds(300);
  Client first(options), second(options);
  const auto arena = first.allocate(16), other = second.allocate(16);
  auto run = std::async(std::launch::async, [&] { first.run(run_request(arena)); });
  control.wait_for_start(1);
  auto queued = std::async(std::launch::async, [&] { second.run(run_request(other)); });
  std::this_thread::sleep_for(milliseconds(700));  // longer than the clients' patience
  control.allow(2);
  EXPECT_NO_THROW(run.get());
  EXPECT_NO_THROW(queued.get());
}

// A listening socket and its URI.
std::pair<int, std::string> listening_socket() {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  EXPECT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::listen(listener, 1), 0);
  EXPECT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  return {listener, fmt::format("rpc://127.0.0.1:{}", ntohs(address.sin_port))};
}

// Replies to the n-th frame of one client with the n-th of `replies`, then closes.
void answer_one_client(int listener, const std::vector<std::vector<uint8_t>>& replies) {
  const int client = ::accept(listener, nullptr, nullptr);
  for (const std::vector<uint8_t>& reply : replies) {
    HeaderBytes header;
    EXPECT_EQ(::recv(client, header.data(), header.size(), MSG_WAITALL), kFrameHeaderBytes);
    std::vector<uint8_t> body(decode_header(header, kMaxBodyBytes).body_bytes);
    if (!body.empty()) {
      EXPECT_EQ(::recv(client, body.data(), body.size(), MSG_WAITALL),
                static_cast<ssize_t>(body.size()));
    }
    EXPECT_EQ(::send(client, reply.data(), reply.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(reply.size()));
  }
  ::close(client);
}

TEST(RpcDevice, FreesNothingWhereTheServerHasEndedTheConnectionForAnyReason) {
  const auto [listener, uri] = listening_socket();
  for (const ErrorCode code : {ErrorCode::kCorrupt, ErrorCode::kOutOfMemory, ErrorCode::kIo}) {
    const std::vector<std::vector<uint8_t>> replies = {
        encode(HelloReply{}, 1),
        encode(DescribeReply{{"functional", TinyProgram::core(), false}}, 2),
        encode(AllocateReply{4096}, 3),
        encode(to_reply(Error(ErrorCode::kInvalidArgument, "no such block")), 4),
        encode(to_reply(Error(code, "go away")), 0)};
    const std::jthread server(answer_one_client, listener, replies);
    const auto device = open_rpc_device(uri, {});
    const driver::DeviceAddress address = device->allocate(16);
    EXPECT_EQ(error_of([&] { device->free(address); }).first, ErrorCode::kInvalidArgument)
        << "what is wrong with the call is said";
    EXPECT_NO_THROW(device->free(address)) << to_string(code);
    EXPECT_NO_THROW(device->free(address)) << to_string(code);
    EXPECT_EQ(error_of([&] { device->allocate(16); }).first, code);
  }
  ::close(listener);
}

TEST(RpcServer, ASilentServerIsGivenUp) {
  const auto [listener, uri] = listening_socket();
  ClientOptions options = parse_client_uri(uri);
  options.patience = milliseconds(50);
  const auto [code, message] = error_of([&] { Client client(options); });
  EXPECT_EQ(code, ErrorCode::kTimeout);
  EXPECT_TRUE(contains(message, "no message from the server for 0.05 s")) << message;
  ::close(listener);
  const auto refused = error_of([&] { Client client(options); });
  EXPECT_EQ(refused.first, ErrorCode::kIo);
  EXPECT_TRUE(contains(refused.second, "cannot connect")) << refused.second;
}

TEST(RpcServer, ACancelledRunEndsForItsClientAndTheDeviceStaysSound) {
  SlowDevice::Control control;
  const Served served(slow_options(control));
  Client client(parse_client_uri(served.uri()));
  const auto arena = client.allocate(16);
  auto run = std::async(std::launch::async,
                        [&] { return error_of([&] { client.run(run_request(arena)); }); });
  control.wait_for_start(1);
  client.cancel();
  EXPECT_TRUE(contains(run.get().second, "cancelled"));
  control.allow(2);
  EXPECT_NO_THROW(client.run(run_request(arena))) << "the next reply is of the next run";
}

TEST(RpcServer, ACancelledEvaluationHasNoFurtherRuns) {
  SlowDevice::Control control;
  const Served served(slow_options(control));
  Client client(parse_client_uri(served.uri()));
  const auto arena = client.allocate(16);
  auto evaluation = std::async(std::launch::async, [&] {
    return error_of([&] { client.evaluate(run_request(arena), 1000, 1000); });
  });
  control.wait_for_start(1);
  client.cancel();
  EXPECT_TRUE(contains(evaluation.get().second, "cancelled"));
  control.allow(3);
  client.run(run_request(arena));
  EXPECT_EQ(control.started, 2);
}

TEST(RpcServer, AClientThatGoesInTheMiddleOfARunLeavesNothing) {
  SlowDevice::Control control;
  const Served served(slow_options(control));
  auto leaving = std::make_unique<Client>(parse_client_uri(served.uri()));
  Client staying(parse_client_uri(served.uri()));
  const auto arena = leaving->allocate(16), other = staying.allocate(16);
  auto run = std::async(std::launch::async,
                        [&] { return error_of([&] { leaving->run(run_request(arena)); }); });
  control.wait_for_start(1);
  leaving->cancel();
  run.get();
  leaving.reset();  // its run is still on the device
  control.allow(2);
  EXPECT_NO_THROW(staying.run(run_request(other)));
  eventually([&] { return control.live_blocks == 1; });
}

std::vector<uint8_t> operator+(std::vector<uint8_t> a, const std::vector<uint8_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(RpcServer, EndsTheRunOfAClientThatHasGone) {
  SlowDevice::Control control;
  control.heeds_stop = true;
  const Served served(slow_options(control));
  const int client = connection_with(
      served.port(), encode(HelloCall{}, 1) + encode(AllocateCall{16}, 2) +
                         encode(RunCall{driver::kArenaAlignmentBytes, 16, 0, 0, 60'000, ""}, 3));
  control.wait_for_start(1);
  ::close(client);
  eventually([&] { return control.stopped == 1 && control.live_blocks == 0; });
  Client cancelling(parse_client_uri(served.uri()));
  const auto arena = cancelling.allocate(16);
  auto run = std::async(std::launch::async,
                        [&] { return error_of([&] { cancelling.run(run_request(arena)); }); });
  control.wait_for_start(2);
  cancelling.cancel();
  EXPECT_TRUE(contains(run.get().second, "cancelled"));
  eventually([&] { return control.stopped == 2; });
}

// A run or evaluation of a client, in another thread, that `stop` cancels.
struct StoppableCall {
  explicit StoppableCall(const std::string& uri)
      : client(parse_client_uri(uri)), arena(client.allocate(16)) {}

  driver::RunRequest request() const {
    driver::RunRequest result = run_request(arena);
    result.stop = &stop;
    return result;
  }
  void run() {
    error = std::async(std::launch::async,
                       [this] { return error_of([this] { client.run(request()); }).second; });
  }
  void evaluate() {
    error = std::async(std::launch::async, [this] {
      return error_of([this] { client.evaluate(request(), 1000, 1000); }).second;
    });
  }

  Client client;
  driver::DeviceAddress arena;
  std::atomic<bool> stop = false;
  std::future<std::string> error;
};

TEST(RpcServer, AStopOfTheClientEndsItsRunOnTheDevice) {
  SlowDevice::Control control;
  control.heeds_stop = true;
  const Served served(slow_options(control));
  StoppableCall call(served.uri());
  call.run();
  control.wait_for_start(1);
  call.stop = true;
  EXPECT_EQ(call.error.get(), "cancelled by the client");
  eventually([&] { return control.stopped == 1; });
  call.stop = false;
  control.allow(2);
  EXPECT_EQ(call.client.run(call.request()).gemm_counter, 2) << "the connection is usable";
}

TEST(RpcServer, AStopOfTheClientEndsItsEvaluation) {
  SlowDevice::Control control;
  control.heeds_stop = true;
  const Served served(slow_options(control));
  StoppableCall call(served.uri());
  call.evaluate();
  control.allow(5);
  control.wait_for_start(6);
  call.stop = true;
  EXPECT_EQ(call.error.get(), "cancelled by the client");
  eventually([&] { return control.stopped == 1; });
  EXPECT_EQ(control.started, 6);
}

TEST(RpcServer, AStopEndsTheCallOfItsClientAlone) {
  SlowDevice::Control control;
  control.heeds_stop = true;
  const Served served(slow_options(control));
  StoppableCall first(served.uri()), second(served.uri()), third(served.uri());
  first.run();
  control.wait_for_start(1);
  second.run();  // waits for the device
  auto result = std::async(std::launch::async, [&] { return third.client.run(third.request()); });
  second.stop = true;
  EXPECT_EQ(second.error.get(), "cancelled by the client");
  EXPECT_EQ(control.stopped, 0) << "the run of the first client goes on";
  first.stop = true;
  EXPECT_EQ(first.error.get(), "cancelled by the client");
  control.allow(2);
  EXPECT_EQ(result.get().gemm_counter, 2) << "the second client's run has not started";
  EXPECT_EQ(control.stopped, 1);
}

TEST(RpcServer, AFrameThatStopsHalfWayFreesItsSlot) {
  ServerOptions options = functional_options();
  options.limits.clients = 1;
  options.limits.heartbeat = milliseconds(10);
  options.limits.frame = milliseconds(30);
  const Served served(options);
  const std::vector<uint8_t> hello = encode(HelloCall{}, 1), call = encode(AllocateCall{16}, 2);
  for (const size_t sent : {size_t{1}, size_t{kFrameHeaderBytes}, call.size() - 1}) {
    const std::vector<uint8_t> part(call.begin(), call.begin() + sent);
    EXPECT_GT(answer_to(served.port(), hello + part).size(), kFrameHeaderBytes) << "closed";
    EXPECT_NO_THROW(open(served)) << sent;
    eventually([&] {  // the slot of the client above is free, too
      return !contains(refusal(served, encode(HelloCall{1, 1, ""}, 1)), "full");
    });
  }
}

TEST(RpcServer, RefusesId0) {
  const Served served(functional_options());
  EXPECT_EQ(refusal(served, encode(HelloCall{}, 0)), "hello: a call has id 0");
}

TEST(RpcServer, SilentConnectionsDoNotKeepAClientOut) {
  const Served served(functional_options());
  std::vector<int> silent;
  for (int i = 0; i < 400; ++i) silent.push_back(connection_with(served.port(), {}));
  EXPECT_NO_THROW(open(served));
  uint8_t byte = 0;
  EXPECT_EQ(::recv(silent.front(), &byte, 1, 0), 0) << "the oldest gave way";
  for (const int client : silent) ::close(client);
}

TEST(RpcServer, StopsGracefullyAndRepliesToTheRunInProgress) {
  SlowDevice::Control control;
  Served served(slow_options(control));
  Client running(parse_client_uri(served.uri())), queued(parse_client_uri(served.uri())),
      idle(parse_client_uri(served.uri()));
  const auto arena = running.allocate(16), other = queued.allocate(16);
  auto run = std::async(std::launch::async, [&] { running.run(run_request(arena)); });
  control.wait_for_start(1);
  auto waiting = std::async(std::launch::async,
                            [&] { return error_of([&] { queued.run(run_request(other)); }); });
  std::this_thread::sleep_for(milliseconds(100));  // until it is in the queue
  auto stopped = std::async(std::launch::async, [&] { served.stop(); });
  EXPECT_TRUE(contains(waiting.get().second, "the server is stopping"));
  control.allow(1);
  EXPECT_NO_THROW(run.get());
  stopped.get();
  EXPECT_TRUE(contains(error_of([&] { idle.allocate(1); }).second, "the server is stopping"));
  EXPECT_EQ(control.started, 1);
}

TEST(RpcServer, StopsAnEvaluationBetweenItsRuns) {
  SlowDevice::Control control;
  Served served(slow_options(control));
  Client client(parse_client_uri(served.uri()));
  const auto arena = client.allocate(16);
  auto evaluation = std::async(std::launch::async, [&] {
    return error_of([&] { client.evaluate(run_request(arena), 1000, 1000); });
  });
  control.wait_for_start(1);
  auto stopped = std::async(std::launch::async, [&] { served.stop(); });
  std::this_thread::sleep_for(milliseconds(100));
  control.allow(1);
  stopped.get();
  EXPECT_EQ(evaluation.get().first, ErrorCode::kIo);
  EXPECT_LE(control.started, 2);
}

TEST(RpcServer, IdleClientsAreTold) {
  SlowDevice::Control control;
  ServerOptions options = slow_options(control);
  options.limits.idle = milliseconds(100);
  const Served served(options);
  const auto device = open(served);
  device->allocate(1);
  eventually([&] { return control.live_blocks == 0; });
  const auto [code, message] = error_of([&] { device->allocate(1); });
  EXPECT_TRUE(contains(message, "idle for more than 0.1 s")) << message;
  EXPECT_EQ(error_of([&] { device->allocate(1); }).second, message) << "and again";
}

TEST(RpcServer, LimitsTheNumberOfClients) {
  ServerOptions options = functional_options();
  options.limits.clients = 2;
  const Served served(options);
  auto first = open(served), second = open(served);
  EXPECT_TRUE(contains(error_of([&] { open(served); }).second,
                       "the server is full: it has reached its limit of 2 clients"));
  second.reset();
  eventually([&] {
    try {
      open(served);
      return true;
    } catch (const Error&) {
      return false;
    }
  });
}

TEST(RpcServer, ListensBeyondLoopbackOnlyWithCertificateAndToken) {
  const ScratchFolder folder;
  make_certificate(folder.path(), {});
  ServerOptions options = functional_options();
  options.listen = "0.0.0.0:0";
  const auto refused = [&] {
    return contains(error_of([&] { Server server(options); }).second, "beyond loopback");
  };
  EXPECT_TRUE(refused());
  options.token = "0123456789abcdef";
  EXPECT_TRUE(refused());
  options.certificate = folder / "certificate.pem";
  options.key = folder / "key.pem";
  EXPECT_NO_THROW(Server server(options));
  options.token.clear();
  EXPECT_TRUE(refused());
  options.insecure = true;
  EXPECT_NO_THROW(Server server(options));
  options.listen = "pynq:1";
  EXPECT_TRUE(contains(error_of([&] { Server server(options); }).second, "not an IP address"));
}

TEST(RpcServer, StartsWithoutADeviceOnlyIfItCanFlashOne) {
  ServerOptions options;
  options.open_device = []() -> std::unique_ptr<driver::Device> {
    fail(ErrorCode::kDevice, "no core is there");
  };
  EXPECT_EQ(error_of([&] { Server server(options); }).second, "no core is there");
  bool programmed = false;
  options.open_device = [&]() -> std::unique_ptr<driver::Device> {
    if (!programmed) fail(ErrorCode::kDevice, "no core is there");
    return functional_options().open_device();
  };
  options.flash = [&](const Bitstream& bitstream) {
    programmed = true;
    return fmt::format("{} bytes for {}", bitstream.bytes.size(), bitstream.board);
  };
  EXPECT_EQ(error_of([&] { Server server(options); }).second, "no core is there")
      << "without a flash token no client may flash";
  options.flash_token = "fedcba9876543210";
  const ScratchFolder folder;
  write_file(folder / "flash-token", options.flash_token);
  const Served served(options);
  const std::vector<uint8_t> bits(200'000, 7);
  Client runs_only(parse_client_uri(served.uri()));
  EXPECT_TRUE(
      contains(error_of([&] { runs_only.flash({"pynq-z1", "vta_1x16", "vta.bit", bits}); }).second,
               "may only run programs"));
  EXPECT_FALSE(programmed);
  Client client(parse_client_uri(served.uri() + "?token-file=" + (folder / "flash-token")));
  EXPECT_EQ(error_of([&] { client.describe(); }).second, "no core is there");
  EXPECT_EQ(client.flash({"pynq-z1", "vta_1x16", "vta.bit", bits}), "200000 bytes for pynq-z1");
  EXPECT_EQ(client.describe().core.name, "tiny_1x8");
}

TEST(RpcServer, ServesOnWhereItsLogFailsAtTheEndOfAConnection) {
  SlowDevice::Control control;
  ServerOptions options = slow_options(control);
  options.limits.greeting = milliseconds(0);
  std::atomic<int> failures = 0;
  options.log = [&](const std::string& line) {
    if (!contains(line, "greeting timed out")) return;
    ++failures;
    throw std::system_error(std::make_error_code(std::errc::no_space_on_device));
  };
  const Served served(options);
  EXPECT_EQ(refusal(served, {}), "");
  EXPECT_EQ(refusal(served, {}), "") << "the server is still there";
  eventually([&] { return failures == 2; });
}

TEST(RpcTls, CarriesASession) {
  const ScratchFolder folder;
  make_certificate(folder.path(), {"pynq"});
  ServerOptions options = functional_options();
  options.certificate = folder / "certificate.pem";
  options.key = folder / "key.pem";
  options.token = read_text_file(folder / "token").substr(0, 64);
  const Served served(options);
  const auto device =
      open(served, "?ca=" + (folder / "certificate.pem") + "&token-file=" + (folder / "token"));
  TinyProgram program(*device);
  program.set_operands(3, 4);
  device->run(program.request());
  EXPECT_EQ(program.result(), TinyProgram::expected(3, 4));
}

TEST(RpcTls, AStopOfTheClientEndsItsRunOnTheDevice) {
  const ScratchFolder folder;
  make_certificate(folder.path(), {});
  SlowDevice::Control control;
  control.heeds_stop = true;
  ServerOptions options = slow_options(control);
  options.certificate = folder / "certificate.pem";
  options.key = folder / "key.pem";
  const Served served(options);
  StoppableCall call(served.uri() + "?ca=" + (folder / "certificate.pem"));
  for (int run = 1; run <= 3; ++run) {
    call.stop = false;
    call.run();
    control.wait_for_start(run);
    call.stop = true;
    EXPECT_EQ(call.error.get(), "cancelled by the client");
    eventually([&] { return control.stopped == run; });
  }
  call.stop = false;
  control.allow(4);
  EXPECT_EQ(call.client.run(call.request()).gemm_counter, 4);
}

// Writes a key of another type than those of make_certificate().
void write_ed25519_key(const std::filesystem::path& path) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), &EVP_PKEY_free);
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::fopen(path.c_str(), "w"),
                                                                &std::fclose);
  ASSERT_EQ(PEM_write_PrivateKey(file.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr), 1);
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
}

TEST(RpcTls, AKeyOfAnotherCertificateIsRefusedAtTheStart) {
  const ScratchFolder folder, others;
  make_certificate(folder.path(), {});
  make_certificate(others.path(), {});
  write_ed25519_key(folder / "ed25519.pem");
  ServerOptions options = functional_options();
  options.certificate = folder / "certificate.pem";
  for (const std::string& key : {others / "key.pem", folder / "ed25519.pem"}) {
    options.key = key;
    const auto [code, message] = error_of([&] { Served{options}; });
    EXPECT_EQ(code, ErrorCode::kCorrupt) << key;
    EXPECT_TRUE(contains(message, "private key of")) << message;
  }
}

TEST(RpcTls, OtherCertificatesAndPlainClientsAreRefused) {
  const ScratchFolder folder, others;
  make_certificate(folder.path(), {});
  make_certificate(others.path(), {});
  ServerOptions options = functional_options();
  options.certificate = folder / "certificate.pem";
  options.key = folder / "key.pem";
  const Served served(options);
  const std::string untrusted =
      error_of([&] { open(served, "?ca=" + (others / "certificate.pem")); }).second;
  EXPECT_TRUE(contains(untrusted, "the server's certificate is not trusted: ")) << untrusted;
  EXPECT_TRUE(contains(untrusted, "; name it, or its signer's, with ca=FILE")) << untrusted;
  const auto [code, message] = error_of([&] { open(served); });
  EXPECT_EQ(code, ErrorCode::kIo);
  EXPECT_TRUE(contains(message, "If it uses TLS, name its certificate with ca=FILE")) << message;
  EXPECT_NO_THROW(open(served, "?ca=" + (folder / "certificate.pem")));
  const Served plain(functional_options());
  const std::string other_way =
      error_of([&] { open(plain, "?ca=" + (folder / "certificate.pem")); }).second;
  EXPECT_TRUE(contains(other_way, "if the server does not use TLS, leave out ca=")) << other_way;
}

// Signs the certificate of make_certificate() again, with other dates ("20200101000000Z").
void set_validity(const ScratchFolder& folder, const char* from, const char* to) {
  const std::string path = folder / "certificate.pem";
  const auto open_file = [](const std::string& name, const char* mode) {
    return std::unique_ptr<std::FILE, decltype(&std::fclose)>(std::fopen(name.c_str(), mode),
                                                              &std::fclose);
  };
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_X509(open_file(path, "r").get(), nullptr, nullptr, nullptr), &X509_free);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_PrivateKey(open_file(folder / "key.pem", "r").get(), nullptr, nullptr, nullptr),
      &EVP_PKEY_free);
  ASSERT_EQ(ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate.get()), from), 1);
  ASSERT_EQ(ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate.get()), to), 1);
  ASSERT_GT(X509_sign(certificate.get(), key.get(), EVP_sha256()), 0);
  ASSERT_EQ(PEM_write_X509(open_file(path, "w").get(), certificate.get()), 1);
}

TEST(RpcTls, ACertificateThatIsNotValidNowIsRefusedWithItsDatesAndTheClock) {
  struct Case {
    const char *from, *to, *message;
  };
  for (const auto& [from, to, expected] :
       {Case{"20200101000000Z", "20210203040500Z",
             "the server's certificate has expired: it is valid from 2020-01-01 00:00 UTC to "
             "2021-02-03 04:05 UTC, and the clock of this machine is at "},
        Case{
            "99981231235959Z", "99991231235959Z",
            "the server's certificate is not valid yet: it is valid from 9998-12-31 23:59 UTC "}}) {
    const ScratchFolder folder;
    make_certificate(folder.path(), {});
    set_validity(folder, from, to);
    ServerOptions options = functional_options();
    options.certificate = folder / "certificate.pem";
    options.key = folder / "key.pem";
    const Served served(options);
    const auto [code, message] =
        error_of([&] { open(served, "?ca=" + (folder / "certificate.pem")); });
    EXPECT_EQ(code, ErrorCode::kIo);
    EXPECT_TRUE(contains(message, expected)) << message;
    EXPECT_TRUE(contains(message, "; set the clock if it is wrong")) << message;
    EXPECT_FALSE(contains(message, "SSL routines")) << message;
  }
}

TEST(RpcTls, MutualTlsAsksForTheClientsCertificate) {
  const ScratchFolder server, client, stranger;
  for (const ScratchFolder* folder : {&server, &client, &stranger})
    make_certificate(folder->path(), {});
  ServerOptions options = functional_options();
  options.certificate = server / "certificate.pem";
  options.key = server / "key.pem";
  options.client_ca = client / "certificate.pem";
  const Served served(options);
  const std::string ca = "?ca=" + (server / "certificate.pem");
  const auto as = [&](const ScratchFolder& files) {
    return ca + "&cert=" + (files / "certificate.pem") + "&key=" + (files / "key.pem");
  };
  EXPECT_NO_THROW(open(served, as(client))->allocate(1));
  EXPECT_EQ(error_of([&] { open(served, as(stranger)); }).first, ErrorCode::kIo);
  EXPECT_EQ(error_of([&] { open(served, ca); }).first, ErrorCode::kIo);
}

TEST(RpcTls, FilesThatAreNoneAreNamed) {
  const ScratchFolder folder, others;
  make_certificate(folder.path(), {});
  make_certificate(others.path(), {});
  ServerOptions options = functional_options();
  options.certificate = folder / "certificate.pem";
  options.key = others / "key.pem";
  EXPECT_EQ(error_of([&] { Server server(options); }).first, ErrorCode::kCorrupt);
  options.key = folder / "missing.pem";
  EXPECT_EQ(error_of([&] { Server server(options); }).first, ErrorCode::kNotFound);
  options.certificate = folder / "token";
  EXPECT_TRUE(
      contains(error_of([&] { Server server(options); }).second, "token: expected a certificate"));
  EXPECT_EQ(error_of([&] { make_certificate(folder.path(), {}); }).first,
            ErrorCode::kInvalidArgument)
      << "a second time it would lock out clients";
  EXPECT_EQ(error_of([&] { make_certificate(others / "x", {"a,b"}); }).first,
            ErrorCode::kInvalidArgument);
}

TEST(RpcTls, MakesAllFilesOfACertificateOrNone) {
  for (const std::string name : {"certificate.pem", "token", "key.pem", "flash-token"}) {
    const ScratchFolder folder;
    write_file(folder / name, std::string("old"));
    const auto [code, message] = error_of([&] { make_certificate(folder.path(), {}); });
    EXPECT_EQ(code, ErrorCode::kInvalidArgument);
    EXPECT_TRUE(contains(message, name + ": exists already")) << message;
    EXPECT_EQ(read_text_file(folder / name), "old");
    std::filesystem::remove(folder / name);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << name;
  }
}

TEST(RpcTls, WritesSecretsForTheirOwnerWhateverTheUmask) {
  for (const mode_t umask : {mode_t{0}, mode_t{0777}}) {
    const ScratchFolder folder;
    const std::string made = folder / "tls";
    const mode_t before = ::umask(umask);
    make_certificate(made, {});
    ::umask(before);
    const auto mode_of = [](const std::string& path) {
      struct stat status{};
      EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
      return status.st_mode & 0777;
    };
    EXPECT_EQ(mode_of(made), 0700u);
    for (const char* secret : {"/key.pem", "/token", "/flash-token"})
      EXPECT_EQ(mode_of(made + secret), 0600u) << secret;
    EXPECT_EQ(mode_of(made + "/certificate.pem"), 0644u);
  }
}

// Limits the size of files that this process writes.
class FullDisk {
 public:
  FullDisk() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit none = before_;
    none.rlim_cur = 400;  // the key fits, the certificate does not
    ::setrlimit(RLIMIT_FSIZE, &none);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST(RpcTls, LeavesNoPartsOfACertificateOnAFullDisk) {
  const ScratchFolder folder;
  {
    const FullDisk full;
    EXPECT_EQ(error_of([&] { make_certificate(folder.path(), {}); }).first, ErrorCode::kIo);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_NO_THROW(make_certificate(folder.path(), {})) << "once the limit is lifted";
}

TEST(RpcToken, IsAskedForBeforeAnythingElse) {
  const ScratchFolder folder;
  write_file(folder / "right", std::string("0123456789abcdef"));
  write_file(folder / "wrong", std::string("0123456789abcdeF"));
  ServerOptions options = functional_options();
  options.token = "0123456789abcdef";
  const Served served(options);
  EXPECT_NO_THROW(open(served, "?token-file=" + (folder / "right")));
  const auto [code, message] = error_of([&] { open(served, "?token-file=" + (folder / "wrong")); });
  EXPECT_EQ(code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(contains(message, "wrong token")) << message;
  EXPECT_TRUE(contains(error_of([&] { open(served); }).second, "requires a token"));
}

TEST(RpcToken, IsRefusedLateIfItIsWrongAndOthersDoNotWait) {
  ServerOptions options = functional_options();
  options.token = "0123456789abcdef";
  options.limits.wrong_token = milliseconds(60'000);
  std::atomic<int> refusals = 0;
  options.log = [&](const std::string& line) { refusals += contains(line, "wrong token") ? 1 : 0; };
  const Served served(options);
  std::vector<int> guesses;
  for (int i = 0; i < 40; ++i) {
    const std::string guess = fmt::format("0123456789abcd{:02}", i);
    guesses.push_back(
        connection_with(served.port(), encode(HelloCall{kMagic, kProtocolVersion, guess}, 1)));
  }
  eventually([&] { return refusals == 5; });
  EXPECT_EQ(answer_to(served.port(), encode(HelloCall{1, 1, ""}, 1)).empty(), false)
      << "others have their reply at once";
  std::array<uint8_t, 4096> reply;
  EXPECT_LT(::recv(guesses.back(), reply.data(), reply.size(), MSG_DONTWAIT), 0);
  for (const int client : guesses) ::close(client);
}

TEST(RpcToken, HasOneRole) {
  ServerOptions options = functional_options();
  options.token = options.flash_token = "0123456789abcdef";
  EXPECT_TRUE(contains(error_of([&] { Server server(options); }).second, "flash token"));
}

TEST(RpcServer, ReadsOneShortFrameOfStrangers) {
  ServerOptions options = functional_options();
  options.limits.greeting = milliseconds(200);
  options.limits.heartbeat = milliseconds(20);
  const Served served(options);
  EXPECT_EQ(refusal(served, encode(AllocateCall{1}, 1)), "allocate before hello");
  EXPECT_EQ(refusal(served, encode(HelloCall{1, 1, ""}, 1)),
            "hello: not a client of this protocol");
  EXPECT_EQ(refusal(served, encode(HelloCall{kMagic, 7, ""}, 1)),
            "the client has protocol version 7, the server 4");
  const std::vector<uint8_t> large =
      encode_frame(MessageType::kHello, 1, std::vector<uint8_t>(kMaxHelloBodyBytes + 1));
  EXPECT_EQ(refusal(served, {large.begin(), large.begin() + kFrameHeaderBytes}), "");
  EXPECT_EQ(refusal(served, {'G', 'E', 'T', ' ', '/', ' ', 'H', 'T', 'T', 'P', '/', '1', '.', '1',
                             '\r', '\n'}),
            "");
  EXPECT_EQ(refusal(served, {1, 2, 3}), "") << "in time";
  EXPECT_EQ(refusal(served, {}), "") << "in time";
}

TEST(RpcServer, LeavesClientsThatBreakTheProtocol) {
  SlowDevice::Control control;
  control.allow(1000);
  const Served served(slow_options(control));
  const std::vector<uint8_t> hello = encode(HelloCall{}, 1);
  const auto last_error = [&](const std::vector<uint8_t>& bytes) {
    const std::vector<uint8_t> answer = answer_to(served.port(), hello + bytes);
    const size_t reply = kFrameHeaderBytes + 10;  // of hello
    if (answer.size() <= reply + kFrameHeaderBytes) return std::string("closed");
    return decode<ErrorReply>(std::span(answer).subspan(reply + kFrameHeaderBytes)).message;
  };
  EXPECT_EQ(last_error(encode(AllocateCall{1}, 0)), "allocate: a call has id 0");
  std::vector<uint8_t> damaged = encode(AllocateCall{1}, 5);
  damaged.back() ^= 1;
  EXPECT_EQ(last_error(damaged), "closed");
  EXPECT_NO_THROW(open(served)->allocate(1)) << "others do not notice";
}

TEST(RpcServer, LeavesClientsThatAskForTooMuchAtOnce) {
  SlowDevice::Control control;
  std::vector<uint8_t> bytes = encode(HelloCall{}, 1) + encode(AllocateCall{16}, 2);
  for (uint32_t id = 3; id < 3 + 2 * kServerWindow; ++id) {
    bytes = bytes + encode(RunCall{driver::kArenaAlignmentBytes, 16, 0, 0, 1000, ""}, id);
  }
  const Served served(slow_options(control));
  const std::vector<uint8_t> answered = answer_to(served.port(), bytes);
  const std::string text(answered.begin(), answered.end());
  EXPECT_TRUE(contains(text, "more than 16 calls in flight"));
  control.allow(1000);
  eventually([&] { return control.live_blocks == 0; });
  EXPECT_LE(control.started, 1) << "the rest was dropped with the client";
}

}  // namespace
}  // namespace vta::rpc
