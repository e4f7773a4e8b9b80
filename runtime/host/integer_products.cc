// SPDX-License-Identifier: Apache-2.0
//
// Integer convolution, dense layer and matrix product. Sums are exact modulo 2^32, so their order
// does not matter.
//
// The convolution gathers the window of each output pixel as one row of int16 (im2row) and
// multiplies tiles of pixels x output channels, with the channels in the lanes of a vector
// register.
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/numbers/pair_products.h"
#include "base/numbers/round_up.h"
#include "runtime/host/integer_depthwise.h"
#include "runtime/host/operators.h"
#include "runtime/host/requantize.h"
#include "runtime/tensor/operand_matrices.h"

namespace vta::host {
namespace {

constexpr int64_t kTilePixels = 4;  // times two vectors of channels: eight sums in registers
using PairLanes = VectorOf<kVectorLanes>::Type;
constexpr int64_t kTileChannels = 2 * kVectorLanes;
constexpr int64_t kChunkElems = int64_t{1} << 16;  // gathered windows fit the L2 cache

// One group of one image.
struct Convolution {
  const OpAttrs& attrs;
  int64_t ic, ih, iw;    // input channels of the group
  int64_t oc, oh, ow;    // output channels of the group
  int64_t window_elems;  // ic * kh * kw
  int64_t window_pairs;  // of int16, the last one zero-padded
};

// Weights [oc][ic * kh * kw] -> [channel tile][pair][channel in tile][2], zero-padded.
std::vector<int16_t> pack_weights(const Convolution& conv, const int8_t* weights) {
  std::vector<int16_t> packed(
      static_cast<size_t>(round_up(conv.oc, kTileChannels) * conv.window_pairs * 2));
  for (int64_t o = 0; o < conv.oc; ++o) {
    int16_t* tile = packed.data() + (o / kTileChannels) * conv.window_pairs * kTileChannels * 2 +
                    (o % kTileChannels) * 2;
    const int8_t* row = weights + o * conv.window_elems;
    for (int64_t k = 0; k < conv.window_elems; ++k) {
      tile[(k / 2) * kTileChannels * 2 + k % 2] = row[k];
    }
  }
  return packed;
}

// The window of output pixel (y, x), in the order of the weights; padding is attribute `zero`.
void gather_window(const Convolution& conv, const int8_t* image, int64_t y, int64_t x,
                   int16_t* row) {
  const auto [kh, kw] = conv.attrs.kernel;
  const auto [dh, dw] = conv.attrs.dilation;
  const int64_t top = y * conv.attrs.stride[0] - conv.attrs.pad[0];
  const int64_t left = x * conv.attrs.stride[1] - conv.attrs.pad[1];
  const auto zero = static_cast<int16_t>(conv.attrs.zero);
  const bool inside = left >= 0 && left + (kw - 1) * dw < conv.iw;
  row[conv.window_elems] = 0;  // completes the last pair, or is overwritten by the next row
  for (int64_t c = 0; c < conv.ic; ++c) {
    for (int64_t ky = 0; ky < kh; ++ky, row += kw) {
      const int64_t iy = top + ky * dh;
      if (iy < 0 || iy >= conv.ih) {
        std::fill(row, row + kw, zero);
        continue;
      }
      const int8_t* line = image + (c * conv.ih + iy) * conv.iw;
      for (int64_t kx = 0; kx < kw; ++kx) {
        const int64_t ix = left + kx * dw;
        row[kx] = inside || (ix >= 0 && ix < conv.iw) ? line[ix] : zero;
      }
    }
  }
}

// sums[p][kTileChannels] = window p times the weights of one channel tile.
void multiply_tile(const int16_t* windows, const int16_t* weights, int64_t pairs, int32_t* sums) {
  PairLanes acc[kTilePixels][2] = {};
  for (int64_t k = 0; k < pairs; ++k) {
    PairLanes w[2];
    std::memcpy(w, weights + k * kTileChannels * 2, sizeof w);
    for (int64_t p = 0; p < kTilePixels; ++p) {
      int32_t pair;
      std::memcpy(&pair, windows + (p * pairs + k) * 2, sizeof pair);
      const PairLanes x = PairLanes{} + pair;  // in every lane
      acc[p][0] = add_pair_products(acc[p][0], x, w[0]);
      acc[p][1] = add_pair_products(acc[p][1], x, w[1]);
    }
  }
  std::memcpy(sums, acc, sizeof acc);
}

// Output pixels [first, first + count) of all channels of the group.
class ChunkMultiplier {
 public:
  // `requantize`: of the first channel of the group.
  ChunkMultiplier(const Convolution& conv, std::vector<int16_t> weights,
                  const Requantization* requantize)
      : conv_(conv), weights_(std::move(weights)), requantize_(requantize, requantize + conv.oc) {
    requantize_.resize(static_cast<size_t>(round_up(conv.oc, kTileChannels)), requantize_.back());
  }

  int64_t chunk_pixels() const {
    const int64_t fitting = kChunkElems / (conv_.window_pairs * 2) / kTilePixels * kTilePixels;
    return std::clamp<int64_t>(fitting, kTilePixels, 1024);
  }

  // `result`: the group's first output plane.
  void run(const int8_t* image, int64_t first, int64_t count, int8_t* result) {
    const int64_t row_elems = conv_.window_pairs * 2;
    windows_.resize(std::max(windows_.size(),
                             static_cast<size_t>(round_up(count, kTilePixels) * row_elems + 1)));
    for (int64_t p = 0; p < count; ++p) {
      gather_window(conv_, image, (first + p) / conv_.ow, (first + p) % conv_.ow,
                    windows_.data() + p * row_elems);
    }
    for (int64_t o = 0; o < conv_.oc; o += kTileChannels) {
      for (int64_t p = 0; p < count; p += kTilePixels) {
        int32_t sums[kTilePixels * kTileChannels];
        multiply_tile(windows_.data() + p * row_elems, weights_.data() + o * row_elems,
                      conv_.window_pairs, sums);
        const int64_t pixels = std::min(kTilePixels, count - p);
        const int64_t channels = std::min(kTileChannels, conv_.oc - o);
        write_tile(sums, o, channels, first + p, pixels, result);
      }
    }
  }

