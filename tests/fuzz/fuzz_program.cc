// SPDX-License-Identifier: Apache-2.0
//
// Program files (.vta). Size and checksum in the preamble are corrected first, because few
// mutations would pass them.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "runtime/program/program.h"
#include "tests/fuzz/round_trip.h"
#include "tests/fuzz/section_mutator.h"
#include "tests/support/program_preamble.h"

namespace {

using namespace vta::support;

constexpr vta::fuzz::Layout kLayout = {kHeaderAt, kHeaderBytesAt, kDataAlignmentBytes, true};

void fix_size_and_checksum(std::vector<uint8_t>& file) {
  if (file.size() < kHeaderAt) return;
  const uint64_t file_bytes = file.size();
  std::memcpy(&file[kFileBytesAt], &file_bytes, sizeof file_bytes);
  fix_checksum(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> file(data, data + size);
  fix_size_and_checksum(file);
  vta::fuzz::check_round_trip(
      file, [](const auto& bytes) { return vta::parse_program(bytes, "input"); }, vta::serialize);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  return vta::fuzz::mutate_section({data, max_size}, size, seed, kLayout);
}
