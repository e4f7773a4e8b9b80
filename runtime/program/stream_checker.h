// SPDX-License-Identifier: Apache-2.0
//
// check_stream(): checks that an instruction stream is legal with any timing.
//
// A stream is legal if
// - every instruction has a valid encoding and stays inside its memories;
// - every pushed token is popped, and the stream does not deadlock with queues of the core's
//   depths;
// - FINISH waits for the last STORE by tokens, if there is one: other implementations of VTA are
//   done when FINISH has executed;
// - an ALU operation with an immediate has src = dst, which VTA's Chisel core reads;
// - any two accesses of different stages to one scratchpad element or DRAM byte, at least one of
//   them a write, are ordered by queue order and tokens.
// The result of a legal stream is the same on every device, and that of a plain one the same on
// other implementations, if its GEMMs keep the distance that these require.
//
// The checker executes the stream's queues and tokens once (stream_execution.h), and every element
// records its last accesses (stream_accesses.h). It shares no code with the stream builder.
#ifndef VTA_RUNTIME_PROGRAM_STREAM_CHECKER_H_
#define VTA_RUNTIME_PROGRAM_STREAM_CHECKER_H_

#include <cstdint>
#include <span>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"

namespace vta {

// `arena_image`: the constant first part of the arena, which contains the micro-ops. Errors:
// kCorrupt, naming the instruction's index and its disassembly.
void check_stream(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
                  std::span<const uint8_t> arena_image, uint64_t arena_bytes);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_STREAM_CHECKER_H_
