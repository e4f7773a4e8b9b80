// SPDX-License-Identifier: Apache-2.0
#include "driver/run_request.h"

#include <algorithm>

#include "driver/shared_copy.h"

namespace vta::driver {

void check(const RunRequest& request) {
  if (request.arena.bytes % kArenaAlignmentBytes != 0) {
    fail(ErrorCode::kInvalidArgument, "arena at device address {:#x} is not a multiple of {} bytes",
         request.arena.bytes, kArenaAlignmentBytes);
  }
  const uint64_t offset = request.program_offset_bytes;
  const uint64_t size = uint64_t{request.num_instructions} * isa::kInstructionBytes;
  if (offset % isa::kInstructionBytes != 0) {
    fail(ErrorCode::kInvalidArgument, "program offset {} is not a multiple of {} bytes", offset,
         isa::kInstructionBytes);
  }
  if (offset > request.arena_bytes || size > request.arena_bytes - offset) {
    fail(ErrorCode::kInvalidArgument,
         "program of {} instructions at offset {} exceeds the arena of {} bytes",
         request.num_instructions, offset, request.arena_bytes);
  }
}

std::vector<isa::InstructionBits> instructions_of(const RunRequest& request, const uint8_t* arena) {
  std::vector<isa::InstructionBits> stream(request.num_instructions);
  copy_from_shared({reinterpret_cast<uint8_t*>(stream.data()), stream.size() * sizeof(stream[0])},
                   arena + request.program_offset_bytes);
  return stream;
}

Deadline deadline_of(const RunRequest& request) {
  using Clock = Deadline::Clock;
  const auto now = Clock::now();
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::time_point::max() - now);
  if (request.timeout >= left) return {Clock::time_point::max(), request.stop};
  return {now + std::max(request.timeout, std::chrono::milliseconds(0)), request.stop};
}

void fail_at_deadline(const RunRequest& request) {
  if (request.stop != nullptr && *request.stop) fail(ErrorCode::kDevice, "the run was stopped");
  fail(ErrorCode::kTimeout, "the program did not end within {} ms", request.timeout.count());
}

}  // namespace vta::driver
