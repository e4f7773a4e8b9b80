// SPDX-License-Identifier: Apache-2.0
//
// Memory for intermediate results, allocated while the executor is built: a later result reuses the
// buffer of a dead one.
#ifndef VTA_RUNTIME_HOST_BUFFERS_H_
#define VTA_RUNTIME_HOST_BUFFERS_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace vta::host {

class Buffers {
 public:
  // The smallest free buffer of at least `size_bytes`, or a new one; 64-byte aligned, owned by this
  // object.
  uint8_t* take(size_t size_bytes) {
    Buffer* best = nullptr;
    for (Buffer& buffer : all_) {
      const bool fits = buffer.is_free && buffer.size_bytes >= size_bytes;
      if (fits && (best == nullptr || buffer.size_bytes < best->size_bytes)) best = &buffer;
    }
    if (best == nullptr) {
      const auto size = static_cast<int64_t>(size_bytes);
      Tensor storage(TensorType{DType::kInt8, {size}});
      uint8_t* const bytes = storage.mutable_bytes().data();
      all_.push_back({std::move(storage), bytes, size_bytes, true});
      best = &all_.back();
    }
    best->is_free = false;
    return best->bytes;
  }

  void give_back(const void* bytes) {
    for (Buffer& buffer : all_) {
      if (buffer.bytes == bytes) buffer.is_free = true;
    }
  }

 private:
  struct Buffer {
    Tensor storage;
    uint8_t* bytes;
    size_t size_bytes;
    bool is_free;
  };
  std::vector<Buffer> all_;
};

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_BUFFERS_H_
