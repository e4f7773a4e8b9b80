// SPDX-License-Identifier: Apache-2.0
//
// pack_unfolded(): quantization, unfold2d and the packed layout in one pass. An image is first
// interleaved, [h][w][c], with its padding, so that every kernel row of every window is one run of
// bytes. Then each vector of 16 lanes of an element is merged from the runs that it overlaps and
// stored once.
#include <algorithm>
#include <array>
#include <cstring>

#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

#include "runtime/program/packing.h"
#include "runtime/tensor/quantized.h"

namespace vta {
namespace {

constexpr ptrdiff_t kVectorBytes = 16;
using Vector = uint8_t __attribute__((vector_size(kVectorBytes)));

Vector load(const uint8_t* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}

// The bytes of `b` where `lanes` is all ones, else those of `a`.
Vector merged(Vector a, Vector b, Vector lanes) {
#ifdef __ARM_NEON  // one instruction, which the compiler does not find
  return reinterpret_cast<Vector>(vbslq_u8(reinterpret_cast<uint8x16_t>(lanes),
                                           reinterpret_cast<uint8x16_t>(b),
                                           reinterpret_cast<uint8x16_t>(a)));
#else
  return (a & ~lanes) | (b & lanes);
#endif
}

// A run of bytes in a vector: `from` points to what would be in lane 0, in the first window of a
// row of windows. Lanes before the run belong to earlier runs.
struct Run {
  const uint8_t* from = nullptr;
  ptrdiff_t step_bytes = 0;  // from window to window
  Vector lanes = {};         // all ones in those of this run and of later ones
};

// Up to 16 lanes of a block.
struct BlockPart {
  ptrdiff_t block = 0, lane = 0, bytes = 0;
  std::vector<Run> runs;  // for the image's first row of windows
};

// Writes a vector for each of `count` windows. Not inlined, so that all pointers and steps stay in
// registers.
template <int kRuns>
[[gnu::noinline]] void write_vectors(uint8_t* to, ptrdiff_t to_step, const std::vector<Run>& runs,
                                     ptrdiff_t row_bytes, ptrdiff_t count) {
  std::array<const uint8_t*, kRuns> from;
  std::array<ptrdiff_t, kRuns> step;
  std::array<Vector, kRuns> lanes;
  for (size_t i = 0; i < kRuns; ++i) {
    step[i] = runs[i].step_bytes;
    from[i] = runs[i].from + (step[i] == 0 ? 0 : row_bytes);
    lanes[i] = runs[i].lanes;
  }
#pragma clang loop unroll_count(8)
  for (; count > 0; --count, to += to_step) {
    Vector vector = load(from[0]);
    for (size_t i = 1; i < kRuns; ++i) vector = merged(vector, load(from[i]), lanes[i]);
    for (size_t i = 0; i < kRuns; ++i) from[i] += step[i];
    std::memcpy(to, &vector, sizeof(vector));
  }
}

// Writes the first `bytes` of a vector for each of `count` windows.
void write_vectors(uint8_t* to, ptrdiff_t to_step, ptrdiff_t bytes, const std::vector<Run>& runs,
                   ptrdiff_t row_bytes, ptrdiff_t count) {
  const bool is_whole = bytes == kVectorBytes;
  if (is_whole && runs.size() == 1) return write_vectors<1>(to, to_step, runs, row_bytes, count);
  if (is_whole && runs.size() == 2) return write_vectors<2>(to, to_step, runs, row_bytes, count);
  if (is_whole && runs.size() == 3) return write_vectors<3>(to, to_step, runs, row_bytes, count);
  for (ptrdiff_t window = 0; window < count; ++window, to += to_step) {
    Vector vector = {};
    for (const Run& run : runs) {
      const ptrdiff_t offset = run.step_bytes == 0 ? 0 : row_bytes + window * run.step_bytes;
      vector = merged(vector, load(run.from + offset), run.lanes);
    }
    std::memcpy(to, &vector, static_cast<size_t>(bytes));
  }
}

class UnfoldPacking {
 public:
  UnfoldPacking(const TensorType& x_type, std::span<const uint8_t> x,
                const Attrs<OpKind::kUnfold2d>& attrs, const TensorType& type,
                const CoreConfig& core, std::span<uint8_t> packed)
      : x_type_(x_type),
        x_(x),
        attrs_(attrs),
        core_(core),
        packed_(packed),
        channels_(x_type.shape[1]),
        out_channels_(type.shape[1]),
        out_height_(type.shape[2]),
        out_width_(type.shape[3]),
        blocks_((out_channels_ + core.block_in - 1) / core.block_in),
        height_(padded(0, out_height_)),
        width_(padded(1, out_width_)),
        image_(static_cast<size_t>(height_ * width_ * channels_ + 2 * kVectorBytes),
               static_cast<uint8_t>(attrs.zero)) {
    list_parts();
  }

