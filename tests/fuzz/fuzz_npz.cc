// SPDX-License-Identifier: Apache-2.0
//
// The first byte selects the format: a complete .npz, or the .npy of its only member. The checksums
// of an archive reject nearly every change inside a member, so only the second format reaches the
// reader of .npy.
#include <cstddef>
#include <cstdint>

#include "base/errors/error.h"
#include "base/files/array_formats.h"
#include "tests/unit/base/files/array_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::vector<uint8_t> bytes(data + 1, data + size);
  if (data[0] % 2 == 1) bytes = vta::test::zip({{"a.npy", bytes}}, data[0] % 4 == 1);
  try {
    for (const auto& [name, array] : vta::open_npz(bytes)->read_all()) array.type_text();
  } catch (const vta::Error&) {
  }
  return 0;
}
