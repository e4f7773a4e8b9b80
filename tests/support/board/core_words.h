// SPDX-License-Identifier: Apache-2.0
//
// The contents of a core's configuration registers.
#ifndef VTA_TESTS_SUPPORT_BOARD_CORE_WORDS_H_
#define VTA_TESTS_SUPPORT_BOARD_CORE_WORDS_H_

#include <cstdint>
#include <map>

#include "configs/core_config.h"

namespace vta::support {

// Offset of a register -> its word, without the registers that depend on the board.
std::map<uint32_t, uint32_t> core_words(const CoreConfig& core);

}  // namespace vta::support

#endif  // VTA_TESTS_SUPPORT_BOARD_CORE_WORDS_H_
