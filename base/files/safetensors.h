// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes .safetensors files with their metadata. For the arrays alone: array_file.h.
#ifndef VTA_BASE_FILES_SAFETENSORS_H_
#define VTA_BASE_FILES_SAFETENSORS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/files/array_file.h"

namespace vta {

struct SafetensorsFile {
  std::map<std::string, std::string> metadata;  // the header's "__metadata__"
  NamedArrays arrays;
};

// Limits and errors: as read_arrays(), and kCorrupt for metadata other than texts. Messages do not
// name the file.
SafetensorsFile parse_safetensors_file(std::span<const uint8_t> bytes);

// The bytes of a file with the arrays sorted by name, without gaps: the same content gives the same
// bytes. Errors: kInvalidArgument for a header above 16 MiB, the limit of readers.
std::vector<uint8_t> to_safetensors(const SafetensorsFile& file);

}  // namespace vta

#endif  // VTA_BASE_FILES_SAFETENSORS_H_
