// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/packing.h"

#include <algorithm>
#include <cstring>

#include "runtime/program/matrix_packing.h"

namespace vta {
namespace {

// The lowest bytes of int32 numbers are a packed int8 tensor, then the second bytes, and so on: the
// core stores bytes only.
int64_t byte_planes(const TensorType& type) {
  VTA_ASSERT(type.dtype == DType::kInt8 || type.dtype == DType::kInt32,
             "packed tensors are int8 or int32");
  return type.dtype == DType::kInt8 ? 1 : 4;
}

struct PackedShape {
  int64_t n, c, pixels;              // logical
  int64_t batch, block;              // of one element
  int64_t n_groups, c_blocks;        // elements
  int64_t group_pitch, block_pitch;  // elements from a group or a block to the next

  int64_t size_bytes() const { return n_groups * c_blocks * pixels * batch * block; }
};

PackedShape packed_shape(const TensorType& type, const CoreConfig& core) {
  const auto& shape = type.shape;
  VTA_ASSERT(shape.size() == 2 || shape.size() == 4, "packed tensors are [n, c, h, w] or [n, c]");
  PackedShape p;
  p.n = shape[0];
  p.c = shape[1];
  p.pixels = shape.size() == 4 ? shape[2] * shape[3] : 1;
  p.batch = core.batch;
  p.block = core.block_in;
  p.n_groups = (p.n + p.batch - 1) / p.batch;
  p.c_blocks = (p.c + p.block - 1) / p.block;
  const bool rows_are_pixels = shape.size() == 2;
  p.group_pitch = rows_are_pixels ? 1 : p.c_blocks * p.pixels;
  p.block_pitch = rows_are_pixels ? p.n_groups : p.pixels;
  return p;
}

// Calls move(plane, first byte in the packed layout) for each image and channel. In the packed
// layout the pixels of a plane are `batch * block` bytes apart.
template <typename Move>
void for_each_plane(const PackedShape& p, Move&& move) {
  const int64_t element_bytes = p.batch * p.block, block_bytes = p.block_pitch * element_bytes;
  for (int64_t n = 0; n < p.n; ++n) {
    int64_t first = n / p.batch * p.group_pitch * element_bytes + n % p.batch * p.block;
    // No division for each channel: boards have no instruction for it.
    for (int64_t c = 0; c < p.c; c += p.block, first += block_bytes) {
      const int64_t lanes = std::min(p.block, p.c - c);
      for (int64_t lane = 0; lane < lanes; ++lane) move(n * p.c + c + lane, first + lane);
    }
  }
}

}  // namespace

const char* to_string(Layout layout) {
  switch (layout) {
    case Layout::kImages:
      return "images";
    case Layout::kRows:
      return "rows";
    case Layout::kWeights:
      return "weights";
  }
  return "?";
}

Layout operand_layout(OpKind op, size_t operand) {
  if (op != OpKind::kQMatmul) return Layout::kImages;
  return operand == 0 ? Layout::kRows : Layout::kWeights;
}

Layout result_layout(OpKind op) { return op == OpKind::kQMatmul ? Layout::kRows : Layout::kImages; }

uint64_t packed_size_bytes(const TensorType& type, const CoreConfig& core, Layout layout) {
  if (layout != Layout::kImages)
    return static_cast<uint64_t>(PackedMatrices(type, core, layout).size_bytes());
  return static_cast<uint64_t>(byte_planes(type) * packed_shape(type, core).size_bytes());
}

uint64_t packed_size_bytes(const ProgramValue& value, const CoreConfig& core) {
  return packed_size_bytes(value.type, core, value.layout);
}

void pack(const TensorType& type, std::span<const uint8_t> array, const CoreConfig& core,
          std::span<uint8_t> packed, Layout layout) {
  VTA_ASSERT(array.size() == type.num_bytes(), "size of the array");
  VTA_ASSERT(packed.size() == packed_size_bytes(type, core, layout), "size of the packed tensor");
  std::ranges::fill(packed, uint8_t{0});
  if (layout != Layout::kImages) {
    PackedMatrices(type, core, layout).pack(array, packed);
    return;
  }
  const PackedShape p = packed_shape(type, core);
  const int64_t pitch = p.batch * p.block, bytes = byte_planes(type);
  for (int64_t byte = 0; byte < bytes; ++byte) {
    const uint8_t* src = array.data() + byte;
    uint8_t* dst = packed.data() + byte * p.size_bytes();
    for_each_plane(p, [&](int64_t plane, int64_t first) {
      const uint8_t* from = src + plane * p.pixels * bytes;
      uint8_t* to = dst + first;
      for (int64_t i = 0; i < p.pixels; ++i) to[i * pitch] = from[i * bytes];
    });
  }
}

void pack(const Tensor& tensor, const CoreConfig& core, std::span<uint8_t> packed, Layout layout) {
  pack(tensor.type(), tensor.bytes(), core, packed, layout);
}

void unpack(std::span<const uint8_t> packed, const TensorType& type, const CoreConfig& core,
            std::span<uint8_t> array, Layout layout) {
  VTA_ASSERT(packed.size() == packed_size_bytes(type, core, layout), "size of the packed tensor");
  VTA_ASSERT(array.size() == type.num_bytes(), "size of the array");
  if (layout != Layout::kImages) return PackedMatrices(type, core, layout).unpack(packed, array);
  const PackedShape p = packed_shape(type, core);
  const int64_t pitch = p.batch * p.block, bytes = byte_planes(type);
  for (int64_t byte = 0; byte < bytes; ++byte) {
    const uint8_t* src = packed.data() + byte * p.size_bytes();
    uint8_t* dst = array.data() + byte;
    for_each_plane(p, [&](int64_t plane, int64_t first) {
      const uint8_t* from = src + first;
      uint8_t* to = dst + plane * p.pixels * bytes;
      for (int64_t i = 0; i < p.pixels; ++i) to[i * bytes] = from[i * pitch];
    });
  }
}

Tensor unpack(std::span<const uint8_t> packed, const TensorType& type, const CoreConfig& core,
              Layout layout) {
  Tensor tensor(type);
  unpack(packed, type, core, tensor.mutable_bytes(), layout);
  return tensor;
}

}  // namespace vta
