// SPDX-License-Identifier: Apache-2.0
//
// pack_unfolded(): quantization, unfold2d and the packed layout in one pass. An image is first
// interleaved, [h][w][c], so that a row of a window is one run of bytes; then each row of windows
// is gathered and written block by block.
#include <algorithm>
#include <cstring>

#include "runtime/base/round_up.h"
#include "runtime/program/program.h"
#include "runtime/tensor/quantized.h"

namespace vta {
namespace {

// Bytes of a copy that becomes one vector instruction.
constexpr int64_t kWideBytes = 16;

template <int kVectors>
void copy_vectors(uint8_t* to, ptrdiff_t to_pitch, const uint8_t* from, ptrdiff_t from_pitch,
                  ptrdiff_t count) {
  for (; count > 0; --count, to += to_pitch, from += from_pitch)
    for (int i = 0; i < kVectors; ++i)
      std::memcpy(to + i * kWideBytes, from + i * kWideBytes, kWideBytes);
}

// Copies `count` runs of `bytes`, whole vectors of each: up to kWideBytes - 1 bytes more. Pitches
// are in bytes.
void copy_runs(uint8_t* to, int64_t to_pitch, const uint8_t* from, int64_t from_pitch,
               int64_t bytes, int64_t count) {
  const auto to_step = static_cast<ptrdiff_t>(to_pitch),
             from_step = static_cast<ptrdiff_t>(from_pitch);
  const auto runs = static_cast<ptrdiff_t>(count);
  while (bytes > 2 * kWideBytes) {
    copy_vectors<1>(to, to_step, from, from_step, runs);
    to += kWideBytes, from += kWideBytes, bytes -= kWideBytes;
  }
  if (bytes > kWideBytes) return copy_vectors<2>(to, to_step, from, from_step, runs);
  if (bytes > 0) copy_vectors<1>(to, to_step, from, from_step, runs);
}

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

class UnfoldPacking {
 public:
  UnfoldPacking(const Tensor& x, const OpAttrs& attrs, const TensorType& type,
                const CoreConfig& core, std::span<uint8_t> packed)
      : x_(x),
        attrs_(attrs),
        core_(core),
        packed_(packed),
        channels_(x.dim(1)),
        height_(x.dim(2)),
        width_(x.dim(3)),
        out_channels_(type.shape[1]),
        out_height_(type.shape[2]),
        out_width_(type.shape[3]),
        blocks_(ceil_div(out_channels_, core.block_in)),
        window_pitch_(blocks_ * core.block_in + kWideBytes),
        interleaved_(static_cast<size_t>(channels_ * height_ * width_ + kWideBytes)),
        windows_(static_cast<size_t>(out_width_ * window_pitch_)),
        zeros_(static_cast<size_t>(core.block_in + kWideBytes)) {}

  void run() {
    if (x_.dim(0) % core_.batch != 0) std::ranges::fill(packed_, uint8_t{0});  // missing images
    for (int64_t n = 0; n < x_.dim(0); ++n) {
      interleave(n);
      for (int64_t row = 0; row < out_height_; ++row) {
        gather(row);
        write(n, row);
      }
    }
  }

 private:
  static constexpr int64_t kPiece = 512;
  static constexpr int64_t kImageChannels = 3;

  void interleave(int64_t n) {
    int8_t pieces[kImageChannels][kPiece];
    const int64_t plane = height_ * width_;
    for (int64_t begin = 0; begin < plane; begin += kPiece) {
      const int64_t size = std::min(kPiece, plane - begin);
      uint8_t* const to = interleaved_.data() + begin * channels_;
      if (channels_ == kImageChannels) {
        for (int64_t channel = 0; channel < kImageChannels; ++channel)
          read_piece((n * channels_ + channel) * plane + begin, static_cast<ptrdiff_t>(size),
                     pieces[channel]);
        for (ptrdiff_t i = 0; i < size; ++i)
          for (ptrdiff_t channel = 0; channel < kImageChannels; ++channel)
            to[kImageChannels * i + channel] = static_cast<uint8_t>(pieces[channel][i]);
        continue;
      }
      for (int64_t channel = 0; channel < channels_; ++channel) {
        read_piece((n * channels_ + channel) * plane + begin, static_cast<ptrdiff_t>(size),
                   pieces[0]);
        for (ptrdiff_t i = 0; i < size; ++i)
          to[i * channels_ + channel] = static_cast<uint8_t>(pieces[0][i]);
      }
    }
  }

  // `size` quantized elements from `first`. NEON of 32-bit ARM takes subnormal numbers for zero,
  // which they are when quantized, but the compiler vectorizes for it only on request.
  void read_piece(int64_t first, ptrdiff_t size, int8_t* piece) const {
    if (x_.dtype() != DType::kFloat32) {
      std::copy_n(x_.data<int8_t>().data() + first, size, piece);
      return;
    }
    const float* const from = x_.data<float>().data() + first;
    if (attrs_.unit == 0) {
      const float scale = quantization_scale(attrs_.frac_bits);
#pragma clang loop vectorize(enable)
      for (ptrdiff_t i = 0; i < size; ++i) piece[i] = quantized(from[i], scale);
    } else {
      const auto unit = static_cast<float>(attrs_.unit);
      for (ptrdiff_t i = 0; i < size; ++i) piece[i] = level_of(from[i], unit, attrs_.zero);
    }
  }

