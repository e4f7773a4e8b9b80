// SPDX-License-Identifier: Apache-2.0
#include "compiler/quantize/layer_rounding.h"

#include <algorithm>

#include "base/limits/parallel.h"
#include "compiler/quantize/moments.h"
#include "compiler/quantize/round_weights.h"
#include "compiler/quantize/weight_rows.h"

namespace vta::quantize {
namespace {

using graph::Graph;
using graph::Node;

constexpr int64_t kMaxBlockElems = 2304;  // rows of a covariance: 21 MB of float
constexpr int64_t kMinSamples = 1024, kMaxSamples = 8192;
constexpr double kRidge = 0.01;

class LayerRounder {
 public:
  LayerRounder(const Graph& graph, const Node& layer, const Batch& inputs,
               const std::vector<double>& rows, std::optional<int64_t> zero)
      : inputs_(inputs),
        zero_(zero),
        shape_(row_shape(graph, layer)),
        windows_(graph, layer),
        rows_(rows),
        rounded_(rows.size()) {}

  std::vector<int8_t> run() {
    in_parallel(static_cast<size_t>(shape_.groups),
                [&](size_t group) { round_group(static_cast<int64_t>(group)); });
    return std::move(rounded_);
  }

 private:
  void round_group(int64_t group) {
    const std::vector<int8_t> samples = sample(group);
    // Blocks consist of whole channels.
    const int64_t most = std::max(kMaxBlockElems / shape_.taps, int64_t{1}) * shape_.taps;
    for (int64_t first = 0; first < shape_.row_elems; first += most)
      round_block(group, samples, first, std::min(most, shape_.row_elems - first));
  }

  // Samples windows of all images, spread over the pixels.
  std::vector<int8_t> sample(int64_t group) const {
    const int64_t wanted =
        std::clamp(2 * std::min(shape_.row_elems, kMaxBlockElems), kMinSamples, kMaxSamples);
    const auto num_images = static_cast<int64_t>(inputs_.size());
    const int64_t pixels = windows_.num_pixels();
    const int64_t of_image = std::min(pixels, (wanted + num_images - 1) / num_images);
    std::vector<int8_t> samples(static_cast<size_t>(num_images * of_image * shape_.row_elems));
    int8_t* target = samples.data();
    for (int64_t image = 0; image < num_images; ++image) {
      for (int64_t i = 0; i < of_image; ++i, target += shape_.row_elems) {
        const int64_t pixel = (i * pixels + image * pixels / num_images) / of_image % pixels;
        windows_.gather(inputs_[image], group, pixel, target);
      }
    }
    return samples;
  }

  void round_block(int64_t group, const std::vector<int8_t>& samples, int64_t first, int64_t size) {
    Moments moments(size);
    moments.add(samples, shape_.row_elems, first);
    const std::vector<float> covariance =
        zero_ ? moments.about(*zero_, kRidge) : moments.covariance(kRidge);
    const int64_t num_rows = shape_.rows_per_group(), first_row = group * num_rows;
    std::vector<double> rows;
    for (int64_t row = first_row; row < first_row + num_rows; ++row) {
      const auto begin = rows_.begin() + row * shape_.row_elems + first;
      rows.insert(rows.end(), begin, begin + size);
    }
    const std::vector<int8_t> result = round_weights(rows, covariance, size);
    for (int64_t r = 0; r < num_rows; ++r) {
      std::copy_n(result.begin() + r * size, size,
                  rounded_.begin() + (first_row + r) * shape_.row_elems + first);
    }
  }

  const Batch& inputs_;
  const std::optional<int64_t> zero_;
  const RowShape shape_;
  const Windows windows_;
  const std::vector<double>& rows_;
  std::vector<int8_t> rounded_;
};

}  // namespace

std::vector<int8_t> round_layer(const Graph& graph, const Node& layer, const Batch& inputs,
                                const std::vector<double>& rows, std::optional<int64_t> zero) {
  return LayerRounder(graph, layer, inputs, rows, zero).run();
}

}  // namespace vta::quantize
