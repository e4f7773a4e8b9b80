// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/stream_counts.h"

#include "hw/isa/program_bytes.h"
#include "runtime/program/dram_address.h"

namespace vta {
namespace {

uint64_t& loaded_bytes(uint32_t memory, hw::Counters& counters) {
  switch (memory) {
    case isa::kUop:
      return counters.uop_load_nbytes;
    case isa::kWgt:
      return counters.wgt_load_nbytes;
    case isa::kInp:
      return counters.inp_load_nbytes;
    default:
      return counters.acc_load_nbytes;
  }
}

}  // namespace

uint64_t transfer_bytes(const isa::Instruction& instruction, const CoreConfig& core) {
  return uint64_t{instruction.x_size} * instruction.y_size *
         dram_elem_bytes(instruction.memory, core);
}

uint64_t num_micro_ops(const isa::Instruction& instruction) {
  return uint64_t{instruction.iter_out} * instruction.iter_in *
         (instruction.uop_end - instruction.uop_bgn);
}

void add_counts(const isa::Instruction& instruction, const CoreConfig& core,
                hw::Counters& counters) {
  switch (instruction.opcode) {
    case isa::kLoad:
      loaded_bytes(instruction.memory, counters) += transfer_bytes(instruction, core);
      break;
    case isa::kStore:
      counters.out_store_nbytes += transfer_bytes(instruction, core);
      break;
    case isa::kAlu:
      counters.alu_counter += num_micro_ops(instruction);
      break;
    // A split GEMM with reset multiplies and overwrites; a plain one only clears.
    case isa::kGemm:
      if (!instruction.reset || instruction.split)
        counters.gemm_counter += num_micro_ops(instruction);
      break;
    default:
      break;
  }
}

hw::Counters counts_of(std::span<const uint8_t> instructions, const CoreConfig& core) {
  hw::Counters counters;
  for (const isa::InstructionBits& bits : isa::instructions_in(instructions))
    add_counts(isa::decode(bits, core), core, counters);
  return counters;
}

}  // namespace vta
