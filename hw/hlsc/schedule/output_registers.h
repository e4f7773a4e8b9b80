// SPDX-License-Identifier: Apache-2.0
//
// Output registers of block RAMs. A block RAM has a register after its memory, from which a word is
// available much earlier in a clock period (0.9 instead of 2.5 ns after the edge), in the next
// cycle. In the Verilog it is the pipeline register that directly follows the RAM; synthesis moves
// it into the block RAM.
#ifndef VTA_HW_HLSC_SCHEDULE_OUTPUT_REGISTERS_H_
#define VTA_HW_HLSC_SCHEDULE_OUTPUT_REGISTERS_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::schedule {

// `body`: of a pipelined loop of the process, with the read. Whether a pipeline register can follow
// the RAM directly. There is no selection of banks between them, no write of an older iteration of
// the body that is forwarded, and no other read, whose word has another register.
bool can_use_output_register(const ir::Design& design, const ir::Process& process,
                             const ir::Sequence& body, ir::ValueId read);

}  // namespace vta::hlsc::schedule

#endif  // VTA_HW_HLSC_SCHEDULE_OUTPUT_REGISTERS_H_
