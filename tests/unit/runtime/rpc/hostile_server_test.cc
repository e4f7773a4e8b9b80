// SPDX-License-Identifier: Apache-2.0
//
// Servers whose replies are well-formed frames with fields of any value: a client ends with an
// error or with a result that is in its range.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <thread>

#include "runtime/program/stream_races.h"
#include "runtime/rpc/client.h"
#include "runtime/rpc/messages.h"
#include "tests/support/error_in.h"
#include "tests/support/test_count.h"
#include "tests/support/tiny_program.h"

namespace vta::rpc {
namespace {

// Frame by frame, one connection after the other, until the object ends.
class HostileServer {
 public:
  // Returns the reply to a call; empty: closes the connection.
  using Reply = std::function<std::vector<uint8_t>(const Frame& call)>;

  explicit HostileServer(Reply reply) : reply_(std::move(reply)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 8) != 0 ||
        ::getsockname(listener_, generic, &size) != 0)
      fail(ErrorCode::kIo, "cannot listen on loopback");
    uri_ = fmt::format("rpc://127.0.0.1:{}", ntohs(address.sin_port));
    thread_ = std::thread([this] { serve(); });
  }
  ~HostileServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }

  const std::string& uri() const { return uri_; }

 private:
  void serve() {
    for (int peer; (peer = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      while (serve_call(peer)) {
      }
      ::close(peer);
    }
  }
  bool serve_call(int peer) {
    HeaderBytes header;
    if (!receive(peer, header)) return false;
    Frame call{decode_header(header, kMaxBodyBytes), {}};
    call.body.resize(call.header.body_bytes);
    if (!receive(peer, call.body)) return false;
    const std::vector<uint8_t> reply = reply_(call);
    return !reply.empty() && ::send(peer, reply.data(), reply.size(), MSG_NOSIGNAL) ==
                                 static_cast<ssize_t>(reply.size());
  }
  static bool receive(int peer, std::span<uint8_t> bytes) {
    return bytes.empty() || ::recv(peer, bytes.data(), bytes.size(), MSG_WAITALL) ==
                                static_cast<ssize_t>(bytes.size());
  }

  const Reply reply_;
  int listener_ = -1;
  std::string uri_;
  std::thread thread_;
};

// What an honest server replies, of a core with `core`'s sizes.
std::vector<uint8_t> honest_reply(const Frame& call, const CoreConfig& core) {
  const uint32_t id = call.header.id;
  switch (call.header.type) {
    case MessageType::kHello:
      return encode(HelloReply{kProtocolVersion, 1 << 20}, id);
    case MessageType::kDescribe:
      return encode(DescribeReply{{"functional", core, false}}, id);
    case MessageType::kAllocate:
      return encode(AllocateReply{4096}, id);
    case MessageType::kFree:
      return encode(FreeReply{}, id);
    case MessageType::kCopyIn:
      return encode(CopyInReply{}, id);
    case MessageType::kCopyOut: {
      const std::vector<uint8_t> data(decode<CopyOutCall>(call.body).size_bytes);
      return encode(CopyOutReply{data}, id);
    }
    case MessageType::kRun:
      return encode(RunReply{}, id);
    case MessageType::kEvaluate: {
      EvaluateReply reply;
      reply.evaluation.seconds = {1, 2, 3};
      return encode(reply, id);
    }
    default:
      return {};
  }
}

ClientOptions options_of(const HostileServer& server) { return parse_client_uri(server.uri()); }

std::string description_error(const CoreConfig& core) {
  const HostileServer server([&](const Frame& call) { return honest_reply(call, core); });
  Client client(options_of(server));
  return error_in([&] { client.describe(); }, ErrorCode::kIo);
}

TEST(HostileServer, IllegalSizesOfItsCoreAreErrorsThatNameTheField) {
  EXPECT_EQ(description_error(support::TinyProgram::core()), "");
  for (const auto field :
       {&CoreConfig::batch, &CoreConfig::block_in, &CoreConfig::block_out,
        &CoreConfig::command_queue_depth, &CoreConfig::alu_folding, &CoreConfig::pixels}) {
    for (const uint32_t value : {0u, 1u << 31, UINT32_MAX}) {
      CoreConfig core = support::TinyProgram::core();
      core.*field = value;
      const std::string error = description_error(core);
      EXPECT_NE(error.find("describes an illegal core"), std::string::npos) << error;
      EXPECT_NE(error.find(fmt::format("is {}, must be", value)), std::string::npos) << error;
    }
  }
}

