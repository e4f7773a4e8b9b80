// SPDX-License-Identifier: Apache-2.0
//
// The list of a core's numbers, for the code that reads, checks, compares and writes them all.
#ifndef VTA_CONFIGS_CORE_FIELDS_H_
#define VTA_CONFIGS_CORE_FIELDS_H_

#include <cstdint>

#include "configs/core_config.h"

namespace vta {

struct CoreField {
  const char* key;  // of the JSON form
  uint32_t CoreConfig::* member;
  uint32_t max;  // the least is 1
  bool power_of_two;
};

inline constexpr uint32_t kMaxBlock = 256;
inline constexpr uint32_t kMaxBufferBytes = 16 << 20;
inline constexpr uint32_t kMaxQueueDepth = 65536;

// In the order of the JSON form.
inline constexpr CoreField kCoreFields[] = {
    {"batch", &CoreConfig::batch, kMaxBlock, true},
    {"block_in", &CoreConfig::block_in, kMaxBlock, true},
    {"block_out", &CoreConfig::block_out, kMaxBlock, true},
    {"uop_buffer_bytes", &CoreConfig::uop_buffer_bytes, kMaxBufferBytes, true},
    {"inp_buffer_bytes", &CoreConfig::inp_buffer_bytes, kMaxBufferBytes, true},
    {"wgt_buffer_bytes", &CoreConfig::wgt_buffer_bytes, kMaxBufferBytes, true},
    {"acc_buffer_bytes", &CoreConfig::acc_buffer_bytes, kMaxBufferBytes, true},
    {"command_queue_depth", &CoreConfig::command_queue_depth, kMaxQueueDepth, false},
    {"token_queue_depth", &CoreConfig::token_queue_depth, kMaxQueueDepth, false},
};

inline constexpr uint32_t kMaxCoreNameChars = 64;

// 1 to 64 letters, digits, '_', '-', '.' and '+'.
bool is_core_name(const std::string& name);

}  // namespace vta

#endif  // VTA_CONFIGS_CORE_FIELDS_H_
