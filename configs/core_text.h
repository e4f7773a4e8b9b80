// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_CONFIGS_CORE_TEXT_H_
#define VTA_CONFIGS_CORE_TEXT_H_

#include <string>

#include "configs/core_config.h"

namespace vta {

// A line for people, without the name: "batch 1, block 16x16, buffers uop 32768, inp 32768, wgt
// 262144, acc 131072 bytes, extension".
std::string describe(const CoreConfig& core);

}  // namespace vta

#endif  // VTA_CONFIGS_CORE_TEXT_H_