  // Gathers the windows of an output row, each `window_pitch_` bytes after the previous one. Wide
  // copies overrun into bytes that later copies write.
  void gather(int64_t out_row) {
    const bool is_dense = attrs_.dilation[1] == 1;
    const int64_t columns = is_dense ? attrs_.kernel[1] : 1;  // of a run
    int64_t at = 0;
    for (int64_t i = 0; i < attrs_.kernel[0]; ++i) {
      const int64_t row = out_row * attrs_.stride[0] + i * attrs_.dilation[0] - attrs_.pad[0];
      for (int64_t j = 0; j < attrs_.kernel[1]; j += columns) {
        gather_runs(row, j * attrs_.dilation[1] - attrs_.pad[1], columns, at);
        at += columns * channels_;
      }
    }
    copy_runs(windows_.data() + out_channels_, window_pitch_, zeros_.data(), 0,
              blocks_ * core_.block_in - out_channels_, out_width_);
  }

  // Copies `columns` pixels of an image row to byte `at` of each window, from column `left` for the
  // first window.
  void gather_runs(int64_t row, int64_t left, int64_t columns, int64_t at) {
    const int64_t stride = attrs_.stride[1];
    const bool is_row = row >= 0 && row < height_;
    // The windows whose run is inside the image.
    const int64_t last_column = width_ - columns - left;  // of the first window, moved
    int64_t begin =
        is_row ? std::min(out_width_, ceil_div(std::max<int64_t>(0, -left), stride)) : 0;
    int64_t end = is_row && last_column >= 0 ? std::min(out_width_, last_column / stride + 1) : 0;
    if (begin >= end) begin = end = 0;
    uint8_t* to = windows_.data() + at;
    for (int64_t window = 0; window < begin; ++window) {
      copy_clipped(to + window * window_pitch_, row, left + window * stride, columns);
    }
    if (begin < end) {
      const int64_t pixel = row * width_ + left + begin * stride;
      copy_runs(to + begin * window_pitch_, window_pitch_, interleaved_.data() + pixel * channels_,
                stride * channels_, columns * channels_, end - begin);
    }
    for (int64_t window = end; window < out_width_; ++window) {
      copy_clipped(to + window * window_pitch_, row, left + window * stride, columns);
    }
  }

  void copy_clipped(uint8_t* to, int64_t row, int64_t column, int64_t columns) const {
    for (int64_t i = 0; i < columns; ++i, to += channels_) {
      const bool is_inside = row >= 0 && row < height_ && column + i >= 0 && column + i < width_;
      if (is_inside) {
        std::copy_n(interleaved_.data() + (row * width_ + column + i) * channels_, channels_, to);
      } else {
        std::fill_n(to, channels_, static_cast<uint8_t>(attrs_.zero));
      }
    }
  }

  // Writes the gathered row of image n.
  void write(int64_t n, int64_t out_row) {
    const int64_t block = core_.block_in, elem = core_.batch * block;
    const bool is_wide = block % kWideBytes == 0;
    for (int64_t b = 0; b < blocks_; ++b) {
      const int64_t first =
          ((n / core_.batch * blocks_ + b) * out_height_ + out_row) * out_width_ * elem;
      uint8_t* to = packed_.data() + first + n % core_.batch * block;
      const uint8_t* from = windows_.data() + b * block;
      if (is_wide) {
        copy_runs(to, elem, from, window_pitch_, block, out_width_);
        continue;
      }
      for (int64_t window = 0; window < out_width_; ++window, to += elem, from += window_pitch_)
        std::copy_n(from, block, to);
    }
  }

  const Tensor& x_;
  const OpAttrs& attrs_;
  const CoreConfig& core_;
  const std::span<uint8_t> packed_;
  const int64_t channels_, height_, width_;
  const int64_t out_channels_, out_height_, out_width_, blocks_;
  const int64_t window_pitch_;        // bytes
  std::vector<uint8_t> interleaved_;  // one image, and space for wide copies
  std::vector<uint8_t> windows_;      // of one output row
  const std::vector<uint8_t> zeros_;  // of a block, and space for wide copies
};

}  // namespace

void pack_unfolded(const Tensor& tensor, const OpAttrs& unfold, const TensorType& type,
                   const CoreConfig& core, std::span<uint8_t> packed) {
  VTA_ASSERT(packed.size() == packed_size_bytes(type, core), "size of the packed tensor");
  UnfoldPacking(tensor, unfold, type, core, packed).run();
}

}  // namespace vta
