// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/dram_address.h"

#include "hw/isa/layout.h"

namespace vta {

uint32_t dram_elem_bytes(uint32_t memory, const CoreConfig& core) {
  switch (memory) {
    case isa::kUop:
      return core.uop_elem_bytes();
    case isa::kWgt:
      return core.wgt_elem_bytes();
    case isa::kInp:
      return core.inp_elem_bytes();
    case isa::kAcc:
      return core.acc_elem_bytes();
    default:
      return core.out_elem_bytes();  // OUT and ACC_8BIT
  }
}

uint64_t dram_end_bytes(const isa::Instruction& transfer, const CoreConfig& core) {
  const uint64_t last_row = (uint64_t{transfer.y_size} - 1) * transfer.x_stride;
  return (transfer.dram_base + last_row + transfer.x_size) * dram_elem_bytes(transfer.memory, core);
}

}  // namespace vta
