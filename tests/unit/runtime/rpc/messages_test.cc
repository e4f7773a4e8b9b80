// SPDX-License-Identifier: Apache-2.0
//
// Every message against its bytes, which another program wrote from README.md alone; and against
// corrupted variants of them.
#include "runtime/rpc/messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "tests/support/error_in.h"

namespace vta::rpc {
namespace {

constexpr uint32_t kId = 0x01020304;
const std::vector<uint8_t> kData = {1, 2, 255};
const std::vector<uint8_t> kBitstream = {0xaa, 0x99, 0x55, 0x66};

CoreConfig sample_core() {
  return {{1, 8, 8, 1024, 2048, 4096, 8192, 16, 32, 2}, "tiny_1x8", true};
}

RunCall sample_run() { return {0x1000, 0x8000, 0x1010, 9, 60000, "conv1", {4, 9}}; }

hw::Counters sample_counters(bool timed) {
  hw::Counters counters{1, 2, 3, 4, 5, 6, 7, std::nullopt};
  if (!timed) return counters;
  counters.cycles = 8;
  counters.stages.emplace();
  uint64_t next = 100;
  for (auto& states : counters.stages->of) {
    for (uint64_t& cycles : states) cycles = next++;
  }
  return counters;
}

std::string hex(std::span<const uint8_t> bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

std::span<const uint8_t> body_of(const std::vector<uint8_t>& frame) {
  return std::span(frame).subspan(kFrameHeaderBytes);
}

HeaderBytes header_of(const std::vector<uint8_t>& frame) {
  HeaderBytes header;
  std::copy_n(frame.begin(), kFrameHeaderBytes, header.begin());
  return header;
}

template <typename Message>
ErrorCode code_of_decoding(std::span<const uint8_t> body) {
  try {
    decode<Message>(body);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error for " << hex(body);
  return ErrorCode::kIo;
}

// Messages that end with any number of bytes: truncated, they are still valid.
template <typename Message>
constexpr bool kHasOpenEnd = requires(Message message) { message.data; };

template <typename Message>
void expect_bytes(const Message& message, const std::string& expected) {
  const std::vector<uint8_t> frame = encode(message, kId);
  EXPECT_EQ(hex(frame), expected);
  const FrameHeader header = decode_header(header_of(frame), kMaxBodyBytes);
  EXPECT_EQ(header.type, Message::kType);
  EXPECT_EQ(header.id, kId);
  EXPECT_NO_THROW(check_body(header, header_of(frame), body_of(frame)));
  const std::span<const uint8_t> body = body_of(frame);
  EXPECT_EQ(encode(decode<Message>(body), kId), frame) << "read and written again";
  if constexpr (!kHasOpenEnd<Message>) {
    for (size_t size = 0; size < body.size(); ++size) {
      EXPECT_EQ(code_of_decoding<Message>(body.first(size)), ErrorCode::kCorrupt) << size;
    }
    std::vector<uint8_t> longer(body.begin(), body.end());
    longer.push_back(0);
    EXPECT_EQ(code_of_decoding<Message>(longer), ErrorCode::kCorrupt);
  }
}

TEST(RpcMessages, HelloCallHasTheDocumentedBytes) {
  expect_bytes(HelloCall{kMagic, kProtocolVersion, "secret"},
               "0e0000000100000004030201fbfa500b5654415204000600736563726574");
}

TEST(RpcMessages, HelloReplyHasTheDocumentedBytes) {
  expect_bytes(HelloReply{kProtocolVersion, 0x20000000},
               "0a00000001800000040302019d0e1d2b04000000002000000000");
}

TEST(RpcMessages, DescribeCallHasTheDocumentedBytes) {
  expect_bytes(DescribeCall{}, "00000000020000000403020108bae5f1");
}

TEST(RpcMessages, DescribeReplyHasTheDocumentedBytes) {
  expect_bytes(DescribeReply{{"cycle", sample_core(), true, false}},
               "40000000028000000403020179f98fc305006379636c65080074696e795f31783801000000080000"
               "00080000000004000000080000001000000020000010000000200000000200000001000000010100");
}

TEST(RpcMessages, AllocateCallHasTheDocumentedBytes) {
  expect_bytes(AllocateCall{0x123456789a}, "080000000300000004030201003c0d279a78563412000000");
}

TEST(RpcMessages, AllocateReplyHasTheDocumentedBytes) {
  expect_bytes(AllocateReply{0x1000}, "080000000380000004030201b80cf51b0010000000000000");
}

TEST(RpcMessages, FreeCallHasTheDocumentedBytes) {
  expect_bytes(FreeCall{0x1000}, "08000000040000000403020176048ba80010000000000000");
}

TEST(RpcMessages, FreeReplyHasTheDocumentedBytes) {
  expect_bytes(FreeReply{}, "0000000004800000040302017d599cbf");
}

TEST(RpcMessages, CopyInCallHasTheDocumentedBytes) {
  expect_bytes(CopyInCall{0x1004, kData}, "0b00000005000000040302012b7f13be04100000000000000102ff");
}

TEST(RpcMessages, CopyInReplyHasTheDocumentedBytes) {
  expect_bytes(CopyInReply{}, "000000000580000004030201e3593673");
}

TEST(RpcMessages, CopyOutCallHasTheDocumentedBytes) {
  expect_bytes(CopyOutCall{0x1004, 3}, "0c0000000600000004030201989e18da041000000000000003000000");
}

TEST(RpcMessages, CopyOutReplyHasTheDocumentedBytes) {
  expect_bytes(CopyOutReply{kData}, "0300000006800000040302015c2f4f660102ff");
}

TEST(RpcMessages, RunCallHasTheDocumentedBytes) {
  expect_bytes(sample_run(),
               "3300000007000000040302014a5420e8001000000000000000800000000000001010000000000000"
               "0900000060ea00000500636f6e7631020000000400000009000000");
}

TEST(RpcMessages, RunReplyHasTheDocumentedBytes) {
  expect_bytes(RunReply{sample_counters(true), {5, 8}, 0.5},
               "1e010000078000000403020160d41061010000000000000002000000000000000300000000000000"
               "04000000000000000500000000000000060000000000000007000000000000000108000000000000"
               "00016400000000000000650000000000000066000000000000006700000000000000680000000000"
               "000069000000000000006a000000000000006b000000000000006c000000000000006d0000000000"
               "00006e000000000000006f0000000000000070000000000000007100000000000000720000000000"
               "00007300000000000000740000000000000075000000000000007600000000000000770000000000"
               "0000780000000000000079000000000000007a000000000000007b00000000000000020000000500"
               "0000000000000800000000000000000000000000e03f");
}

TEST(RpcMessages, EvaluateCallHasTheDocumentedBytes) {
  expect_bytes(EvaluateCall{10, 3, sample_run()},
               "3b000000080000000403020183fe6bf00a0000000300000000100000000000000080000000000000"
               "10100000000000000900000060ea00000500636f6e7631020000000400000009000000");
}

TEST(RpcMessages, EvaluateReplyHasTheDocumentedBytes) {
  expect_bytes(EvaluateReply{{sample_counters(false), {0.5, 0.25}}},
               "4e0000000880000004030201cb7f50b4010000000000000002000000000000000300000000000000"
               "04000000000000000500000000000000060000000000000007000000000000000000020000000000"
               "00000000e03f000000000000d03f");
}

TEST(RpcMessages, FlashBeginCallHasTheDocumentedBytes) {
  expect_bytes(FlashBeginCall{4045564, 0xdeadbeef, "pynq-z1", "vta_1x16", "vta.bit"},
               "240000000900000004030201948419f0fcba3d00efbeadde070070796e712d7a3108007674615f31"
               "78313607007674612e626974");
}

TEST(RpcMessages, FlashBeginReplyHasTheDocumentedBytes) {
  expect_bytes(FlashBeginReply{}, "000000000980000004030201ac4c9924");
}

TEST(RpcMessages, FlashDataCallHasTheDocumentedBytes) {
  expect_bytes(FlashDataCall{kBitstream}, "040000000a000000040302010d64bea4aa995566");
}

TEST(RpcMessages, FlashDataReplyHasTheDocumentedBytes) {
  expect_bytes(FlashDataReply{}, "000000000a800000040302014f4b16aa");
}

TEST(RpcMessages, FlashEndCallHasTheDocumentedBytes) {
  expect_bytes(FlashEndCall{}, "000000000b0000000403020123a1aaee");
}

TEST(RpcMessages, FlashEndReplyHasTheDocumentedBytes) {
  expect_bytes(FlashEndReply{"done"}, "060000000b80000004030201e580f9f80400646f6e65");
}

TEST(RpcMessages, CancelCallHasTheDocumentedBytes) {
  expect_bytes(CancelCall{7}, "040000000c0000000403020136ee5d6507000000");
}

TEST(RpcMessages, CloseCallHasTheDocumentedBytes) {
  expect_bytes(CloseCall{}, "000000000d00000004030201a4a8c528");
}

TEST(RpcMessages, WaitingHasTheDocumentedBytes) {
  expect_bytes(Waiting{}, "00000000fdff000004030201def69845");
}

TEST(RpcMessages, FaultReplyHasTheDocumentedBytes) {
  expect_bytes(FaultReply{6, 12, 0x9000, "DRAM range"},
               "19000000feff00000403020148a1acbe060c00000000900000000000000a004452414d2072616e67"
               "65");
}

TEST(RpcMessages, ErrorReplyHasTheDocumentedBytes) {
  expect_bytes(ErrorReply{4, "no memory"},
               "0d000000ffff0000040302015297f0c8040009006e6f206d656d6f7279");
}

TEST(RpcMessages, AreAllInTheListWithTheirNumbers) {
  std::set<uint16_t> types;
#define VTA_ADD_TYPE(Message) types.insert(static_cast<uint16_t>(Message::kType));
  VTA_RPC_FOR_EACH_MESSAGE(VTA_ADD_TYPE)
  for (uint32_t type = 0; type <= 0xffff; ++type) {
    EXPECT_EQ(types.contains(static_cast<uint16_t>(type)), is_known(static_cast<uint16_t>(type)))
        << type;
  }
}

TEST(RpcMessages, RefuseTextsAndListsThatAreLongerThanTheirBytes) {
  const std::vector<uint8_t> long_text = {0, 0, 0xff, 0xff, 'x'};
  EXPECT_EQ(code_of_decoding<ErrorReply>(long_text), ErrorCode::kCorrupt);
  std::vector<uint8_t> samples(7 * 8 + 2);
  samples.insert(samples.end(),
                 {0xff, 0xff, 0xff, 0xff});  // 2^32 - 1 numbers: must not be allocated
  EXPECT_EQ(code_of_decoding<EvaluateReply>(samples), ErrorCode::kCorrupt);
}

TEST(RpcMessages, RefuseFlagsThatAreNeitherYesNorNo) {
  constexpr size_t kFlagsAt = 7 * 8;
  std::vector<uint8_t> body(kFlagsAt + 2 + 4 + 8);
  EXPECT_NO_THROW(decode<RunReply>(body));
  body[kFlagsAt + 1] = 2;
  EXPECT_EQ(code_of_decoding<RunReply>(body), ErrorCode::kCorrupt);
}

TEST(RpcMessages, CutLongTextsAtTheirLimit) {
  const auto frame = encode(ErrorReply{0, std::string(100'000, 'x')}, kId);
  EXPECT_EQ(decode<ErrorReply>(body_of(frame)).message, std::string(kMaxTextBytes, 'x'));
}

TEST(RpcMessages, CarryRunsThereAndBack) {
  driver::RunRequest request;
  request.arena.bytes = 4096;
  request.arena_bytes = 10;
  request.program_offset_bytes = 16;
  request.num_instructions = 3;
  request.timeout = std::chrono::milliseconds::max();
  request.name = "layer";
  const driver::RunRequest back = to_request(to_call(request));
  EXPECT_EQ(back.arena.bytes, 4096u);
  EXPECT_EQ(back.arena_bytes, 10u);
  EXPECT_EQ(back.program_offset_bytes, 16u);
  EXPECT_EQ(back.num_instructions, 3u);
  EXPECT_EQ(back.timeout, std::chrono::milliseconds(UINT32_MAX))
      << "the largest value of the field";
  EXPECT_EQ(back.name, "layer");
}

TEST(RpcMessages, CarryErrorsAndFaultsThereAndBack) {
  const auto error = encode(to_reply(Error(ErrorCode::kOutOfMemory, "full")), kId);
  try {
    throw_reply(decode<ErrorReply>(body_of(error)));
  } catch (const Error& caught) {
    EXPECT_EQ(caught.code(), ErrorCode::kOutOfMemory);
    EXPECT_STREQ(caught.what(), "full");
  }
  const auto fault = encode(to_reply(driver::DeviceFault(isa::kDramRange, 5, 6, "beyond")), kId);
  try {
    throw_reply(decode<FaultReply>(body_of(fault)));
  } catch (const driver::DeviceFault& caught) {
    EXPECT_EQ(caught.fault, isa::kDramRange);
    EXPECT_EQ(caught.instruction_index, 5u);
    EXPECT_EQ(caught.value, 6u);
    EXPECT_STREQ(caught.what(), "beyond");
  }
}

TEST(RpcFrame, IsRefusedBeforeItsBodyIsRead) {
  const std::vector<uint8_t> frame = encode(CancelCall{7}, kId);
  const auto message_of = [&](size_t place, uint8_t value) -> std::string {
    HeaderBytes header = header_of(frame);
    header[place] = value;
    return error_in([&] { decode_header(header, 512); }, ErrorCode::kCorrupt);
  };
  EXPECT_EQ(message_of(0, 4), "");
  EXPECT_EQ(message_of(1, 2), "frame: a body of 516 bytes exceeds the limit of 512");
  EXPECT_EQ(message_of(3, 0xff), "frame: a body of 4278190084 bytes exceeds the limit of 512");
  EXPECT_EQ(message_of(4, 0xee), "frame: unknown message 0x00ee");
  EXPECT_EQ(message_of(7, 1), "frame: reserved bytes are 0x0100, expected 0");
}

TEST(RpcFrame, ChangesOfAnyBitAreNoticed) {
  const std::vector<uint8_t> frame = encode(CopyInCall{0x1004, kData}, kId);
  for (size_t bit = 0; bit < 8 * frame.size(); ++bit) {
    std::vector<uint8_t> changed = frame;
    changed[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    EXPECT_THROW(
        {
          const FrameHeader header = decode_header(header_of(changed), kMaxBodyBytes);
          if (header.body_bytes == body_of(changed).size()) {
            check_body(header, header_of(changed), body_of(changed));
          } else {
            fail(ErrorCode::kCorrupt, "another length: the reader is out of step");
          }
        },
        Error)
        << "bit " << bit;
  }
}

}  // namespace
}  // namespace vta::rpc
