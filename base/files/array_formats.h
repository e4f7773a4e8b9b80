// SPDX-License-Identifier: Apache-2.0
//
// The formats that array_file.h reads, one .cc for NumPy's and one for safetensors. Errors do not
// name the file.
#ifndef VTA_BASE_FILES_ARRAY_FORMATS_H_
#define VTA_BASE_FILES_ARRAY_FORMATS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/files/array_file.h"

namespace vta {

// The arrays of bytes, which outlive it.
class ArraySource {
 public:
  virtual ~ArraySource() = default;
  const NamedArrays& headers() const { return headers_; }  // without elements
  NamedArray read(const std::string& name) const;
  NamedArrays read_all() const;

 protected:
  NamedArrays headers_;

 private:
  // The elements of an array of headers_.
  virtual std::vector<uint8_t> read_bytes(const std::string& name) const = 0;
};

std::unique_ptr<const ArraySource> open_npz(std::span<const uint8_t> bytes);
std::unique_ptr<const ArraySource> open_npy(std::span<const uint8_t> bytes);
std::unique_ptr<const ArraySource> open_safetensors(std::span<const uint8_t> bytes);

// The limits of array_file.h, counted over all arrays of a file.
class ArrayBudget {
 public:
  // The size of an array in bytes. Errors: kCorrupt above a limit, naming the array.
  uint64_t charge(const std::string& name, ArrayType type, const std::vector<int64_t>& shape);

 private:
  uint64_t used_bytes_ = 0;
  uint64_t num_arrays_ = 0;
};

// A name from a file, for a message: shortened, with '?' for other than printable ASCII.
std::string printable(const std::string& name);

}  // namespace vta

#endif  // VTA_BASE_FILES_ARRAY_FORMATS_H_
