// SPDX-License-Identifier: Apache-2.0
//
// Builders of .npz and .safetensors files, for tests.
#ifndef VTA_TESTS_UNIT_BASE_FILES_ARRAY_BYTES_H_
#define VTA_TESTS_UNIT_BASE_FILES_ARRAY_BYTES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace vta::test {

using Bytes = std::vector<uint8_t>;

template <typename T>
Bytes bytes_of(const std::vector<T>& values) {
  const auto* begin = reinterpret_cast<const uint8_t*>(values.data());
  return {begin, begin + values.size() * sizeof(T)};
}

// A .npy of this version whose header is `dictionary`.
Bytes npy(const std::string& dictionary, const Bytes& elements, uint8_t version = 1);

// "{'descr': DESCR, 'fortran_order': ORDER, 'shape': SHAPE, }"
std::string npy_header(const std::string& descr, const std::string& shape,
                       bool fortran_order = false);

// A zip archive of the members; names may repeat.
Bytes zip(const std::vector<std::pair<std::string, Bytes>>& members, bool deflate);

Bytes safetensors(const std::string& header, const Bytes& data);

}  // namespace vta::test

#endif  // VTA_TESTS_UNIT_BASE_FILES_ARRAY_BYTES_H_
