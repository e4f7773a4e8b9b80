// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/conv_constants.h"

#include <algorithm>
#include <cstring>

namespace vta::lower {
namespace {

// Copies the weights of one WGT element, [block_out][block_in]; lanes beyond the channels stay
// zero.
struct WeightReader {
  const int8_t* weights;
  int64_t oc, ic, kh, kw;
  const CoreConfig& core;

  void copy_element(int64_t oc_block, int64_t ic_block, int64_t ky, int64_t kx,
                    uint8_t* element) const {
    const int64_t rows = std::min<int64_t>(core.block_out, oc - oc_block * core.block_out);
    const int64_t columns = std::min<int64_t>(core.block_in, ic - ic_block * core.block_in);
    const int64_t taps = kh * kw;
    for (int64_t o = 0; o < rows; ++o) {
      const int64_t row = (oc_block * core.block_out + o) * ic + ic_block * core.block_in;
      const int8_t* from = weights + row * taps + ky * kw + kx;
      uint8_t* to = element + o * core.block_in;
      for (int64_t i = 0; i < columns; ++i) to[i] = static_cast<uint8_t>(from[i * taps]);
    }
  }
};

}  // namespace

std::vector<StepRange> step_ranges(const ConvShape& shape, const Tiling& t) {
  std::vector<StepRange> ranges;
  for (int64_t ic = 0; ic < shape.ic_blocks; ic += t.tci) {
    for (int64_t ky = 0; ky < shape.kh; ky += t.tkh) {
      for (int64_t kx = 0; kx < shape.kw; kx += t.tkw) {
        ranges.push_back({ic, std::min(t.tci, shape.ic_blocks - ic), ky, kx});
      }
    }
  }
  return ranges;
}

std::vector<uint64_t> append_weights(const Tensor& weights, const ConvShape& shape, const Tiling& t,
                                     LayerContext& context) {
  const WeightReader reader{weights.data<int8_t>().data(),
                            weights.dim(0),
                            weights.dim(1),
                            shape.kh,
                            shape.kw,
                            context.core};
  const uint64_t elem_bytes = context.core.wgt_elem_bytes();
  const uint64_t elems = shape.oc_blocks * shape.ic_blocks * shape.kh * shape.kw;
  const auto space = context.image.reserve(elems * elem_bytes, arena_alignment_bytes(context.core));
  const std::vector<StepRange> steps = step_ranges(shape, t);
  std::vector<uint64_t> offsets;
  uint64_t done = 0;  // bytes
  for (int64_t oc0 = 0; oc0 < shape.oc_blocks; oc0 += t.tco) {
    const int64_t oc_end = std::min(oc0 + t.tco, shape.oc_blocks);
    for (const StepRange& step : steps) {
      offsets.push_back(space.offset_bytes + done);
      for (int64_t oc = oc0; oc < oc_end; ++oc) {
        for (int64_t ic = step.ic; ic < step.ic + step.num_ic; ++ic) {
          for (int64_t ky = step.ky; ky < step.ky + t.tkh; ++ky) {
            for (int64_t kx = step.kx; kx < step.kx + t.tkw; ++kx) {
              reader.copy_element(oc, ic, ky, kx, space.bytes.data() + done);
              done += elem_bytes;
            }
          }
        }
      }
    }
  }
  return offsets;
}

uint64_t append_bias(const Tensor& bias, int32_t rounding, const ConvShape& shape,
                     LayerContext& context) {
  const CoreConfig& core = context.core;
  const auto values = bias.data<int32_t>();
  std::vector<uint32_t> lanes(shape.oc_blocks * core.batch * core.block_out, 0);
  for (int64_t channel = 0; channel < bias.num_elems(); ++channel) {
    const int64_t block = channel / core.block_out, lane = channel % core.block_out;
    for (uint32_t image = 0; image < core.batch; ++image) {
      lanes[(block * core.batch + image) * core.block_out + lane] =
          static_cast<uint32_t>(values[channel]) +
          static_cast<uint32_t>(rounding);  // wraps as the ALU does
    }
  }
  const auto* first = reinterpret_cast<const uint8_t*>(lanes.data());
  return context.image.append({first, lanes.size() * sizeof(uint32_t)},
                              arena_alignment_bytes(core));
}

}  // namespace vta::lower
