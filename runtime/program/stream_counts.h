// SPDX-License-Identifier: Apache-2.0
//
// The counters (hw/isa, "Counters") that instructions add to those of a run, without cycles. They
// depend on a legal program's instructions alone.
#ifndef VTA_RUNTIME_PROGRAM_STREAM_COUNTS_H_
#define VTA_RUNTIME_PROGRAM_STREAM_COUNTS_H_

#include <cstdint>
#include <span>

#include "configs/core_config.h"
#include "hw/isa/instruction.h"
#include "hw/registers/counters.h"

namespace vta {

// Bytes that a LOAD or STORE moves.
uint64_t transfer_bytes(const isa::Instruction& instruction, const CoreConfig& core);

// Iterations of a GEMM or ALU.
uint64_t num_micro_ops(const isa::Instruction& instruction);

void add_counts(const isa::Instruction& instruction, const CoreConfig& core,
                hw::Counters& counters);

// The sum over encoded instructions.
hw::Counters counts_of(std::span<const uint8_t> instructions, const CoreConfig& core);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_STREAM_COUNTS_H_
