// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/client_service.h"

#include <gtest/gtest.h>

#include "base/files/checksum.h"
#include "driver/device_memory.h"
#include "tests/support/error_in.h"

namespace vta::rpc {
namespace {

constexpr uint64_t kPage = driver::kArenaAlignmentBytes;
constexpr uint64_t kGranule = ClientMemory::kGranuleBytes;

// A device with memory that counts runs and records the last request.
struct MemoryDevice : driver::Device {
  driver::DeviceDescription describe() const override { return {"memory", {}, true, false}; }
  driver::DeviceAddress allocate(uint64_t size_bytes) override {
    return memory.allocate(size_bytes);
  }
  void free(driver::DeviceAddress address) override { memory.free(address); }
  void copy_in(driver::DeviceAddress dst, std::span<const uint8_t> src) override {
    memory.copy_in(dst, src);
  }
  void copy_out(std::span<uint8_t> dst, driver::DeviceAddress src) override {
    memory.copy_out(dst, src);
  }
  hw::Counters run(const driver::RunRequest& request) override {
    last = request;
    if (request.name == "fault") throw driver::DeviceFault(isa::kDramRange, 1, 2, "beyond");
    if (request.name == "bug") throw std::logic_error("a bug");
    hw::Counters counters;
    counters.gemm_counter = ++runs;
    return counters;
  }
  driver::DeviceMemory memory{1 << 20};
  driver::RunRequest last;
  uint64_t runs = 0;
};

class Fixture : public testing::Test {
 protected:
  Fixture()
      : slot([this] { return open(); }, [this](const Bitstream& bits) { return flash(bits); }) {
    limits.memory_bytes = 4 * kGranule;
    limits.run = std::chrono::milliseconds(500);
    service.emplace(limits, true);
  }

  std::unique_ptr<driver::Device> open() {
    ++opened;
    auto made = std::make_unique<MemoryDevice>();
    device = made.get();
    return made;
  }
  std::string flash(const Bitstream& bits) {
    flashed.assign(bits.bytes.begin(), bits.bytes.end());
    return bits.board + " " + bits.core + " " + bits.file;
  }

  // The reply of one call after all its turns.
  template <typename Reply, typename Call>
  Reply call(const Call& message) {
    const std::vector<uint8_t> frame = encode(message, 5);
    CallState state({{0, Call::kType, 5, 0}, {frame.begin() + kFrameHeaderBytes, frame.end()}});
    std::optional<std::vector<uint8_t>> reply;
    for (turns = 1; !(reply = service->turn(state, slot)); ++turns) {
    }
    HeaderBytes header;
    std::copy_n(reply->begin(), kFrameHeaderBytes, header.begin());
    reply_type = decode_header(header, kMaxBodyBytes).type;
    body.assign(reply->begin() + kFrameHeaderBytes, reply->end());
    if (reply_type == MessageType::kError) throw_reply(decode<ErrorReply>(body));
    if (reply_type == MessageType::kFault) throw_reply(decode<FaultReply>(body));
    return decode<Reply>(body);
  }
  template <typename Reply, typename Call>
  std::string error_of(const Call& message, ErrorCode code) {
    return error_in([&] { call<Reply>(message); }, code);
  }
  uint64_t allocate(uint64_t size_bytes) {
    return call<AllocateReply>(AllocateCall{size_bytes}).address_bytes;
  }

