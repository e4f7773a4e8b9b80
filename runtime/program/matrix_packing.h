// SPDX-License-Identifier: Apache-2.0
//
// PackedMatrices: the layouts of int8 matrices [..., rows, columns] in the arena (Layout::kRows,
// Layout::kWeights). A row's columns are in blocks, and those of a block are at a fixed distance:
// of rows they are consecutive, of weights each is in another run of consecutive rows.
#ifndef VTA_RUNTIME_PROGRAM_MATRIX_PACKING_H_
#define VTA_RUNTIME_PROGRAM_MATRIX_PACKING_H_

#include <cstdint>
#include <span>

#include "configs/core_config.h"
#include "runtime/program/program.h"
#include "runtime/tensor/tensor.h"

namespace vta {

class PackedMatrices {
 public:
  // `type`: int8 of at least 2 axes. `layout`: not kImages.
  PackedMatrices(const TensorType& type, const CoreConfig& core, Layout layout);

  int64_t size_bytes() const { return matrices_ * matrix_bytes_; }

  // `packed` holds zeros.
  void pack(std::span<const uint8_t> tensor, std::span<uint8_t> packed) const;
  void unpack(std::span<const uint8_t> packed, std::span<uint8_t> tensor) const;

 private:
  // Calls move(first byte in the tensor, first byte in the layout, number of columns) for each run
  // of columns of a row within a block.
  template <typename Move>
  void for_each_run(Move&& move) const;

  int64_t matrices_, rows_, columns_;
  int64_t row_block_, column_block_;  // rows and columns of an element
  bool columns_are_runs_;             // consecutive columns are consecutive bytes
  int64_t row_blocks_, matrix_bytes_;
};

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_MATRIX_PACKING_H_
