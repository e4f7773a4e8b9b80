// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/matrix_packing.h"

#include <algorithm>
#include <cstring>

#include "base/errors/error.h"
#include "base/numbers/round_up.h"

namespace vta {

PackedMatrices::PackedMatrices(const TensorType& type, const CoreConfig& core, Layout layout)
    : columns_are_runs_(layout == Layout::kRows) {
  VTA_ASSERT(type.dtype == DType::kInt8 && type.shape.size() >= 2 && layout != Layout::kImages,
             "packed matrices are int8");
  rows_ = type.shape.end()[-2];
  columns_ = type.shape.back();
  matrices_ = type.num_elems() / (rows_ * columns_);
  row_block_ = columns_are_runs_ ? core.batch : core.block_in;
  column_block_ = columns_are_runs_ ? core.block_in : core.block_out;
  row_blocks_ = (rows_ + row_block_ - 1) / row_block_;
  matrix_bytes_ = row_blocks_ * row_block_ * round_up(columns_, column_block_);
}

template <typename Move>
void PackedMatrices::for_each_run(Move&& move) const {
  const int64_t element = row_block_ * column_block_;
  for (int64_t row = 0; row < matrices_ * rows_; ++row) {
    const int64_t matrix = row / rows_, r = row % rows_;
    const int64_t lane = r % row_block_ * (columns_are_runs_ ? column_block_ : 1);
    const int64_t first = matrix * matrix_bytes_ + r / row_block_ * element + lane;
    for (int64_t column = 0; column < columns_; column += column_block_) {
      move(row * columns_ + column, first + column / column_block_ * row_blocks_ * element,
           std::min(column_block_, columns_ - column));
    }
  }
}

void PackedMatrices::pack(std::span<const uint8_t> tensor, std::span<uint8_t> packed) const {
  for_each_run([&](int64_t from, int64_t to, int64_t count) {
    const uint8_t* source = tensor.data() + from;
    uint8_t* target = packed.data() + to;
    if (columns_are_runs_) {
      std::memcpy(target, source, static_cast<size_t>(count));
    } else {
      for (int64_t i = 0; i < count; ++i) target[i * row_block_] = source[i];
    }
  });
}

void PackedMatrices::unpack(std::span<const uint8_t> packed, std::span<uint8_t> tensor) const {
  for_each_run([&](int64_t to, int64_t from, int64_t count) {
    const uint8_t* source = packed.data() + from;
    uint8_t* target = tensor.data() + to;
    if (columns_are_runs_) {
      std::memcpy(target, source, static_cast<size_t>(count));
    } else {
      for (int64_t i = 0; i < count; ++i) target[i] = source[i * row_block_];
    }
  });
}

}  // namespace vta
