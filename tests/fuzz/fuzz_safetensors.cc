// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "base/errors/error.h"
#include "base/files/array_formats.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    for (const auto& [name, array] : vta::open_safetensors({data, size})->read_all())
      array.type_text();
  } catch (const vta::Error&) {
  }
  return 0;
}
