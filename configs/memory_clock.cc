// SPDX-License-Identifier: Apache-2.0
#include "configs/memory_clock.h"

#include <charconv>
#include <filesystem>

#include "base/errors/error.h"

namespace vta {

ClockedMemory split_memory_clock(const std::string& name) {
  std::error_code none;
  const size_t sign = name.rfind('@');
  if (sign == std::string::npos || std::filesystem::is_regular_file(name, none)) return {name, {}};
  double mhz = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + sign + 1, end, mhz);
  if (error != std::errc() || rest != end || !(mhz >= kMinClockMhz && mhz <= kMaxClockMhz)) {
    fail(ErrorCode::kInvalidArgument, "memory '{}': expected a clock from {} to {} MHz after '@'",
         name, kMinClockMhz, kMaxClockMhz);
  }
  return {name.substr(0, sign), mhz};
}

}  // namespace vta