  ServiceLimits limits;
  MemoryDevice* device = nullptr;
  int opened = 0, turns = 0;
  std::vector<uint8_t> flashed, body;
  MessageType reply_type = MessageType::kError;
  DeviceSlot slot;
  std::optional<ClientService> service;
};

using ClientServiceTest = Fixture;
using ClientMemoryTest = Fixture;

TEST_F(ClientServiceTest, DescribesTheDevice) {
  const auto described = call<DescribeReply>(DescribeCall{}).device;
  EXPECT_EQ(described.uri, "memory");
  EXPECT_TRUE(described.timed);
  EXPECT_FALSE(described.computes);
}

TEST_F(ClientServiceTest, CopiesBothWays) {
  const uint64_t address = allocate(100);
  const std::vector<uint8_t> bytes = {1, 2, 3};
  call<CopyInReply>(CopyInCall{address + 10, bytes});
  const auto reply = call<CopyOutReply>(CopyOutCall{address + 9, 5});
  EXPECT_EQ(std::vector<uint8_t>(reply.data.begin(), reply.data.end()),
            (std::vector<uint8_t>{0, 1, 2, 3, 0}));
  EXPECT_NE(
      error_of<CopyOutReply>(CopyOutCall{address, kMaxChunkBytes + 1}, ErrorCode::kInvalidArgument)
          .find("65537 bytes in one call"),
      std::string::npos);
}

TEST_F(ClientMemoryTest, EndsAtItsLimitWhichCountsGranules) {
  const uint64_t first = allocate(1);
  allocate(3 * kGranule);
  EXPECT_EQ(error_of<AllocateReply>(AllocateCall{1}, ErrorCode::kOutOfMemory),
            "device memory: 1 byte requested, 0 of this client's limit of 262144 bytes are free");
  call<FreeReply>(FreeCall{first});
  EXPECT_NO_THROW(allocate(kGranule));
}

TEST_F(ClientMemoryTest, OfAllClientsHasALimitAndReturns) {
  limits.total_memory_bytes = 5 * kGranule;
  ClientMemory first(limits.memory_bytes, limits.total_memory_bytes), second = first;
  first.allocate(slot, 4 * kGranule);
  const driver::DeviceAddress last = second.allocate(slot, 1);
  const Error error = expect_error([&] { second.allocate(slot, 1); });
  EXPECT_STREQ(error.what(),
               "device memory: 1 byte requested, 0 of the 327680 bytes for all clients are free");
  second.free(slot, last);
  first.free_all(slot);
  EXPECT_EQ(slot.client_bytes, 0u);
  EXPECT_NO_THROW(second.allocate(slot, 4 * kGranule));
}

TEST_F(ClientMemoryTest, HugeSizesAreOutOfMemory) {
  for (const uint64_t size : {UINT64_MAX, UINT64_MAX - kGranule, 4 * kGranule + 1}) {
    error_of<AllocateReply>(AllocateCall{size}, ErrorCode::kOutOfMemory);
  }
}

TEST_F(ClientMemoryTest, OfOthersIsOutOfReach) {
  const uint64_t mine = allocate(kPage);
  const uint64_t others = device->allocate(kPage).bytes;
  const std::vector<uint8_t> bytes(8);
  const auto refused = ErrorCode::kInvalidArgument;
  error_of<CopyInReply>(CopyInCall{others, bytes}, refused);
  error_of<CopyOutReply>(CopyOutCall{others, 1}, refused);
  error_of<FreeReply>(FreeCall{others}, refused);
  error_of<RunReply>(RunCall{others, kPage, 0, 1, 1, ""}, refused);
  error_of<CopyInReply>(CopyInCall{mine + kPage - 7, bytes}, refused);
  error_of<RunReply>(RunCall{mine, kPage + 1, 0, 1, 1, ""}, refused);
  error_of<CopyOutReply>(CopyOutCall{UINT64_MAX, 2}, refused);
  EXPECT_NO_THROW(call<CopyInReply>(CopyInCall{mine + kPage - 8, bytes}));
  EXPECT_EQ(device->runs, 0u);
}

TEST_F(ClientMemoryTest, IsFreedWhenTheClientGoes) {
  allocate(kPage);
  allocate(2 * kPage);
  EXPECT_EQ(slot.live_blocks, 2u);
  service->release(slot);
  EXPECT_EQ(slot.live_blocks, 0u);
  EXPECT_EQ(device->memory.used_bytes(), 0u);
  EXPECT_NO_THROW(allocate(4 * kGranule)) << "and counts no more";
}

TEST_F(ClientServiceTest, RunsForNoLongerThanTheServersLimit) {
  const uint64_t arena = allocate(kPage);
  EXPECT_EQ(call<RunReply>(RunCall{arena, kPage, 16, 3, 60'000, "layer"}).counters.gemm_counter,
            1u);
  EXPECT_EQ(device->last.timeout, limits.run);
  EXPECT_EQ(device->last.program_offset_bytes, 16u);
  EXPECT_EQ(device->last.num_instructions, 3u);
  EXPECT_EQ(device->last.name, "layer");
  call<RunReply>(RunCall{arena, kPage, 0, 1, 20, ""});
  EXPECT_EQ(device->last.timeout, std::chrono::milliseconds(20));
}

TEST_F(ClientServiceTest, FaultsAndBugsAreReplies) {
  const uint64_t arena = allocate(kPage);
  EXPECT_THROW(call<RunReply>(RunCall{arena, kPage, 0, 1, 1, "fault"}), driver::DeviceFault);
  EXPECT_EQ(reply_type, MessageType::kFault);
  EXPECT_EQ(error_of<RunReply>(RunCall{arena, kPage, 0, 1, 1, "bug"}, ErrorCode::kDevice),
            "the server: a bug");
}

TEST_F(ClientServiceTest, EvaluatesRunByRun) {
  const uint64_t arena = allocate(kPage);
  const auto reply = call<EvaluateReply>(EvaluateCall{5, 3, {arena, kPage, 0, 1, 1, ""}});
  EXPECT_EQ(reply.evaluation.seconds.size(), 3u);
  EXPECT_EQ(reply.evaluation.counters.gemm_counter, 15u) << "of the last run";
  EXPECT_EQ(turns, 15) << "each run is a turn, so that others are not kept waiting";
  error_of<EvaluateReply>(EvaluateCall{0, 3, {arena, kPage, 0, 1, 1, ""}},
                          ErrorCode::kInvalidArgument);
  error_of<EvaluateReply>(EvaluateCall{1, 4097, {arena, kPage, 0, 1, 1, ""}},
                          ErrorCode::kInvalidArgument);
}

TEST_F(ClientServiceTest, ACancelledCallDoesNothing) {
  const uint64_t arena = allocate(kPage);
  const auto frame = encode(RunCall{arena, kPage, 0, 1, 1, ""}, 5);
  CallState state({{0, MessageType::kRun, 5, 0}, {frame.begin() + kFrameHeaderBytes, frame.end()}});
  state.cancelled = true;
  EXPECT_TRUE(service->turn(state, slot).has_value());
  EXPECT_EQ(device->runs, 0u);
}

TEST_F(ClientServiceTest, RefusesMessagesThatAreNotCalls) {
  for (const MessageType type :
       {MessageType::kRunReply, MessageType::kHello, MessageType::kError}) {
    CallState state({{0, type, 5, 0}, {}});
    const auto reply = service->turn(state, slot);
    ASSERT_TRUE(reply);
    EXPECT_EQ((*reply)[4] | (*reply)[5] << 8, 0xffff);
  }
}

TEST_F(ClientServiceTest, FlashesAWholeBitstreamAndOpensTheDeviceAnew) {
  call<DescribeReply>(DescribeCall{});
  EXPECT_EQ(opened, 1);
  const std::vector<uint8_t> bits = {1, 2, 3, 4, 5};
  call<FlashBeginReply>(FlashBeginCall{5, crc32(bits), "pynq-z1", "vta_1x16", "vta.bit"});
  call<FlashDataReply>(FlashDataCall{std::span(bits).first(2)});
  call<FlashDataReply>(FlashDataCall{std::span(bits).subspan(2)});
  EXPECT_EQ(call<FlashEndReply>(FlashEndCall{}).text, "pynq-z1 vta_1x16 vta.bit");
  EXPECT_EQ(flashed, bits);
  EXPECT_EQ(opened, 2);
}

TEST_F(ClientServiceTest, FlashesOnlyForClientsThatMay) {
  service.emplace(limits, false);
  EXPECT_NE(error_of<FlashBeginReply>(FlashBeginCall{1, 0, "", "", ""}, ErrorCode::kInvalidArgument)
                .find("may only run programs"),
            std::string::npos);
  const std::vector<uint8_t> bits = {1};
  error_of<FlashDataReply>(FlashDataCall{bits}, ErrorCode::kInvalidArgument);
  error_of<FlashEndReply>(FlashEndCall{}, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(flashed.empty());
  EXPECT_NO_THROW(allocate(1)) << "everything else is allowed";
}

TEST_F(ClientServiceTest, RefusesBitstreamsThatAreNotWhatWasAnnounced) {
  const std::vector<uint8_t> bits = {1, 2, 3};
  error_of<FlashDataReply>(FlashDataCall{bits}, ErrorCode::kInvalidArgument);
  error_of<FlashEndReply>(FlashEndCall{}, ErrorCode::kInvalidArgument);
  error_of<FlashBeginReply>(FlashBeginCall{1 << 30, 0, "", "", ""}, ErrorCode::kInvalidArgument);
  error_of<FlashBeginReply>(FlashBeginCall{2, 0, "/etc/passwd", "", ""},
                            ErrorCode::kInvalidArgument);
  error_of<FlashBeginReply>(FlashBeginCall{2, 0, "", "../x", ""}, ErrorCode::kInvalidArgument);
  call<FlashBeginReply>(FlashBeginCall{2, 0, "", "", ""});
  error_of<FlashDataReply>(FlashDataCall{bits}, ErrorCode::kInvalidArgument);
  call<FlashBeginReply>(FlashBeginCall{4, crc32(bits), "", "", ""});
  call<FlashDataReply>(FlashDataCall{bits});
  EXPECT_NE(error_of<FlashEndReply>(FlashEndCall{}, ErrorCode::kCorrupt).find("3 of 4 bytes"),
            std::string::npos);
  call<FlashBeginReply>(FlashBeginCall{3, crc32(bits) + 1, "", "", ""});
  call<FlashDataReply>(FlashDataCall{bits});
  error_of<FlashEndReply>(FlashEndCall{}, ErrorCode::kCorrupt);
  EXPECT_TRUE(flashed.empty());
}

TEST_F(ClientServiceTest, FlashesOnlyWhileNoClientHasDeviceMemory) {
  allocate(1);
  call<FlashBeginReply>(FlashBeginCall{0, 0, "", "", ""});
  EXPECT_EQ(error_of<FlashEndReply>(FlashEndCall{}, ErrorCode::kInvalidArgument),
            "flash: clients hold 1 blocks of device memory, expected none");
  DeviceSlot without_hook([this] { return open(); }, {});
  CallState state({{0, MessageType::kFlashBegin, 5, 0}, [] {
                     const auto frame = encode(FlashBeginCall{}, 5);
                     return std::vector<uint8_t>(frame.begin() + kFrameHeaderBytes, frame.end());
                   }()});
  const auto reply = service->turn(state, without_hook);
  const auto error = decode<ErrorReply>(std::span(*reply).subspan(kFrameHeaderBytes));
  EXPECT_EQ(error.message, "flash: this server cannot program an FPGA");
}

}  // namespace
}  // namespace vta::rpc
