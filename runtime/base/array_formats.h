// SPDX-License-Identifier: Apache-2.0
//
// The two formats behind array_file.h, one .cc each. Errors come without the file's name.
#ifndef VTA_RUNTIME_BASE_ARRAY_FORMATS_H_
#define VTA_RUNTIME_BASE_ARRAY_FORMATS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/array_file.h"

namespace vta {

NamedArrays parse_npz(std::span<const uint8_t> bytes);
NamedArrays parse_safetensors(std::span<const uint8_t> bytes);

// What a file may ask for in all.
class ArrayBudget {
 public:
  // Bytes of an array. Errors: kCorrupt beyond the limits of array_file.h, naming the array.
  uint64_t charge(const std::string& name, ArrayType type, const std::vector<int64_t>& shape);

 private:
  uint64_t used_bytes_ = 0;
  uint64_t num_arrays_ = 0;
};

// A name from a file for a message: shortened, other than printable ASCII as '?'.
std::string printable(const std::string& name);

}  // namespace vta

#endif  // VTA_RUNTIME_BASE_ARRAY_FORMATS_H_
