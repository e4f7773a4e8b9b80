// SPDX-License-Identifier: Apache-2.0
#include "runtime/host/detection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace vta::host {
namespace {

constexpr int64_t kBoxValues = 5;  // x, y, w, h, objectness

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

bool is_better(const Detection& a, const Detection& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.class_index < b.class_index;
}

// The grid of one output: for each anchor, one plane per value.
class Grid {
 public:
  Grid(const Tensor& output, const std::vector<double>& anchors, int64_t height, int64_t width)
      : values_(output.data<float>()),
        anchors_(anchors),
        rows_(output.dim(2)),
        columns_(output.dim(3)),
        num_values_(output.dim(1) / static_cast<int64_t>(anchors.size() / 2)),
        cell_height_(static_cast<double>(height) / static_cast<double>(rows_)),
        cell_width_(static_cast<double>(width) / static_cast<double>(columns_)) {}

  void collect(double min_score, std::vector<Detection>& detections) const {
    for (int64_t anchor = 0; anchor < static_cast<int64_t>(anchors_.size() / 2); ++anchor) {
      for (int64_t cell = 0; cell < rows_ * columns_; ++cell) {
        collect_cell(anchor, cell, min_score, detections);
      }
    }
  }

 private:
  double value(int64_t anchor, int64_t index, int64_t cell) const {
    return values_[(anchor * num_values_ + index) * rows_ * columns_ + cell];
  }

  void collect_cell(int64_t anchor, int64_t cell, double min_score,
                    std::vector<Detection>& detections) const {
    const double objectness = sigmoid(value(anchor, 4, cell));
    if (!(objectness >= min_score)) return;  // an upper bound of the class scores; false for NaN
    const Box box = box_of(anchor, cell);
    if (!std::isfinite(box.right - box.left + box.bottom - box.top)) return;
    for (int64_t index = kBoxValues; index < num_values_; ++index) {
      const double score = objectness * sigmoid(value(anchor, index, cell));
      if (score >= min_score) detections.push_back({index - kBoxValues, score, box});
    }
  }

  Box box_of(int64_t anchor, int64_t cell) const {
    const auto column = static_cast<double>(cell % columns_);
    const auto row = static_cast<double>(cell / columns_);
    const double x = (sigmoid(value(anchor, 0, cell)) + column) * cell_width_;
    const double y = (sigmoid(value(anchor, 1, cell)) + row) * cell_height_;
    const double half_width = std::exp(value(anchor, 2, cell)) * anchors_[2 * anchor] / 2;
    const double half_height = std::exp(value(anchor, 3, cell)) * anchors_[2 * anchor + 1] / 2;
    return {x - half_width, y - half_height, x + half_width, y + half_height};
  }

  const std::span<const float> values_;
  const std::vector<double>& anchors_;
  const int64_t rows_, columns_, num_values_;
  const double cell_height_, cell_width_;
};

// The best kMaxCandidates, best first; equal ones keep their order. (std::stable_sort uses a
// function that GCC 12's library marks as deprecated.)
std::vector<Detection> best_of(const std::vector<Detection>& detections) {
  std::vector<size_t> order(detections.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) {
    if (is_better(detections[a], detections[b])) return true;
    return !is_better(detections[b], detections[a]) && a < b;
  });
  order.resize(std::min(order.size(), kMaxCandidates));
  std::vector<Detection> best;
  for (size_t i : order) best.push_back(detections[i]);
  return best;
}

// Non-maximum suppression. `detections` are sorted, best first.
std::vector<Detection> without_overlaps(const std::vector<Detection>& detections,
                                        double max_overlap) {
  std::vector<Detection> kept;
  for (const Detection& detection : detections) {
    const bool hidden = std::ranges::any_of(kept, [&](const Detection& better) {
      return better.class_index == detection.class_index &&
             overlap(better.box, detection.box) > max_overlap;
    });
    if (!hidden) kept.push_back(detection);
    if (kept.size() == kMaxDetections) break;
  }
  return kept;
}

// Hues in steps of the golden angle, so that neighbouring classes differ.
std::array<uint8_t, 3> colour_of(int64_t class_index) {
  const double hue = std::fmod(static_cast<double>(class_index) * 0.618033988749895, 1.0) * 6;
  std::array<uint8_t, 3> colour;
  for (size_t channel = 0; channel < 3; ++channel) {
    const double distance = std::abs(std::fmod(hue + 6 - 2 * static_cast<double>(channel), 6) - 3);
    colour[channel] = static_cast<uint8_t>(std::clamp(distance - 1, 0.0, 1.0) * 255);
  }
  return colour;
}

void fill(Image& image, int64_t left, int64_t top, int64_t right, int64_t bottom,
          const std::array<uint8_t, 3>& colour) {
  for (int64_t y = std::max<int64_t>(top, 0); y < std::min(bottom, image.height); ++y) {
    for (int64_t x = std::max<int64_t>(left, 0); x < std::min(right, image.width); ++x) {
      std::ranges::copy(colour, image.rgb.begin() + (y * image.width + x) * 3);
    }
  }
}

}  // namespace

std::vector<Detection> detect(const std::vector<Tensor>& outputs, const OutputSpec& spec,
                              int64_t height, int64_t width) {
  std::vector<Detection> detections;
  for (size_t i = 0; i < outputs.size(); ++i) {
    Grid(outputs[i], spec.anchors[i], height, width).collect(spec.min_score, detections);
  }
  return without_overlaps(best_of(detections), spec.max_overlap);
}

double overlap(const Box& a, const Box& b) {
  const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const auto area = [](const Box& box) { return (box.right - box.left) * (box.bottom - box.top); };
  return width * height / (area(a) + area(b) - width * height);
}

Box to_source_image(const Box& box, const Placement& placement, const Image& image) {
  const auto across = [&](double x) {
    return std::clamp((x - placement.left) / placement.scale_x, 0.0,
                      static_cast<double>(image.width));
  };
  const auto down = [&](double y) {
    return std::clamp((y - placement.top) / placement.scale_y, 0.0,
                      static_cast<double>(image.height));
  };
  return {across(box.left), down(box.top), across(box.right), down(box.bottom)};
}

void draw(const Detection& detection, Image& image) {
  const std::array<uint8_t, 3> colour = colour_of(detection.class_index);
  const int64_t thickness = std::max<int64_t>(std::min(image.width, image.height) / 200, 1);
  const auto left = static_cast<int64_t>(detection.box.left);
  const auto top = static_cast<int64_t>(detection.box.top);
  const auto right = std::max(static_cast<int64_t>(std::ceil(detection.box.right)), left + 1);
  const auto bottom = std::max(static_cast<int64_t>(std::ceil(detection.box.bottom)), top + 1);
  fill(image, left, top, right, top + thickness, colour);
  fill(image, left, bottom - thickness, right, bottom, colour);
  fill(image, left, top, left + thickness, bottom, colour);
  fill(image, right - thickness, top, right, bottom, colour);
}

}  // namespace vta::host
