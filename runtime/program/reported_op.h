// SPDX-License-Identifier: Apache-2.0
//
// The operator of a step as reports name it.
#ifndef VTA_RUNTIME_PROGRAM_REPORTED_OP_H_
#define VTA_RUNTIME_PROGRAM_REPORTED_OP_H_

#include "runtime/program/program.h"

namespace vta {

// "pack" and "unpack" for the steps that only change a layout, else the operator's name.
const char* reported_op(const ProgramStep& step);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_REPORTED_OP_H_
