// SPDX-License-Identifier: Apache-2.0
//
// .safetensors files with their metadata, both ways. Who wants the arrays alone uses array_file.h.
#ifndef VTA_RUNTIME_BASE_SAFETENSORS_H_
#define VTA_RUNTIME_BASE_SAFETENSORS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/array_file.h"

namespace vta {

struct SafetensorsFile {
  std::map<std::string, std::string> metadata;  // the header's "__metadata__"
  NamedArrays arrays;
};

// Limits and errors: those of read_arrays(), and kCorrupt for metadata other than texts; without
// the file's name in front.
SafetensorsFile parse_safetensors_file(std::span<const uint8_t> bytes);

// Arrays in the order of their names without gaps; the same content gives the same bytes.
// Errors: kInvalidArgument where the header would be larger than readers take (16 MiB).
std::vector<uint8_t> to_safetensors(const SafetensorsFile& file);

}  // namespace vta

#endif  // VTA_RUNTIME_BASE_SAFETENSORS_H_
