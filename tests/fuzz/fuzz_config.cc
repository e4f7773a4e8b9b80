// SPDX-License-Identifier: Apache-2.0
//
// Configurations of cores, memories and boards; the first byte selects which.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "configs/board_config.h"
#include "configs/core_config.h"
#include "configs/memory_config.h"
#include "runtime/base/error.h"

namespace {

// What is accepted must be written and read again without a change.
void read_core(const std::string& text) {
  const std::string written = to_json(vta::parse_core_config(text, "core"));
  if (to_json(vta::parse_core_config(written, "core")) != written) std::abort();
}

void read_memory(const std::string& text) {
  const std::string written = to_json(vta::parse_memory_config(text, "memory"));
  if (to_json(vta::parse_memory_config(written, "memory")) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] % 3 == 0) read_core(text);
    if (data[0] % 3 == 1) read_memory(text);
    if (data[0] % 3 == 2) vta::parse_board_config(text, "board");
  } catch (const vta::Error&) {
  }
  return 0;
}
