// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/transform/prepare.h"

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/transform/simplify.h"

namespace vta::hlsc::transform {

void prepare(ir::Design& design) {
  for (ir::Process& process : design.processes) simplify(process);
  ir::verify(design);
}

}  // namespace vta::hlsc::transform
