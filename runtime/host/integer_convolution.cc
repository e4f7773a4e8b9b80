// SPDX-License-Identifier: Apache-2.0
//
// Integer convolution. Sums are exact modulo 2^32, so their order does not matter.
//
// Bands of rows of an image are copied as int16 with the channels innermost and with the padding.
// A row of taps of a window is then a run of neighbours, and tiles of output pixels x output
// channels are multiplied where they lie, with the channels in the lanes of vector registers.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/numbers/pair_products.h"
#include "base/numbers/round_up.h"
#include "runtime/host/integer_depthwise.h"
#include "runtime/host/operators.h"
#include "runtime/host/requantize.h"

namespace vta::host {
namespace {

using PairLanes = VectorOf<kVectorLanes>::Type;
constexpr int64_t kTileChannels = 2 * kVectorLanes;
// Times two vectors of channels: the sums of a tile are in registers.
constexpr int64_t kTilePixels = kVectorLanes == 16 ? 8 : 4, kHalfTile = kTilePixels / 2;
constexpr int64_t kBandElems = int64_t{1} << 18;  // half of an L2 cache of 1 MB

// One group of one image.
struct Convolution {
  Convolution(const Attrs<OpKind::kQConv2d>& attributes, const std::vector<int64_t>& x,
              const std::vector<int64_t>& w, const std::vector<int64_t>& y)
      : attrs(attributes),
        ic(w[1]),
        ih(x[2]),
        iw(x[3]),
        oc(w[0] / attributes.groups),
        oh(y[2]),
        ow(y[3]),
        taps_in_run(attributes.dilation[1] == 1 ? attributes.kernel[1] : 1),
        runs_in_row(attributes.kernel[1] / taps_in_run),
        run_pairs((taps_in_run * ic + 1) / 2),
        band_width((ow - 1) * attributes.stride[1] +
                   (attributes.kernel[1] - 1) * attributes.dilation[1] + 1),
        window_height((attributes.kernel[0] - 1) * attributes.dilation[0] + 1) {}

  int64_t num_runs() const { return attrs.kernel[0] * runs_in_row; }
  int64_t window_pairs() const { return num_runs() * run_pairs; }
  int64_t band_row_elems() const { return band_width * ic; }
  // Where a run begins in the band, from the window's first element.
  int64_t offset_of(int64_t run) const {
    const int64_t row = run / runs_in_row * attrs.dilation[0];
    return row * band_row_elems() + run % runs_in_row * attrs.dilation[1] * ic;
  }
  // Rows of the result whose windows fit a band.
  int64_t band_rows() const {
    const int64_t fitting = kBandElems / band_row_elems() - window_height;
    return std::clamp<int64_t>(fitting / attrs.stride[0] + 1, 1, oh);
  }

  const Attrs<OpKind::kQConv2d>& attrs;
  const int64_t ic, ih, iw;  // input channels of the group
  const int64_t oc, oh, ow;  // output channels of the group
  // Taps of a window's row, if they are neighbours, else one; the last pair of int16 of a run may
  // reach into the next one, with a weight of 0.
  const int64_t taps_in_run, runs_in_row, run_pairs;
  const int64_t band_width, window_height;
};

// Weights [oc][ic][kh][kw] -> [channel tile][run][pair][channel in tile][2], zero-padded. Written
// by whole lines of the cache.
std::vector<int16_t> pack_weights(const Convolution& conv, const int8_t* weights) {
  const int64_t taps = conv.attrs.kernel[0] * conv.attrs.kernel[1], elems = conv.ic * taps;
  const int64_t tile_elems = conv.window_pairs() * kTileChannels * 2;
  std::vector<int16_t> packed(
      static_cast<size_t>(round_up(conv.oc, kTileChannels) / kTileChannels * tile_elems));
  for (int64_t o = 0; o < conv.oc; o += kTileChannels) {
    int16_t* tile = packed.data() + o / kTileChannels * tile_elems;
    const int64_t channels = std::min(kTileChannels, conv.oc - o);
    for (int64_t i = 0; i < elems; ++i) {  // channels of the input, and taps of each
      const int64_t tap = i % taps, in_run = tap % conv.taps_in_run * conv.ic + i / taps;
      const int64_t pair = tap / conv.taps_in_run * conv.run_pairs + in_run / 2;
      int16_t* target = tile + pair * kTileChannels * 2 + in_run % 2;
      const int8_t* source = weights + o * elems + i;
      for (int64_t c = 0; c < channels; ++c) target[2 * c] = source[c * elems];
    }
  }
  return packed;
}

// Rows of the image from `top` on, which may be in the padding: attribute `zero`.
void fill_band(const Convolution& conv, const int8_t* image, int64_t top, int64_t rows,
               int16_t* band) {
  const int64_t left = conv.attrs.pad[1];
  const int64_t columns = std::clamp<int64_t>(conv.band_width - left, 0, conv.iw);
  const auto zero = static_cast<int16_t>(conv.attrs.zero);
  for (int64_t row = 0; row < rows; ++row, band += conv.band_row_elems()) {
    const int64_t iy = top + row;
    if (iy < 0 || iy >= conv.ih) {
      std::fill_n(band, conv.band_row_elems(), zero);
      continue;
    }
    int16_t* const inside = band + std::min(left, conv.band_width) * conv.ic;
    std::fill(band, inside, zero);
    std::fill(inside + columns * conv.ic, band + conv.band_row_elems(), zero);
    for (int64_t c = 0; c < conv.ic; ++c) {
      const int8_t* line = image + (c * conv.ih + iy) * conv.iw;
      for (int64_t x = 0; x < columns; ++x) inside[x * conv.ic + c] = line[x];
    }
  }
}

// sums[p][kTileChannels] = the window at windows[p] times the weights of one channel tile.
template <int64_t pixels>
void multiply_tile(const Convolution& conv, const int16_t* const* windows, const int16_t* weights,
                   int32_t* sums) {
  PairLanes acc[pixels][2] = {};
  for (int64_t run = 0; run < conv.num_runs(); ++run) {
    const int64_t offset = conv.offset_of(run);
    for (int64_t k = 0; k < conv.run_pairs; ++k, weights += kTileChannels * 2) {
      PairLanes w[2];
      std::memcpy(w, weights, sizeof w);
      for (int64_t p = 0; p < pixels; ++p) {
        int32_t pair;
        std::memcpy(&pair, windows[p] + offset + k * 2, sizeof pair);
        const PairLanes x = PairLanes{} + pair;  // in every lane
        acc[p][0] = add_pair_products(acc[p][0], x, w[0]);
        acc[p][1] = add_pair_products(acc[p][1], x, w[1]);
      }
    }
  }
  std::memcpy(sums, acc, sizeof acc);
}

// The convolution of one group; `Conversion`: Requantization or Unchanged.
template <class Element, class Conversion>
class GroupMultiplier {
 public:
  // `conversions`: of the first channel of the group.
  GroupMultiplier(const Convolution& conv, const int8_t* weights, const Conversion* conversions)
      : conv_(conv),
        weights_(pack_weights(conv, weights)),
        band_(static_cast<size_t>(
            ((conv.band_rows() - 1) * conv.attrs.stride[0] + conv.window_height) *
                conv.band_row_elems() +
            1)) {
    for (int64_t o = 0; o < conv.oc; o += kTileChannels)
      conversions_.emplace_back(conversions + o, std::min(kTileChannels, conv.oc - o));
  }

