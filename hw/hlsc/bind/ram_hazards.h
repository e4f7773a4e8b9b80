// SPDX-License-Identifier: Apache-2.0
//
// RAM hazards of a pipelined body: accesses of older iterations that stall a read, or from which it
// forwards. The Verilog stalls and forwards by these rules, the cycle model waits by them, and the
// report lists them.
//
// In all functions `read` and `other` access the same RAM.
#ifndef VTA_HW_HLSC_BIND_RAM_HAZARDS_H_
#define VTA_HW_HLSC_BIND_RAM_HAZARDS_H_

#include <cstdint>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/pipelined_body.h"

namespace vta::hlsc::bind {

// Structural hazard: the RAM has one read port, and a read of an older iteration, which is in a
// later stage, comes first.
bool waits_for_read(const schedule::PipelinedBody& body, ir::ValueId read, ir::ValueId other);

// Stages [first, end).
struct StageRange {
  uint32_t first, end;
  bool empty() const { return first >= end; }
};

// Read-after-write hazard: the stages in which an older iteration stalls the word of the read,
// because it has yet to write that word. In the stage of its write the word is forwarded.
StageRange pending_stages(const schedule::PipelinedBody& body, ir::ValueId read, ir::ValueId write);

// Whether an older iteration's write can be in the cycle of the read, or, if the word waits a
// stage, in that of the wait: then the word takes the written lanes.
bool forwards(const schedule::PipelinedBody& body, ir::ValueId read, ir::ValueId write);

}  // namespace vta::hlsc::bind

#endif  // VTA_HW_HLSC_BIND_RAM_HAZARDS_H_