 private:
  void write_tile(const int32_t* sums, int64_t o, int64_t channels, int64_t pixel, int64_t pixels,
                  int8_t* result) const {
    int8_t values[kTilePixels * kTileChannels];
    for (int64_t p = 0; p < kTilePixels; ++p) {
      for (int64_t c = 0; c < kTileChannels; ++c) {
        const int64_t i = p * kTileChannels + c;
        values[i] = requantize_[static_cast<size_t>(o + c)](sums[i]);
      }
    }
    for (int64_t c = 0; c < channels; ++c) {
      int8_t* plane = result + (o + c) * conv_.oh * conv_.ow + pixel;
      for (int64_t p = 0; p < pixels; ++p) plane[p] = values[p * kTileChannels + c];
    }
  }

  const Convolution& conv_;
  std::vector<int16_t> weights_;
  std::vector<Requantization> requantize_;  // per channel, padded to whole tiles
  std::vector<int16_t> windows_;
};

}  // namespace

void qconv2d(const OpAttrs& attrs, const Operands& inputs, Tensor& output) {
  const std::vector<int64_t>& x = inputs[0].shape();
  const std::vector<int64_t>& y = output.shape();
  const std::vector<int64_t>& w = inputs[1].shape();
  const int64_t elems = w[1] * w[2] * w[3];
  const Convolution conv{attrs, w[1], x[2],  x[3],           w[0] / attrs.groups,
                         y[2],  y[3], elems, (elems + 1) / 2};
  if (w[1] == 1 && attrs.groups > 1) return qconv2d_depthwise(attrs, inputs, output);
  const std::vector<Requantization> requantize = channel_requantizations(attrs, inputs);
  const int8_t* source = inputs[0].data<int8_t>().data();
  int8_t* result = output.mutable_data<int8_t>().data();
  for (int64_t group = 0; group < attrs.groups; ++group) {
    const int64_t o = group * conv.oc;
    ChunkMultiplier multiplier(conv,
                               pack_weights(conv, inputs[1].data<int8_t>().data() + o * elems),
                               requantize.data() + o);
    const int64_t pixels = conv.oh * conv.ow, chunk = multiplier.chunk_pixels();
    for (int64_t n = 0; n < x[0]; ++n) {
      const int8_t* image = source + (n * x[1] + group * conv.ic) * conv.ih * conv.iw;
      int8_t* planes = result + (n * y[1] + o) * pixels;
      for (int64_t first = 0; first < pixels; first += chunk) {
        multiplier.run(image, first, std::min(chunk, pixels - first), planes);
      }
    }
  }
}

void qdense(const OpAttrs& attrs, const Operands& inputs, Tensor& output) {
  const int64_t ic = inputs[0].dim(1), oc = output.dim(1);
  const int8_t* x = inputs[0].data<int8_t>().data();
  const int8_t* w = inputs[1].data<int8_t>().data();
  int8_t* y = output.mutable_data<int8_t>().data();
  const std::vector<Requantization> requantize = channel_requantizations(attrs, inputs);
  for (int64_t n = 0; n < output.dim(0); ++n) {
    for (int64_t o = 0; o < oc; ++o) {
      uint32_t sum = 0;
      for (int64_t i = 0; i < ic; ++i) sum += static_cast<uint32_t>(x[n * ic + i] * w[o * ic + i]);
      y[n * oc + o] = requantize[static_cast<size_t>(o)](static_cast<int32_t>(sum));
    }
  }
}

void qmatmul(const OpAttrs& attrs, const Operands& inputs, Tensor& output) {
  const int64_t rank = std::ssize(output.shape());
  const int64_t n = output.dim(rank - 1), k = inputs[0].shape().back();
  const int64_t m = output.dim(rank - 2), num_rows = output.num_elems() / n;
  const std::vector<int64_t> of_a = operand_matrices(inputs[0].shape(), output.shape());
  const std::vector<int64_t> of_b = operand_matrices(inputs[1].shape(), output.shape());
  const int8_t* all_a = inputs[0].data<int8_t>().data();
  const int8_t* all_b = inputs[1].data<int8_t>().data();
  int8_t* result = output.mutable_data<int8_t>().data();
  const auto factor = static_cast<int32_t>(attrs.scaled ? attrs.factor_a : 1);
  const Requantization requantize(attrs, attrs.shift, factor, static_cast<int32_t>(attrs.addend));
  std::vector<uint32_t> sums(static_cast<size_t>(n));
  for (int64_t row = 0; row < num_rows; ++row, result += n) {
    const auto matrix = static_cast<size_t>(row / m);
    const int8_t* a = all_a + (of_a[matrix] * m + row % m) * k;
    const int8_t* b = all_b + of_b[matrix] * k * n;
    std::ranges::fill(sums, 0u);
    for (int64_t i = 0; i < k; ++i, b += n) {
      const int32_t x = a[i];
      for (int64_t o = 0; o < n; ++o)
        sums[static_cast<size_t>(o)] += static_cast<uint32_t>(x * b[o]);
    }
    for (int64_t o = 0; o < n; ++o)
      result[o] = requantize(static_cast<int32_t>(sums[static_cast<size_t>(o)]));
  }
}

}  // namespace vta::host
