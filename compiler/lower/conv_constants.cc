// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_constants.h"

#include <algorithm>

namespace vta::lower {
namespace {

// Reads the weights of one WGT element, [block_out][block_in].
class WeightReader {
 public:
  WeightReader(const Tensor& weights, const ConvShape& shape, const CoreConfig& core)
      : weights_(weights.data<int8_t>().data()),
        oc_(weights.dim(0)),
        group_ic_(weights.dim(1)),
        group_oc_(shape.groups == 1 ? oc_ : shape.group_oc),
        kw_(shape.columns.kernel),
        taps_(shape.rows.kernel * kw_),
        core_(core) {}

  void copy_element(BlockPair pair, int64_t ky, int64_t kx, uint8_t* element) const {
    const int64_t first_row = pair.oc * core_.block_out, first_column = pair.ic * core_.block_in;
    const int64_t rows = std::min<int64_t>(core_.block_out, oc_ - first_row);
    for (int64_t o = 0; o < rows; ++o) {
      const int64_t oc = first_row + o;
      // Input channels of the block in the output's group.
      const int64_t group_begin = oc / group_oc_ * group_ic_;
      const int64_t begin = std::max(group_begin, first_column);
      const int64_t end = std::min<int64_t>(group_begin + group_ic_, first_column + core_.block_in);
      const int8_t* from = weights_ + oc * group_ic_ * taps_ + ky * kw_ + kx;
      uint8_t* to = element + o * core_.block_in;
      for (int64_t ic = begin; ic < end; ++ic) {
        to[ic - first_column] = static_cast<uint8_t>(from[(ic - group_begin) * taps_]);
      }
    }
  }

 private:
  const int8_t* weights_;
  const int64_t oc_, group_ic_, group_oc_, kw_, taps_;
  const CoreConfig& core_;
};

}  // namespace

std::vector<uint64_t> append_weights(const Tensor& weights, const ConvShape& shape,
                                     const std::vector<std::vector<ConvTerm>>& terms,
                                     LayerContext& context) {
  const WeightReader reader(weights, shape, context.core);
  const std::vector<AxisTap> rows = axis_taps(shape.rows), columns = axis_taps(shape.columns);
  const uint64_t elem_bytes = context.core.wgt_elem_bytes();
  uint64_t elems = 0;
  for (const auto& tile : terms) {
    for (const ConvTerm& term : tile) elems += term.pairs.size() * term.num_rows * term.num_columns;
  }
  const auto space = context.image.reserve(elems * elem_bytes, arena_alignment_bytes(context.core));
  std::vector<uint64_t> offsets;
  uint64_t done = 0;  // bytes
  const auto append = [&](const ConvTerm& term) {
    for (const BlockPair& pair : term.pairs) {
      for (int64_t y = term.row; y < term.row + term.num_rows; ++y) {
        for (int64_t x = term.column; x < term.column + term.num_columns; ++x) {
          if (rows[y].k != kNoTap && columns[x].k != kNoTap) {
            reader.copy_element(pair, rows[y].k, columns[x].k, space.bytes.data() + done);
          }
          done += elem_bytes;
        }
      }
    }
  };
  for (const auto& tile : terms) {
    for (const ConvTerm& term : tile) {
      offsets.push_back(done);
      append(term);
    }
  }
  // The steps of recurrent layers use the same weights.
  const uint64_t first = context.image.share(space);
  for (uint64_t& offset : offsets) offset += first;
  return offsets;
}

Tensor as_convolution_weights(const Tensor& weights, int64_t groups) {
  const int64_t group_ic = weights.dim(0) / groups, group_oc = weights.dim(1);
  const int64_t kh = weights.dim(2), kw = weights.dim(3), taps = kh * kw;
  Tensor result(TensorType{DType::kInt8, {group_oc * groups, group_ic, kh, kw}});
  const auto from = weights.data<int8_t>();
  const auto to = result.mutable_data<int8_t>();
  for (int64_t g = 0; g < groups; ++g) {
    for (int64_t i = 0; i < group_ic; ++i) {
      for (int64_t o = 0; o < group_oc; ++o) {
        std::copy_n(&from[((g * group_ic + i) * group_oc + o) * taps], taps,
                    &to[((g * group_oc + o) * group_ic + i) * taps]);
      }
    }
  }
  return result;
}

uint64_t append_channel_constants(const std::vector<std::vector<int32_t>>& constants,
                                  const ConvShape& shape, LayerContext& context) {
  const CoreConfig& core = context.core;
  const auto num_constants = static_cast<int64_t>(constants.size());
  const auto elem = static_cast<int64_t>(core.batch) * core.block_out;
  std::vector<int32_t> lanes(static_cast<size_t>(shape.oc_blocks * num_constants * elem), 0);
  for (int64_t i = 0; i < num_constants; ++i) {
    const std::vector<int32_t>& values = constants[static_cast<size_t>(i)];
    for (int64_t channel = 0; channel < std::ssize(values); ++channel) {
      const int64_t block = channel / core.block_out, lane = channel % core.block_out;
      for (uint32_t image = 0; image < core.batch; ++image) {
        const int64_t at = (block * num_constants + i) * elem + image * core.block_out + lane;
        lanes[static_cast<size_t>(at)] = values[static_cast<size_t>(channel)];
      }
    }
  }
  const auto* first = reinterpret_cast<const uint8_t*>(lanes.data());
  const auto space =
      context.image.reserve(lanes.size() * sizeof(int32_t), arena_alignment_bytes(core));
  std::copy_n(first, space.bytes.size(), space.bytes.begin());
  return context.image.share(space);
}

}  // namespace vta::lower
