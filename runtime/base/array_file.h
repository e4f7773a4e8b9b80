// SPDX-License-Identifier: Apache-2.0
//
// Named arrays from files of weights and data sets: NumPy's .npz and .safetensors.
#ifndef VTA_RUNTIME_BASE_ARRAY_FILE_H_
#define VTA_RUNTIME_BASE_ARRAY_FILE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace vta {

enum class ArrayType { kFloat64, kFloat32, kFloat16, kBFloat16, kInt64, kInt32, kInt8, kUint8 };
const char* to_string(ArrayType type);  // "float64", "bfloat16", "uint8", ...
size_t size_bytes(ArrayType type);

// A dense, row-major, little-endian array. A shape without axes is a single number; axes of size 0
// are legal.
struct NamedArray {
  ArrayType type = ArrayType::kFloat32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  int64_t num_elems() const { return static_cast<int64_t>(bytes.size() / size_bytes(type)); }
  bool is_floating() const;
  std::string type_text() const;  // "float32[16, 3, 3, 3]"

  // Every element as float; a float64 is rounded to nearest, an int64 likewise.
  std::vector<float> to_floats() const;
  // Every element of an integer type. Asserts that the type is one.
  std::vector<int64_t> to_integers() const;
};

using NamedArrays = std::map<std::string, NamedArray>;

// The arrays of a file that is told by its first bytes. An .npz (stored or deflated members
// `NAME.npy`, format versions 1 to 3, C and Fortran order) gives them by NAME; a .safetensors file
// by the names of its header. Limits: 2 GiB of file, 4 GiB of elements, 65536 arrays of at most 8
// axes.
// Errors: kNotFound, kIo; kCorrupt for bytes that break their format; kUnsupported for element
// types other than the above; each names the file and the array.
NamedArrays read_arrays(const std::filesystem::path& path);

// The same from memory; `origin` names the bytes in messages.
NamedArrays parse_arrays(std::span<const uint8_t> bytes, const std::string& origin);

}  // namespace vta

#endif  // VTA_RUNTIME_BASE_ARRAY_FILE_H_
