// SPDX-License-Identifier: Apache-2.0
//
// StreamChecker: is an instruction stream legal, whatever the timing?
//
// A stream is legal if every instruction is encoded as the ISA says and stays inside its memories;
// if all tokens that are pushed are popped and nothing waits for ever with queues of the core's
// depths; and if any two accesses of different stages to one scratchpad element or DRAM byte, one
// of them a write, are ordered by queue order and tokens. Then its result is the same on every
// device.
//
// The checker runs the stream's queues and tokens (not its arithmetic) once. Each stage carries a
// vector clock; a token brings its pusher's clock along; every element remembers who touched it
// when.
#ifndef VTA_RUNTIME_PROGRAM_STREAM_CHECKER_H_
#define VTA_RUNTIME_PROGRAM_STREAM_CHECKER_H_

#include <cstdint>
#include <span>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"

namespace vta::program {

// `arena_image`: the arena's constant front part; micro-ops are read from it. A stream mixes no
// plain and split compute instructions. Errors: kCorrupt, naming the instruction's index, its
// disassembly and what is wrong.
void check_stream(std::span<const isa::InstructionBits> stream, const CoreConfig& core,
                  std::span<const uint8_t> arena_image, uint64_t arena_bytes);

}  // namespace vta::program

#endif  // VTA_RUNTIME_PROGRAM_STREAM_CHECKER_H_