TEST(HostileServer, TimesThatAreNotTimesAreAnError) {
  for (const auto& seconds : {std::vector<double>{1, 2}, std::vector<double>{1, 2, NAN},
                              std::vector<double>{1, -2, 3}, std::vector<double>(4096, 1)}) {
    const HostileServer server([&](const Frame& call) {
      if (call.header.type != MessageType::kEvaluate)
        return honest_reply(call, support::TinyProgram::core());
      EvaluateReply reply;
      reply.evaluation.seconds = seconds;
      return encode(reply, call.header.id);
    });
    Client client(options_of(server));
    EXPECT_THROW(client.evaluate({}, 1, 3), Error);
  }
  for (const double seconds : {double{NAN}, -1.0, double{INFINITY}}) {
    const HostileServer server([&](const Frame& call) {
      if (call.header.type != MessageType::kRun)
        return honest_reply(call, support::TinyProgram::core());
      return encode(RunReply{.seconds = seconds}, call.header.id);
    });
    Client client(options_of(server));
    const std::string error = error_in([&] { client.run({}); }, ErrorCode::kIo);
    EXPECT_NE(error.find("is not a time"), std::string::npos) << error;
  }
}

// Changes fields of replies, not frames: fuzzed frames are scripts/fuzz rpc's.
class FieldMutator {
 public:
  explicit FieldMutator(uint64_t seed) : random_(seed) {}

  static constexpr size_t kMaxReply = kFrameHeaderBytes + kMaxBodyBytes;

  std::vector<uint8_t> operator()(std::vector<uint8_t> reply, const FrameHeader& call) {
    if (reply.empty() || from(0, 3) != 0 || call.type == MessageType::kHello) return reply;
    const uint32_t what = from(0, 9);
    const std::span body = std::span(reply).subspan(kFrameHeaderBytes);
    if (what == 0) return {};  // closes the connection
    if (what == 1)
      return encode(ErrorReply{static_cast<uint16_t>(from(0, 65535)), "\x1b[31m"}, call.id);
    if (what == 2)
      return encode(FaultReply{static_cast<uint8_t>(from(0, 255)), 7, 1, "\n"}, call.id);
    if (what == 3) reply.resize(kFrameHeaderBytes + from(0, static_cast<uint32_t>(body.size())));
    if (what == 4) reply.resize(std::min<size_t>(reply.size() + from(1, 64), kMaxReply), 0xff);
    if (what > 4 && !body.empty()) overwrite(body);
    const auto type = static_cast<MessageType>(0x8000 + static_cast<uint32_t>(call.type));
    write_header(type, what == 9 ? call.id + from(0, 1) : call.id, reply);
    return reply;
  }

 private:
  uint32_t from(uint32_t first, uint32_t last) {
    return std::uniform_int_distribution<uint32_t>(first, last)(random_);
  }
  // A field of one to eight bytes takes an extreme value.
  void overwrite(std::span<uint8_t> body) {
    constexpr uint64_t kValues[] = {0, 1, 3, 0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX};
    const uint64_t value = kValues[from(0, 6)];
    const uint32_t size = 1u << from(0, 3), at = from(0, static_cast<uint32_t>(body.size()) - 1);
    for (uint32_t i = 0; i < size && at + i < body.size(); ++i)
      body[at + i] = static_cast<uint8_t>(value >> 8 * i);
  }

  std::mt19937_64 random_;
};

// Uses a device as vta-sim exec does. Errors: any.
void use(Client& client) {
  const driver::DeviceDescription device = client.describe();
  check(device.core);
  const std::vector<isa::InstructionBits> stream(4);
  const std::vector<uint8_t> arena(4096);
  find_flaws(stream, device.core, {arena, arena.size()});
  const driver::DeviceAddress address = client.allocate(arena.size());
  client.copy_in(address, arena);
  driver::RunRequest request{address, arena.size(), 0, 4, std::chrono::seconds(1)};
  std::vector<driver::PartEnd> ends;
  request.parts = {{"", 4}};
  request.part_ends = &ends;
  client.run(request);
  EXPECT_LE(ends.size(), 1u);
  for (const double seconds : client.evaluate(request, 1, 3).seconds)
    EXPECT_TRUE(std::isfinite(seconds) && seconds >= 0) << seconds;
  std::vector<uint8_t> bytes(100'000);
  client.copy_out(bytes, address);
  client.free(address);
}

TEST(HostileServer, ClientsEndWithAnErrorOrAResultInRange) {
  const support::Seeds seeds = support::test_seeds(1, 300);
  std::atomic<uint64_t> seed = seeds.begin;
  std::optional<FieldMutator> mutate;  // of the connection
  const HostileServer server([&](const Frame& call) {
    if (call.header.type == MessageType::kHello) mutate.emplace(seed);
    return (*mutate)(honest_reply(call, support::TinyProgram::core()), call.header);
  });
  for (; seed < seeds.end; ++seed) {
    SCOPED_TRACE(fmt::format("VTA_TEST_SEED={}", seed.load()));
    try {
      Client client(options_of(server));
      use(client);
    } catch (const Error& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
    }
  }
}

}  // namespace
}  // namespace vta::rpc
