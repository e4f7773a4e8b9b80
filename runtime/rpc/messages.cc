// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/messages.h"

#include <algorithm>
#include <limits>

#include "configs/core_fields.h"

namespace vta::rpc {

static_assert(driver::kMaxSamplesOfEvaluation <= kMaxSamples, "a message holds an evaluation");

namespace {

void core_fields(auto& codec, auto& core) {
  codec(core.name);
  for (const CoreField& field : kCoreFields) codec(core.*field.member);
  codec(core.extension);
}

// An optional value: a flag, and the value if the flag is 1.
template <typename Value>
void optional_field(ByteWriter& codec, const std::optional<Value>& value, auto&& write) {
  codec(value.has_value());
  if (value) write(*value);
}
template <typename Value>
void optional_field(ByteReader& codec, std::optional<Value>& value, auto&& read) {
  bool there = false;
  codec(there);
  value.reset();
  if (there) read(value.emplace());
}

void counter_fields(auto& codec, auto& counters) {
#define VTA_COUNTER(offset, name, description) codec(counters.name);
#include "hw/registers/registers.def"
  optional_field(codec, counters.cycles, [&](auto& cycles) { codec(cycles); });
  optional_field(codec, counters.stages, [&](auto& stages) {
    for (auto& states : stages.of) {
      for (auto& cycles : states) codec(cycles);
    }
  });
}

}  // namespace

void DescribeReply::fields(auto& codec, auto& self) {
  codec(self.device.uri);
  core_fields(codec, self.device.core);
  codec(self.device.timed);
  codec(self.device.computes);
}

void RunReply::fields(auto& codec, auto& self) {
  counter_fields(codec, self.counters);
  codec(self.part_cycles);
  codec(self.seconds);
}

void EvaluateReply::fields(auto& codec, auto& self) {
  counter_fields(codec, self.evaluation.counters);
  codec(self.evaluation.seconds);
}

template <typename Message>
std::vector<uint8_t> encode(const Message& message, uint32_t id) {
  ByteWriter writer(kFrameHeaderBytes);
  Message::fields(writer, message);
  std::vector<uint8_t> frame = writer.take();
  write_header(Message::kType, id, frame);
  return frame;
}

template <typename Message>
Message decode(std::span<const uint8_t> body) {
  ByteReader reader(to_string(Message::kType), body);
  Message message;
  Message::fields(reader, message);
  reader.expect_end();
  return message;
}

#define VTA_RPC_INSTANTIATE(Message)                                         \
  template std::vector<uint8_t> encode(const Message& message, uint32_t id); \
  template Message decode(std::span<const uint8_t> body);
VTA_RPC_FOR_EACH_MESSAGE(VTA_RPC_INSTANTIATE)

RunCall to_call(const driver::RunRequest& request) {
  constexpr auto kMax = std::chrono::milliseconds(std::numeric_limits<uint32_t>::max());
  RunCall call;
  call.arena_bytes = request.arena.bytes;
  call.arena_size_bytes = request.arena_bytes;
  call.program_offset_bytes = request.program_offset_bytes;
  call.num_instructions = request.num_instructions;
  call.timeout_milliseconds = static_cast<uint32_t>(
      std::clamp(request.timeout, std::chrono::milliseconds(0), kMax).count());
  call.name = request.name;
  if (request.part_ends != nullptr && request.parts.size() <= kMaxSamples) {
    for (const driver::RunPart& part : request.parts) call.parts.push_back(part.end);
  }
  return call;
}

driver::RunRequest to_request(const RunCall& call) {
  driver::RunRequest request;
  request.arena.bytes = call.arena_bytes;
  request.arena_bytes = call.arena_size_bytes;
  request.program_offset_bytes = call.program_offset_bytes;
  request.num_instructions = call.num_instructions;
  request.timeout = std::chrono::milliseconds(call.timeout_milliseconds);
  request.name = call.name;
  for (uint32_t end : call.parts) request.parts.push_back({"", end});
  return request;
}

ErrorReply to_reply(const Error& error) {
  return {static_cast<uint16_t>(error.code()), error.what()};
}

FaultReply to_reply(const driver::DeviceFault& fault) {
  return {static_cast<uint8_t>(fault.fault), fault.instruction_index, fault.value, fault.what()};
}

ErrorCode error_code_of(const ErrorReply& reply) {
  // An unknown code from a later version is still an error.
  const bool known = reply.code <= static_cast<uint16_t>(ErrorCode::kIo);
  return known ? static_cast<ErrorCode>(reply.code) : ErrorCode::kDevice;
}

void throw_reply(const ErrorReply& reply) { throw Error(error_code_of(reply), reply.message); }

void throw_reply(const FaultReply& reply) {
  throw driver::DeviceFault(static_cast<isa::FaultCode>(reply.fault), reply.instruction_index,
                            reply.value, reply.message);
}

}  // namespace vta::rpc