  void run() {
    const int64_t images = x_type_.shape[0];
    if (images % core_.batch != 0) std::ranges::fill(packed_, uint8_t{0});  // missing images
    for (int64_t n = 0; n < images; ++n) {
      interleave(n);
      write(n);
    }
  }

 private:
  static constexpr int64_t kPiece = 512;
  static constexpr int64_t kImageChannels = 3;

  // The extent of the windows along an axis of the image.
  int64_t padded(size_t axis, int64_t windows) const {
    return (windows - 1) * attrs_.stride[axis] + (attrs_.kernel[axis] - 1) * attrs_.dilation[axis] +
           1;
  }

  // A pixel of the padded image.
  uint8_t* pixel(int64_t row, int64_t column) {
    return image_.data() + kVectorBytes + (row * width_ + column) * channels_;
  }

  void list_parts() {
    for (int64_t block = 0; block < blocks_; ++block) {
      for (int64_t lane = 0; lane < core_.block_in; lane += kVectorBytes) {
        const int64_t bytes = std::min<int64_t>(kVectorBytes, core_.block_in - lane);
        parts_.push_back({static_cast<ptrdiff_t>(block), static_cast<ptrdiff_t>(lane),
                          static_cast<ptrdiff_t>(bytes),
                          runs_of(block * core_.block_in + lane, bytes)});
      }
    }
  }

  // The runs of the bytes [first, first + bytes) of a window.
  std::vector<Run> runs_of(int64_t first, int64_t bytes) {
    const bool is_dense = attrs_.dilation[1] == 1;
    const int64_t run_pixels = is_dense ? attrs_.kernel[1] : 1;
    const int64_t run_bytes = run_pixels * channels_;
    const int64_t runs_of_row = attrs_.kernel[1] / run_pixels;
    std::vector<Run> runs;
    for (int64_t at = first; at < first + bytes;) {
      if (at >= out_channels_) {
        runs.push_back({zeros_.data(), 0, lanes_from(at - first)});
        break;
      }
      const int64_t run = at / run_bytes;
      const uint8_t* start = pixel(run / runs_of_row * attrs_.dilation[0],
                                   run % runs_of_row * run_pixels * attrs_.dilation[1]);
      const int64_t step = attrs_.stride[1] * channels_;
      runs.push_back(
          {start + run * -run_bytes + first, static_cast<ptrdiff_t>(step), lanes_from(at - first)});
      at = (run + 1) * run_bytes;
    }
    return runs;
  }

  static Vector lanes_from(int64_t lane) {
    Vector lanes = {};
    for (int64_t i = lane; i < kVectorBytes; ++i) lanes[i] = 0xff;
    return lanes;
  }

  // Image n without its padding, which the constructor has written.
  void interleave(int64_t n) {
    const int64_t x_height = x_type_.shape[2], x_width = x_type_.shape[3];
    const int64_t top = attrs_.pad[0], left = attrs_.pad[1];
    const int64_t rows = std::min(x_height, height_ - top);
    const int64_t columns = std::min(x_width, width_ - left);
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t begin = 0; begin < columns; begin += kPiece) {
        interleave_piece((n * channels_ * x_height + row) * x_width + begin, x_height * x_width,
                         std::min(kPiece, columns - begin), pixel(row + top, begin + left));
      }
    }
  }

