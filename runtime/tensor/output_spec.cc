// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor/output_spec.h"

#include <cmath>

#include "base/errors/counted.h"
#include "base/errors/error.h"

namespace vta {
namespace {

constexpr int64_t kBoxValues = 5;  // x, y, w, h, objectness

void check_fraction(const char* name, double value) {
  if (value >= 0 && value <= 1) return;
  fail(ErrorCode::kInvalidArgument, "{} {} is outside 0 to 1", name, value);
}

int64_t num_anchors(const OutputSpec& spec, size_t output) {
  return static_cast<int64_t>(spec.anchors[output].size() / 2);
}

void check_yolo(const OutputSpec& spec, const std::vector<TensorType>& outputs) {
  check_fraction("min_score", spec.min_score);
  check_fraction("max_overlap", spec.max_overlap);
  if (spec.anchors.size() != outputs.size()) {
    fail(ErrorCode::kInvalidArgument, "anchors of {} for a network with {}",
         counted(spec.anchors.size(), "output"), outputs.size());
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<double>& anchors = spec.anchors[i];
    bool positive = true;
    for (double size : anchors) positive = positive && size > 0 && size <= 65536;
    if (anchors.empty() || anchors.size() % 2 != 0 || !positive) {
      fail(ErrorCode::kInvalidArgument,
           "anchors of output {} are [{}], expected pairs of width and height", i,
           fmt::join(anchors, ", "));
    }
    const TensorType& type = outputs[i];
    const int64_t count = num_anchors(spec, i);
    if (type.is_open() || type.dtype != DType::kFloat32 || type.shape.size() != 4 ||
        type.shape[1] % count != 0 || type.shape[1] / count <= kBoxValues ||
        type.shape[1] / count - kBoxValues != num_classes(spec, outputs)) {
      fail(ErrorCode::kInvalidArgument,
           "output {} is {}, expected a grid of {} anchors with as many classes as output 0", i,
           to_string(type), count);
    }
  }
}

void check_image(const OutputSpec& spec, const TensorType& type) {
  if (type.is_open() || type.dtype != DType::kFloat32 || type.shape.size() != 4 ||
      (type.shape[1] != 1 && type.shape[1] != 3)) {
    fail(ErrorCode::kInvalidArgument, "output 0 is {}, expected an image [n, 1 or 3, h, w]",
         to_string(type));
  }
  if (!std::isfinite(spec.scale) || !std::isfinite(spec.offset)) {
    fail(ErrorCode::kInvalidArgument, "scale {} and offset {} are not finite", spec.scale,
         spec.offset);
  }
}

}  // namespace

int64_t num_classes(const OutputSpec& spec, const std::vector<TensorType>& outputs) {
  const TensorType& first = outputs.at(0);
  if (spec.kind == "image" || spec.kind == "none" || first.is_open()) return 0;
  if (spec.kind == "yolo") return first.shape.at(1) / num_anchors(spec, 0) - kBoxValues;
  return first.shape.empty() ? 1 : first.num_elems() / first.shape[0];
}

void check(const OutputSpec& spec, const std::vector<TensorType>& outputs) {
  if (outputs.empty()) fail(ErrorCode::kInvalidArgument, "the network has no outputs");
  if (spec.kind == "classes") {
    constexpr int64_t kMaxTop = 1000;
    if (spec.top < 1 || spec.top > kMaxTop) {
      fail(ErrorCode::kInvalidArgument, "top {} is outside 1 to {}", spec.top, kMaxTop);
    }
  } else if (spec.kind == "yolo") {
    check_yolo(spec, outputs);
  } else if (spec.kind == "image") {
    check_image(spec, outputs[0]);
  } else if (spec.kind != "none") {
    fail(ErrorCode::kInvalidArgument, "kind '{}' is not one of classes, yolo, image, none",
         spec.kind);
  }
}

}  // namespace vta
