// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/fst_blocks.h"

#include <array>
#include <cstdint>
#include <fstream>

namespace vta::sim {

bool is_complete_fst(const std::string& path) {
  constexpr uint64_t kTypeBytes = 1, kLengthBytes = 8;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<uint64_t>(file.tellg());
  bool has_signals = false, has_hierarchy = false;
  uint64_t at = 0;
  while (file && at + kTypeBytes + kLengthBytes <= size) {
    std::array<char, kTypeBytes + kLengthBytes> head{};
    file.seekg(static_cast<std::streamoff>(at));
    file.read(head.data(), head.size());
    uint64_t length = 0;
    for (size_t i = kTypeBytes; i < head.size(); ++i)
      length = length << 8 | static_cast<uint8_t>(head[i]);
    if (length < kLengthBytes || length > size - at - kTypeBytes) return false;
    has_signals |= head[0] == 3;
    has_hierarchy |= head[0] == 4 || head[0] == 6 || head[0] == 7;
    at += kTypeBytes + length;
  }
  return file && at == size && has_signals && has_hierarchy;
}

}  // namespace vta::sim
