// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TESTS_UNIT_HW_HLSC_PASSES_RANDOM_EXPRESSIONS_H_
#define VTA_TESTS_UNIT_HW_HLSC_PASSES_RANDOM_EXPRESSIONS_H_

#include <cstdint>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc {

// A design of one process that reads inputs, computes with all pure operations and writes the
// results; equal for equal seeds.
ir::Design random_expressions(uint64_t seed);

}  // namespace vta::hlsc

#endif  // VTA_TESTS_UNIT_HW_HLSC_PASSES_RANDOM_EXPRESSIONS_H_
