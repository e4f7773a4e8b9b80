// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TRANSFORM_TEST_FIRST_H_
#define VTA_HW_HLSC_TRANSFORM_TEST_FIRST_H_

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::transform {

// Pipelined loops that do something before they test whether they go on (`do`, a `break` in the
// middle) remember the outcome of the test for the next iteration instead: the head has no effects
// any more, all is in the body.
void test_first(ir::Process& process);

}  // namespace vta::hlsc::transform

#endif  // VTA_HW_HLSC_TRANSFORM_TEST_FIRST_H_
