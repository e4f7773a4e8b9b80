// SPDX-License-Identifier: Apache-2.0
#include "configs/memory_clock.h"

#include <filesystem>

#include "base/errors/error.h"
#include "base/numbers/parse_number.h"

namespace vta {

ClockedMemory split_memory_clock(const std::string& name) {
  std::error_code none;
  const size_t sign = name.rfind('@');
  if (sign == std::string::npos || std::filesystem::is_regular_file(name, none)) return {name, {}};
  const auto mhz = parse_number<double>(std::string_view(name).substr(sign + 1));
  if (!mhz || *mhz < kMinClockMhz || *mhz > kMaxClockMhz) {
    fail(ErrorCode::kInvalidArgument, "memory '{}': expected a clock from {} to {} MHz after '@'",
         name, kMinClockMhz, kMaxClockMhz);
  }
  return {name.substr(0, sign), mhz};
}

}  // namespace vta
