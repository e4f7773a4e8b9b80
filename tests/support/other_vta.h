// SPDX-License-Identifier: Apache-2.0
//
// OtherVta: a device that behaves as published implementations of VTA do where they are less
// forgiving than our core (docs/instruction_set.md, "Differences from VTA"):
// - it is done when FINISH has executed; STOREs that have not started by then are lost, and every
//   STORE starts as late as the tokens allow;
// - an ALU operation with an immediate reads ACC[src], as the Chisel core does;
// - loads do not write OUT;
// - a GEMM that writes an accumulator within the next two micro-ops is an error, unless it has
//   fewer than three accumulators.
#ifndef VTA_TESTS_SUPPORT_OTHER_VTA_H_
#define VTA_TESTS_SUPPORT_OTHER_VTA_H_

#include <memory>

#include "driver/device.h"

namespace vta::support {

// A device of `core` without its extension. Its counters are zero. Errors of run(): kDevice, naming
// the instruction, for what VTA lacks or forbids, and for a deadlock.
std::unique_ptr<driver::Device> make_other_vta(const CoreConfig& core);

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_OTHER_VTA_H_
