// SPDX-License-Identifier: Apache-2.0
//
// Configurations of cores, memories and boards; the first byte selects which.
#include <cstddef>
#include <cstdint>
#include <string>

#include "configs/board_config.h"
#include "configs/core_config.h"
#include "configs/memory_config.h"
#include "tests/fuzz/round_trip.h"

namespace {

void read_board(const std::string& text) {
  try {
    vta::parse_board_config(text, "board");
  } catch (const vta::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto read_core = [](const std::string& json) {
    return vta::parse_core_config(json, "core");
  };
  const auto read_memory = [](const std::string& json) {
    return vta::parse_memory_config(json, "memory");
  };
  const auto write = [](const auto& config) { return to_json(config); };
  switch (data[0] % 3) {
    case 0:
      vta::fuzz::check_round_trip(text, read_core, write);
      break;
    case 1:
      vta::fuzz::check_round_trip(text, read_memory, write);
      break;
    default:
      read_board(text);
  }
  return 0;
}
