// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "runtime/base/array_formats.h"
#include "runtime/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    for (const auto& [name, array] : vta::parse_safetensors({data, size})) array.type_text();
  } catch (const vta::Error&) {
  }
  return 0;
}