  // `result`: the group's first output plane.
  void run(const int8_t* image, Element* result) {
    for (int64_t first = 0; first < conv_.oh; first += conv_.band_rows()) {
      const int64_t rows = std::min(conv_.band_rows(), conv_.oh - first);
      fill_band(conv_, image, first * conv_.attrs.stride[0] - conv_.attrs.pad[0],
                (rows - 1) * conv_.attrs.stride[0] + conv_.window_height, band_.data());
      for (int64_t o = 0; o < conv_.oc; o += kTileChannels)
        multiply_band(o, rows * conv_.ow, result + o * conv_.oh * conv_.ow + first * conv_.ow);
    }
  }

 private:
  // Channels from `o` on, of the band's `pixels`.
  void multiply_band(int64_t o, int64_t pixels, Element* result) const {
    for (int64_t first = 0; first < pixels; first += kTilePixels) {
      const int64_t count = std::min(kTilePixels, pixels - first);
      std::array<const int16_t*, kTilePixels> windows;
      for (int64_t p = 0; p < kTilePixels; ++p) {
        const int64_t pixel = first + std::min(p, count - 1);
        windows[static_cast<size_t>(p)] =
            band_.data() + pixel / conv_.ow * conv_.attrs.stride[0] * conv_.band_row_elems() +
            pixel % conv_.ow * conv_.attrs.stride[1] * conv_.ic;
      }
      const int16_t* weights = weights_.data() + o * conv_.window_pairs() * 2;
      alignas(64) std::array<int32_t, kTilePixels * kTileChannels> sums;
      if (count > kHalfTile) {
        multiply_tile<kTilePixels>(conv_, windows.data(), weights, sums.data());
      } else {
        multiply_tile<kHalfTile>(conv_, windows.data(), weights, sums.data());
      }
      write_tile(sums.data(), o, count, result + first);
    }
  }

  void write_tile(const int32_t* sums, int64_t o, int64_t pixels, Element* result) const {
    const auto& convert = conversions_[static_cast<size_t>(o / kTileChannels)];
    Element values[kTilePixels][kTileChannels];
    for (int64_t p = 0; p < pixels; ++p) convert(sums + p * kTileChannels, values[p]);
    for (int64_t c = 0; c < std::min(kTileChannels, conv_.oc - o); ++c) {
      Element* plane = result + c * conv_.oh * conv_.ow;
      for (int64_t p = 0; p < pixels; ++p) plane[p] = values[p][c];
    }
  }

  const Convolution& conv_;
  const std::vector<int16_t> weights_;
  std::vector<int16_t> band_;
  std::vector<SideBySide<Conversion, kTileChannels>> conversions_;  // by channel tile
};

}  // namespace

void qconv2d(const Attrs<OpKind::kQConv2d>& attrs, const Operands& inputs, Tensor& output) {
  const std::vector<int64_t>& x = inputs[0].shape();
  const std::vector<int64_t>& w = inputs[1].shape();
  const std::vector<int64_t>& y = output.shape();
  if (w[1] == 1 && attrs.groups > 1) return qconv2d_depthwise(attrs, inputs, output);
  const Convolution conv(attrs, x, w, y);
  const int8_t* source = inputs[0].data<int8_t>().data();
  const int8_t* weights = inputs[1].data<int8_t>().data();
  with_result(
      attrs, inputs, output,
      [&]<class Element, class Conversion>(Element* result, const std::vector<Conversion>& all) {
        for (int64_t group = 0; group < attrs.groups; ++group) {
          const int64_t o = group * conv.oc;
          GroupMultiplier<Element, Conversion> multiplier(conv, weights + o * w[1] * w[2] * w[3],
                                                          all.data() + o);
          for (int64_t n = 0; n < x[0]; ++n) {
            multiplier.run(source + (n * x[1] + group * conv.ic) * conv.ih * conv.iw,
                           result + (n * y[1] + o) * conv.oh * conv.ow);
          }
        }
      });
}

}  // namespace vta::host
