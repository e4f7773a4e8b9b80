// SPDX-License-Identifier: Apache-2.0
//
// Quantized networks (.vtaq): a .safetensors file with the text of a graph in its header. The text
// has the checksums of the constants, so changes of the data would be refused.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compiler/import/quantized_file.h"
#include "tests/fuzz/round_trip.h"
#include "tests/fuzz/section_mutator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<uint8_t> file(data, data + size);
  vta::fuzz::check_round_trip(
      file, [](const auto& bytes) { return vta::import::parse_quantized_file(bytes); },
      vta::import::to_quantized_file);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  constexpr vta::fuzz::Layout kLayout = {8, 0, 1, false};
  return vta::fuzz::mutate_section({data, max_size}, size, seed, kLayout);
}
