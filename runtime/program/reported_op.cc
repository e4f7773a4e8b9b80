// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/reported_op.h"

namespace vta {

const char* reported_op(const ProgramStep& step) {
  switch (step.kind) {
    case ProgramStep::Kind::kPack:
    case ProgramStep::Kind::kUnpack:
      return to_string(step.kind);
    default:
      return to_string(step.op);
  }
}

}  // namespace vta
