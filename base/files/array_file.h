// SPDX-License-Identifier: Apache-2.0
//
// Named arrays from weight and data set files: NumPy .npz and .npy, and .safetensors.
#ifndef VTA_BASE_FILES_ARRAY_FILE_H_
#define VTA_BASE_FILES_ARRAY_FILE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vta {

enum class ArrayType { kFloat64, kFloat32, kFloat16, kBFloat16, kInt64, kInt32, kInt8, kUint8 };
const char* to_string(ArrayType type);  // "float64", "bfloat16", "uint8", ...
size_t size_bytes(ArrayType type);

// A dense, row-major, little-endian array. An empty shape is a scalar; axes of size 0 are legal.
struct NamedArray {
  ArrayType type = ArrayType::kFloat32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  int64_t num_elems() const;  // of its shape
  bool is_floating() const;
  std::string type_text() const;  // "float32[16, 3, 3, 3]"

  // All elements as float; float64 and int64 are rounded to nearest.
  std::vector<float> to_floats() const;
  // All elements. Asserts that the element type is an integer.
  std::vector<int64_t> to_integers() const;
};

using NamedArrays = std::map<std::string, NamedArray>;

class ArraySource;  // array_formats.h

// A file of arrays; its first bytes tell the format. Names: NAME of the members `NAME.npy` of an
// .npz (stored or deflated, format versions 1 to 3, C or Fortran order), "" for a .npy, or the
// names in the header of a .safetensors file. Opening it reads and checks all headers, and sizes
// against the limit of the process (memory_limit.h); elements are inflated by read() alone, so that
// a caller can refuse a shape before. Limits: a file of 2 GiB, 4 GiB of elements, 65536 arrays
// (16384 in a .safetensors file), 8 axes. Errors: kNotFound, kIo; kCorrupt for a malformed file;
// kUnsupported for other element types. Each names the file and the array. kOutOfMemory, naming
// array and size.
class ArrayFile {
 public:
  explicit ArrayFile(const std::filesystem::path& path);
  // From memory, which must outlive this object; `origin` names the bytes in messages.
  ArrayFile(std::span<const uint8_t> bytes, std::string origin);
  ArrayFile(ArrayFile&&) noexcept;
  ~ArrayFile();

  // The arrays without their elements.
  const NamedArrays& headers() const;
  // An array that headers() has.
  NamedArray read(const std::string& name) const;
  NamedArrays read_all() const;

 private:
  std::vector<uint8_t> file_;
  std::string origin_;
  std::unique_ptr<const ArraySource> source_;
};

// All arrays of a file, or of memory.
NamedArrays read_arrays(const std::filesystem::path& path);
NamedArrays parse_arrays(std::span<const uint8_t> bytes, const std::string& origin);

}  // namespace vta

#endif  // VTA_BASE_FILES_ARRAY_FILE_H_
