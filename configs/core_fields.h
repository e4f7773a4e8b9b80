// SPDX-License-Identifier: Apache-2.0
//
// core_fields.def as a table, for code that reads, checks, compares or writes all fields of a core.
#ifndef VTA_CONFIGS_CORE_FIELDS_H_
#define VTA_CONFIGS_CORE_FIELDS_H_

#include <cstdint>

#include "configs/core_config.h"

namespace vta {

struct CoreField {
  const char* key;  // in the JSON form
  uint32_t CoreSizes::* member;
  uint32_t max;  // the smallest value is 1
  bool power_of_two;
  bool optional = false;  // 1 if the JSON form leaves it out
};

inline constexpr uint32_t kMaxBlock = 256;
inline constexpr uint32_t kMaxBufferBytes = 16 << 20;
inline constexpr uint32_t kMaxQueueDepth = 65536;
inline constexpr uint32_t kMaxFolding = kMaxBlock * kMaxBlock;  // a lane
inline constexpr uint32_t kMaxPixels = 2;

// In the order of the JSON form.
inline constexpr CoreField kCoreFields[] = {
#define VTA_CORE_FIELD(key, max, power_of_two, meaning) {#key, &CoreSizes::key, max, power_of_two},
#define VTA_CORE_OPTION(key, max, power_of_two, meaning) \
  {#key, &CoreSizes::key, max, power_of_two, true},
#include "configs/core_fields.def"
};

}  // namespace vta

#endif  // VTA_CONFIGS_CORE_FIELDS_H_
