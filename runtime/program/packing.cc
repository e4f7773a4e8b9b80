// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "runtime/program/program.h"

namespace vta {
namespace {

struct PackedShape {
  int64_t n, c, pixels;        // logical
  int64_t batch, block;        // of one element
  int64_t n_groups, c_blocks;  // elements
};

PackedShape packed_shape(const TensorType& type, const CoreConfig& core) {
  const auto& shape = type.shape;
  VTA_ASSERT(type.dtype == DType::kInt8, "packed tensors are int8");
  VTA_ASSERT(shape.size() == 2 || shape.size() == 4, "packed tensors are [n, c, h, w] or [n, c]");
  PackedShape p;
  p.n = shape[0];
  p.c = shape[1];
  p.pixels = shape.size() == 4 ? shape[2] * shape[3] : 1;
  p.batch = core.batch;
  p.block = core.block_in;
  p.n_groups = (p.n + p.batch - 1) / p.batch;
  p.c_blocks = (p.c + p.block - 1) / p.block;
  return p;
}

// Calls move(plane, first byte in the packed layout) for each image and channel. In the packed
// layout the pixels of a plane are `batch * block` bytes apart.
template <typename Move>
void for_each_plane(const PackedShape& p, Move&& move) {
  for (int64_t n = 0; n < p.n; ++n) {
    for (int64_t c = 0; c < p.c; ++c) {
      const int64_t element = ((n / p.batch) * p.c_blocks + c / p.block) * p.pixels;
      const int64_t lane = (n % p.batch) * p.block + c % p.block;
      move(n * p.c + c, element * p.batch * p.block + lane);
    }
  }
}

}  // namespace

uint64_t packed_size_bytes(const TensorType& type, const CoreConfig& core) {
  const PackedShape p = packed_shape(type, core);
  return static_cast<uint64_t>(p.n_groups * p.c_blocks * p.pixels * p.batch * p.block);
}

void pack(const Tensor& tensor, const CoreConfig& core, std::span<uint8_t> packed) {
  const PackedShape p = packed_shape(tensor.type(), core);
  VTA_ASSERT(packed.size() == packed_size_bytes(tensor.type(), core), "size of the packed tensor");
  std::ranges::fill(packed, uint8_t{0});
  const uint8_t* src = tensor.bytes().data();
  const int64_t pitch = p.batch * p.block;
  for_each_plane(p, [&](int64_t plane, int64_t first) {
    const uint8_t* from = src + plane * p.pixels;
    uint8_t* to = packed.data() + first;
    for (int64_t i = 0; i < p.pixels; ++i) to[i * pitch] = from[i];
  });
}

Tensor unpack(std::span<const uint8_t> packed, const TensorType& type, const CoreConfig& core) {
  const PackedShape p = packed_shape(type, core);
  VTA_ASSERT(packed.size() == packed_size_bytes(type, core), "size of the packed tensor");
  Tensor tensor(type);
  uint8_t* dst = tensor.mutable_bytes().data();
  const int64_t pitch = p.batch * p.block;
  for_each_plane(p, [&](int64_t plane, int64_t first) {
    const uint8_t* from = packed.data() + first;
    uint8_t* to = dst + plane * p.pixels;
    for (int64_t i = 0; i < p.pixels; ++i) to[i] = from[i * pitch];
  });
  return tensor;
}

}  // namespace vta