  // `size` pixels whose first channel starts at element `first`; channels are `plane` elements
  // apart.
  void interleave_piece(int64_t first, int64_t plane, int64_t size, uint8_t* to) {
    int8_t pieces[kImageChannels][kPiece];
    const auto pixels = static_cast<ptrdiff_t>(size), pitch = static_cast<ptrdiff_t>(channels_);
    if (channels_ == kImageChannels) {
      for (int64_t channel = 0; channel < kImageChannels; ++channel)
        read_piece(first + channel * plane, pixels, pieces[channel]);
      for (ptrdiff_t i = 0; i < pixels; ++i)
        for (ptrdiff_t channel = 0; channel < kImageChannels; ++channel)
          to[kImageChannels * i + channel] = static_cast<uint8_t>(pieces[channel][i]);
      return;
    }
    for (int64_t channel = 0; channel < channels_; ++channel) {
      read_piece(first + channel * plane, pixels, pieces[0]);
      for (ptrdiff_t i = 0; i < pixels; ++i)
        to[i * pitch + channel] = static_cast<uint8_t>(pieces[0][i]);
    }
  }

  // `size` quantized elements from `first`.
  void read_piece(int64_t first, ptrdiff_t size, int8_t* piece) const {
    if (x_type_.dtype != DType::kFloat32) {
      std::copy_n(reinterpret_cast<const int8_t*>(x_.data()) + first, size, piece);
      return;
    }
    quantize_elements(reinterpret_cast<const float*>(x_.data()) + first, size, attrs_, piece);
  }

  // Writes the windows of image n.
  void write(int64_t n) {
    const int64_t elem = core_.batch * core_.block_in;
    uint8_t* const image = packed_.data() +
                           n / core_.batch * blocks_ * out_height_ * out_width_ * elem +
                           n % core_.batch * core_.block_in;
    const auto to_step = static_cast<ptrdiff_t>(elem), windows = static_cast<ptrdiff_t>(out_width_),
               to_row_bytes = windows * to_step, rows = static_cast<ptrdiff_t>(out_height_),
               row_bytes = static_cast<ptrdiff_t>(attrs_.stride[0] * width_ * channels_);
    for (ptrdiff_t row = 0; row < rows; ++row) {
      for (const BlockPart& part : parts_) {
        uint8_t* to = image + (part.block * rows + row) * to_row_bytes + part.lane;
        write_vectors(to, to_step, part.bytes, part.runs, row * row_bytes, windows);
      }
    }
  }

  const TensorType& x_type_;
  const std::span<const uint8_t> x_;
  const Attrs<OpKind::kUnfold2d>& attrs_;
  const CoreConfig& core_;
  const std::span<uint8_t> packed_;
  const int64_t channels_, out_channels_, out_height_, out_width_, blocks_;
  const int64_t height_, width_;  // of the padded image: those that the windows cover
  // A padded image, interleaved, and space for the lanes of a vector before and after a run.
  std::vector<uint8_t> image_;
  const std::array<uint8_t, kVectorBytes> zeros_ = {};
  std::vector<BlockPart> parts_;
};

}  // namespace

void pack_unfolded(const TensorType& type, std::span<const uint8_t> array,
                   const Attrs<OpKind::kUnfold2d>& unfold, const TensorType& unfolded,
                   const CoreConfig& core, std::span<uint8_t> packed) {
  VTA_ASSERT(array.size() == type.num_bytes(), "size of the array");
  VTA_ASSERT(packed.size() == packed_size_bytes(unfolded, core), "size of the packed tensor");
  UnfoldPacking(type, array, unfold, unfolded, core, packed).run();
}

void pack_unfolded(const Tensor& tensor, const Attrs<OpKind::kUnfold2d>& unfold,
                   const TensorType& type, const CoreConfig& core, std::span<uint8_t> packed) {
  pack_unfolded(tensor.type(), tensor.bytes(), unfold, type, core, packed);
}

}  // namespace vta
