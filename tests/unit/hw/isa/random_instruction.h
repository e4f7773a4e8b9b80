// SPDX-License-Identifier: Apache-2.0
//
// Random instructions for the tests of hw/isa: any encodable one, legal or not.
#ifndef VTA_TESTS_UNIT_HW_ISA_RANDOM_INSTRUCTION_H_
#define VTA_TESTS_UNIT_HW_ISA_RANDOM_INSTRUCTION_H_

#include <vector>

#include "base/numbers/random.h"
#include "hw/isa/instruction.h"

namespace vta::isa {

// Each field is 0, its greatest, its least or any value.
Instruction random_instruction(Random& random, const CoreConfig& core);

// The three installed cores and, of the first, the variant without the extension.
std::vector<CoreConfig> test_cores();

}  // namespace vta::isa

#endif  // VTA_TESTS_UNIT_HW_ISA_RANDOM_INSTRUCTION_H_
