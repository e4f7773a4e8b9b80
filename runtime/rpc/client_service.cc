// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/client_service.h"

#include <algorithm>
#include <new>

#include "base/errors/counted.h"
#include "base/files/checksum.h"
#include "base/limits/stopwatch.h"
#include "configs/config_files.h"

namespace vta::rpc {
namespace {

// Only configurations installed on the server, never other files of its machine.
void require_bare_name(const std::string& name) {
  if (name.empty() || is_config_name(name)) return;
  fail(ErrorCode::kInvalidArgument, "flash: '{}' is not the name of a board or a core", name);
}

}  // namespace

std::optional<std::vector<uint8_t>> ClientService::turn(CallState& call, DeviceSlot& slot) {
  const uint32_t id = call.frame.header.id;
  try {
    if (call.cancelled) fail(ErrorCode::kIo, "cancelled");
    return execute(call, slot);
  } catch (const driver::DeviceFault& fault) {
    return encode(to_reply(fault), id);
  } catch (const Error& error) {
    return encode(to_reply(error), id);
  } catch (const std::bad_alloc&) {
    return encode(to_reply(Error(ErrorCode::kOutOfMemory, "the server is out of memory")), id);
  } catch (const std::exception& bug) {
    return encode(to_reply(Error(ErrorCode::kDevice, fmt::format("the server: {}", bug.what()))),
                  id);
  }
}

std::optional<ClientService::Reply> ClientService::execute(CallState& call, DeviceSlot& slot) {
  const Frame& frame = call.frame;
  switch (frame.header.type) {
    case MessageType::kDescribe:
      decode<DescribeCall>(frame.body);
      return describe(frame.header.id, slot);
    case MessageType::kAllocate:
      return allocate(frame, slot);
    case MessageType::kFree:
      return free(frame, slot);
    case MessageType::kCopyIn:
      return copy_in(frame, slot);
    case MessageType::kCopyOut:
      return copy_out(frame, slot);
    case MessageType::kRun:
      return run(call, slot);
    case MessageType::kEvaluate:
      return evaluate(call, slot);
    case MessageType::kFlashBegin:
      return flash_begin(frame, slot);
    case MessageType::kFlashData:
      return flash_data(frame);
    case MessageType::kFlashEnd:
      return flash_end(frame, slot);
    default:
      fail(ErrorCode::kCorrupt, "{}: not a call", to_string(frame.header.type));
  }
}

ClientService::Reply ClientService::describe(uint32_t id, DeviceSlot& slot) {
  return encode(DescribeReply{slot.device().describe()}, id);
}

ClientService::Reply ClientService::allocate(const Frame& call, DeviceSlot& slot) {
  const auto message = decode<AllocateCall>(call.body);
  const driver::DeviceAddress address = memory_.allocate(slot, message.size_bytes);
  return encode(AllocateReply{address.bytes}, call.header.id);
}

ClientService::Reply ClientService::free(const Frame& call, DeviceSlot& slot) {
  memory_.free(slot, {decode<FreeCall>(call.body).address_bytes});
  return encode(FreeReply{}, call.header.id);
}

ClientService::Reply ClientService::copy_in(const Frame& call, DeviceSlot& slot) {
  const auto message = decode<CopyInCall>(call.body);
  memory_.require_own({message.address_bytes}, message.data.size());
  slot.device().copy_in({message.address_bytes}, message.data);
  return encode(CopyInReply{}, call.header.id);
}

ClientService::Reply ClientService::copy_out(const Frame& call, DeviceSlot& slot) {
  const auto message = decode<CopyOutCall>(call.body);
  if (message.size_bytes > kMaxChunkBytes) {
    fail(ErrorCode::kInvalidArgument, "copy_out: {} bytes in one call exceed the limit of {}",
         message.size_bytes, kMaxChunkBytes);
  }
  memory_.require_own({message.address_bytes}, message.size_bytes);
  std::vector<uint8_t> data(message.size_bytes);
  slot.device().copy_out(data, {message.address_bytes});
  return encode(CopyOutReply{data}, call.header.id);
}

driver::RunRequest ClientService::checked(const RunCall& call,
                                          const std::atomic<bool>& stop) const {
  driver::RunRequest request = to_request(call);
  memory_.require_own(request.arena, request.arena_bytes);
  request.timeout = std::min(request.timeout, limits_.run);
  request.stop = &stop;
  return request;
}

ClientService::Reply ClientService::run(const CallState& call, DeviceSlot& slot) {
  driver::RunRequest request = checked(decode<RunCall>(call.frame.body), call.stop);
  std::vector<driver::PartEnd> ends;
  if (!request.parts.empty()) request.part_ends = &ends;
  const Stopwatch stopwatch;
  RunReply reply{slot.device().run(request)};
  reply.seconds = stopwatch.seconds();
  for (const driver::PartEnd& end : ends) reply.part_cycles.push_back(end.cycles);
  return encode(reply, call.frame.header.id);
}

std::optional<ClientService::Reply> ClientService::evaluate(CallState& call, DeviceSlot& slot) {
  const auto message = decode<EvaluateCall>(call.frame.body);
  if (!call.evaluation) call.evaluation.emplace(message.number, message.repeat);
  call.evaluation->run_once(slot.device(), checked(message.run, call.stop));
  if (!call.evaluation->done()) return std::nullopt;
  return encode(EvaluateReply{call.evaluation->result()}, call.frame.header.id);
}

ClientService::Reply ClientService::flash_begin(const Frame& call, DeviceSlot& slot) {
  auto begin = decode<FlashBeginCall>(call.body);
  upload_.reset();
  require_bare_name(begin.board);
  require_bare_name(begin.core);
  if (!slot.can_flash()) fail(ErrorCode::kUnsupported, "flash: this server cannot program an FPGA");
  if (!may_flash_) {
    fail(ErrorCode::kInvalidArgument,
         "flash: this client may only run programs; present the token of the server's "
         "--flash-token-file");
  }
  if (begin.size_bytes > limits_.bitstream_bytes) {
    fail(ErrorCode::kInvalidArgument, "flash: a bitstream of {} bytes exceeds the limit of {}",
         begin.size_bytes, limits_.bitstream_bytes);
  }
  upload_.emplace(std::move(begin), std::vector<uint8_t>());
  return encode(FlashBeginReply{}, call.header.id);
}

ClientService::Reply ClientService::flash_data(const Frame& call) {
  const auto message = decode<FlashDataCall>(call.body);
  if (!upload_) fail(ErrorCode::kInvalidArgument, "flash_data without flash_begin");
  std::vector<uint8_t>& bytes = upload_->bytes;
  if (message.data.size() > upload_->begin.size_bytes - bytes.size()) {
    fail(ErrorCode::kInvalidArgument, "flash_data: more data than the {} of flash_begin",
         counted(upload_->begin.size_bytes, "byte"));
  }
  bytes.insert(bytes.end(), message.data.begin(), message.data.end());
  return encode(FlashDataReply{}, call.header.id);
}

ClientService::Reply ClientService::flash_end(const Frame& call, DeviceSlot& slot) {
  decode<FlashEndCall>(call.body);
  if (!upload_) fail(ErrorCode::kInvalidArgument, "flash_end without flash_begin");
  const Upload upload = std::move(*upload_);
  upload_.reset();
  const uint32_t checksum = crc32(upload.bytes);
  if (upload.bytes.size() != upload.begin.size_bytes || checksum != upload.begin.checksum) {
    fail(ErrorCode::kCorrupt,
         "flash: received {} of {}, with checksum {:#010x} instead of {:#010x}",
         upload.bytes.size(), counted(upload.begin.size_bytes, "byte"), checksum,
         upload.begin.checksum);
  }
  const Bitstream bitstream{upload.begin.board, upload.begin.core, upload.begin.file, upload.bytes};
  return encode(FlashEndReply{slot.flash(bitstream)}, call.header.id);
}

}  // namespace vta::rpc
