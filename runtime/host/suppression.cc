// SPDX-License-Identifier: Apache-2.0
//
// Non-maximum suppression as an operator: ONNX's NonMaxSuppression, in float32 as ONNX Runtime.
#include <algorithm>
#include <limits>

#include "runtime/host/operators.h"

namespace vta::host {
namespace {

struct Corners {
  float top, left, bottom, right;

  float area() const { return (bottom - top) * (right - left); }
};

Corners corners_of(const float* box, bool is_center) {
  if (is_center) {  // x, y, width, height
    const float half_width = box[2] / 2, half_height = box[3] / 2;
    return {box[1] - half_height, box[0] - half_width, box[1] + half_height, box[0] + half_width};
  }
  return {std::min(box[0], box[2]), std::min(box[1], box[3]), std::max(box[0], box[2]),
          std::max(box[1], box[3])};
}

bool overlaps(const Corners& a, const Corners& b, float most) {
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  if (height <= 0 || width <= 0 || a.area() <= 0 || b.area() <= 0) return false;
  const float common = height * width;
  return common / (a.area() + b.area() - common) > most;
}

// The boxes of one image for one class.
std::vector<int32_t> selected(const Attrs<OpKind::kNonMaxSuppression>& attrs,
                              const std::vector<Corners>& boxes, std::span<const float> scores) {
  const float least = attrs.min_score < std::numeric_limits<float>::lowest()
                          ? -std::numeric_limits<float>::infinity()
                          : static_cast<float>(attrs.min_score);
  std::vector<int32_t> candidates;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > least) candidates.push_back(static_cast<int32_t>(i));
  }
  const auto score = [&](int32_t i) { return scores[static_cast<size_t>(i)]; };
  std::ranges::sort(candidates, [&](int32_t a, int32_t b) {
    return score(a) != score(b) ? score(a) > score(b) : a < b;
  });
  const auto most = static_cast<float>(attrs.max_overlap);
  std::vector<int32_t> kept;
  for (int32_t candidate : candidates) {
    if (static_cast<int64_t>(kept.size()) == attrs.size) break;
    const bool is_hidden = std::ranges::any_of(kept, [&](int32_t better) {
      return overlaps(boxes[static_cast<size_t>(better)], boxes[static_cast<size_t>(candidate)],
                      most);
    });
    if (!is_hidden) kept.push_back(candidate);
  }
  return kept;
}

}  // namespace

void non_max_suppression(const Attrs<OpKind::kNonMaxSuppression>& attrs, const Operands& inputs,
                         Tensor& output) {
  const auto num_boxes = static_cast<size_t>(inputs[1].dim(2));
  const float *box = inputs[0].data<float>().data(), *scores = inputs[1].data<float>().data();
  std::vector<int32_t> rows;
  for (int32_t image = 0; image < inputs[1].dim(0); ++image) {
    std::vector<Corners> boxes;
    for (size_t i = 0; i < num_boxes; ++i, box += 4) boxes.push_back(corners_of(box, attrs.center));
    for (int32_t of_class = 0; of_class < inputs[1].dim(1); ++of_class, scores += num_boxes) {
      for (int32_t i : selected(attrs, boxes, {scores, num_boxes}))
        rows.insert(rows.end(), {image, of_class, i});
    }
  }
  output = Tensor({static_cast<int64_t>(rows.size() / 3), 3}, rows);
}

}  // namespace vta::host
