// SPDX-License-Identifier: Apache-2.0
//
// Posted writes: the write port of a RAM has registers before it, so that a word is written one
// cycle after its operation. From a register, address and data have a whole clock period to reach
// block RAMs all over the chip, and copies of the register can be placed next to them.
//
// The results stay the same where the readers are other processes. A token or an item orders their
// reads after the write. A stream has a cycle of latency: if the writer gives the token at least
// one cycle after the write, the word is in the RAM when the reader has the token.
#ifndef VTA_HW_HLSC_BIND_POSTED_WRITES_H_
#define VTA_HW_HLSC_BIND_POSTED_WRITES_H_

#include "hw/hlsc/bind/ram_ports.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::hlsc::bind {

// Whether the RAM's writes can be posted: it has one writer, which does not read it and gives
// nothing (item, token, request, beat) in a step or a nest with a write.
bool can_post_writes(const ir::Design& design, const schedule::Schedule& schedule, ir::ObjectId ram,
                     const RamPorts& ports);

}  // namespace vta::hlsc::bind

#endif  // VTA_HW_HLSC_BIND_POSTED_WRITES_H_
