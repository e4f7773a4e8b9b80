// SPDX-License-Identifier: Apache-2.0
//
// The messages of calls and replies. Each lists its fields once, in fields(), in the order of the
// frame (README.md, "Messages").
#ifndef VTA_RUNTIME_RPC_MESSAGES_H_
#define VTA_RUNTIME_RPC_MESSAGES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "driver/device.h"
#include "driver/evaluation.h"
#include "runtime/rpc/byte_codec.h"
#include "runtime/rpc/frame.h"

namespace vta::rpc {

inline constexpr uint32_t kMagic = 0x52415456;  // "VTAR"
inline constexpr uint16_t kProtocolVersion = 4;

struct HelloCall {
  static constexpr MessageType kType = MessageType::kHello;
  uint32_t magic = kMagic;
  uint16_t version = kProtocolVersion;
  std::string token;
  static void fields(auto& codec, auto& self) {
    codec(self.magic);
    codec(self.version);
    codec(self.token);
  }
};

struct HelloReply {
  static constexpr MessageType kType = MessageType::kHelloReply;
  uint16_t version = kProtocolVersion;
  uint64_t memory_limit_bytes = 0;  // limit of this client
  static void fields(auto& codec, auto& self) {
    codec(self.version);
    codec(self.memory_limit_bytes);
  }
};

// A message without fields.
template <MessageType type>
struct Empty {
  static constexpr MessageType kType = type;
  static void fields(auto&, auto&) {}
};

using DescribeCall = Empty<MessageType::kDescribe>;

struct DescribeReply {
  static constexpr MessageType kType = MessageType::kDescribeReply;
  driver::DeviceDescription device;
  static void fields(auto& codec, auto& self);
};

struct AllocateCall {
  static constexpr MessageType kType = MessageType::kAllocate;
  uint64_t size_bytes = 0;
  static void fields(auto& codec, auto& self) { codec(self.size_bytes); }
};

struct AllocateReply {
  static constexpr MessageType kType = MessageType::kAllocateReply;
  uint64_t address_bytes = 0;
  static void fields(auto& codec, auto& self) { codec(self.address_bytes); }
};

struct FreeCall {
  static constexpr MessageType kType = MessageType::kFree;
  uint64_t address_bytes = 0;
  static void fields(auto& codec, auto& self) { codec(self.address_bytes); }
};
using FreeReply = Empty<MessageType::kFreeReply>;

struct CopyInCall {
  static constexpr MessageType kType = MessageType::kCopyIn;
  uint64_t address_bytes = 0;
  std::span<const uint8_t> data;  // at most kMaxChunkBytes; a view of the frame when decoded
  static void fields(auto& codec, auto& self) {
    codec(self.address_bytes);
    codec(self.data);
  }
};
using CopyInReply = Empty<MessageType::kCopyInReply>;

struct CopyOutCall {
  static constexpr MessageType kType = MessageType::kCopyOut;
  uint64_t address_bytes = 0;
  uint32_t size_bytes = 0;  // at most kMaxChunkBytes
  static void fields(auto& codec, auto& self) {
    codec(self.address_bytes);
    codec(self.size_bytes);
  }
};

struct CopyOutReply {
  static constexpr MessageType kType = MessageType::kCopyOutReply;
  std::span<const uint8_t> data;
  static void fields(auto& codec, auto& self) { codec(self.data); }
};

struct RunCall {
  static constexpr MessageType kType = MessageType::kRun;
  uint64_t arena_bytes = 0;  // address of the arena
  uint64_t arena_size_bytes = 0;
  uint64_t program_offset_bytes = 0;
  uint32_t num_instructions = 0;
  uint32_t timeout_milliseconds = 0;
  std::string name;
  std::vector<uint32_t> parts = {};  // RunPart::end of each part whose end is wanted
  static void fields(auto& codec, auto& self) {
    codec(self.arena_bytes);
    codec(self.arena_size_bytes);
    codec(self.program_offset_bytes);
    codec(self.num_instructions);
    codec(self.timeout_milliseconds);
    codec(self.name);
    codec(self.parts);
  }
};
RunCall to_call(const driver::RunRequest& request);
driver::RunRequest to_request(const RunCall& call);

struct RunReply {
  static constexpr MessageType kType = MessageType::kRunReply;
  hw::Counters counters;
  // PartEnd::cycles of the call's parts; empty if the device cannot tell.
  std::vector<uint64_t> part_cycles = {};
  double seconds = 0;  // of the run, by the server's clock
  static void fields(auto& codec, auto& self);
};

struct EvaluateCall {
  static constexpr MessageType kType = MessageType::kEvaluate;
  uint32_t number = 0;
  uint32_t repeat = 0;
  RunCall run;
  static void fields(auto& codec, auto& self) {
    codec(self.number);
    codec(self.repeat);
    RunCall::fields(codec, self.run);
  }
};

struct EvaluateReply {
  static constexpr MessageType kType = MessageType::kEvaluateReply;
  driver::Evaluation evaluation;
  static void fields(auto& codec, auto& self);
};

struct FlashBeginCall {
  static constexpr MessageType kType = MessageType::kFlashBegin;
  uint32_t size_bytes = 0;
  uint32_t checksum = 0;  // CRC-32 of the whole file
  std::string board;      // "pynq-z1"
  std::string core;       // "vta_1x16": the expected core
  std::string file;       // file name, for messages
  static void fields(auto& codec, auto& self) {
    codec(self.size_bytes);
    codec(self.checksum);
    codec(self.board);
    codec(self.core);
    codec(self.file);
  }
};
using FlashBeginReply = Empty<MessageType::kFlashBeginReply>;

struct FlashDataCall {
  static constexpr MessageType kType = MessageType::kFlashData;
  std::span<const uint8_t> data;  // the next part of the file; at most kMaxChunkBytes
  static void fields(auto& codec, auto& self) { codec(self.data); }
};
using FlashDataReply = Empty<MessageType::kFlashDataReply>;

using FlashEndCall = Empty<MessageType::kFlashEnd>;

struct FlashEndReply {
  static constexpr MessageType kType = MessageType::kFlashEndReply;
  std::string text;  // the report for the user
  static void fields(auto& codec, auto& self) { codec(self.text); }
};

// Has no reply; the run or evaluation with that id ends with an error.
struct CancelCall {
  static constexpr MessageType kType = MessageType::kCancel;
  uint32_t id = 0;
  static void fields(auto& codec, auto& self) { codec(self.id); }
};

using CloseCall = Empty<MessageType::kClose>;  // no reply
using Waiting = Empty<MessageType::kWaiting>;  // the call with that id is still in progress

struct ErrorReply {
  static constexpr MessageType kType = MessageType::kError;
  uint16_t code = 0;  // an ErrorCode
  std::string message;
  static void fields(auto& codec, auto& self) {
    codec(self.code);
    codec(self.message);
  }
};

struct FaultReply {
  static constexpr MessageType kType = MessageType::kFault;
  uint8_t fault = 0;  // an isa::FaultCode
  uint32_t instruction_index = 0;
  uint64_t value = 0;
  std::string message;
  static void fields(auto& codec, auto& self) {
    codec(self.fault);
    codec(self.instruction_index);
    codec(self.value);
    codec(self.message);
  }
};

// Encodes `message` into a frame.
template <typename Message>
std::vector<uint8_t> encode(const Message& message, uint32_t id);

// Decodes `body`. Views in the message refer to `body`.
// Errors: kCorrupt, naming the message and what is wrong.
template <typename Message>
Message decode(std::span<const uint8_t> body);

// Every message, for explicit instantiation and for tests.
#define VTA_RPC_FOR_EACH_MESSAGE(use)                                                        \
  use(HelloCall) use(HelloReply) use(DescribeCall) use(DescribeReply) use(AllocateCall)      \
      use(AllocateReply) use(FreeCall) use(FreeReply) use(CopyInCall) use(CopyInReply)       \
          use(CopyOutCall) use(CopyOutReply) use(RunCall) use(RunReply) use(EvaluateCall)    \
              use(EvaluateReply) use(FlashBeginCall) use(FlashBeginReply) use(FlashDataCall) \
                  use(FlashDataReply) use(FlashEndCall) use(FlashEndReply) use(CancelCall)   \
                      use(CloseCall) use(Waiting) use(FaultReply) use(ErrorReply)

// Converts errors to replies and back.
ErrorReply to_reply(const Error& error);
FaultReply to_reply(const driver::DeviceFault& fault);
ErrorCode error_code_of(const ErrorReply& reply);
[[noreturn]] void throw_reply(const ErrorReply& reply);
[[noreturn]] void throw_reply(const FaultReply& reply);

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_MESSAGES_H_
