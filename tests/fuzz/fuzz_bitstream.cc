// SPDX-License-Identifier: Apache-2.0
//
// Vivado's .bit files.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/errors/error.h"
#include "driver/flash/bitstream.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const vta::driver::Bitstream bitstream = vta::driver::parse_bitstream({data, size}, "input");
    if (vta::driver::byte_swapped(bitstream.words).size() != bitstream.words.size()) std::abort();
    vta::driver::is_for_part(bitstream, "xc7z020clg400-1");
  } catch (const vta::Error&) {
  }
  return 0;
}
