// SPDX-License-Identifier: Apache-2.0
//
// Object detection: boxes from the output grids of a YOLOv3 network, and drawing them.
#ifndef VTA_RUNTIME_HOST_DETECTION_H_
#define VTA_RUNTIME_HOST_DETECTION_H_

#include <cstdint>
#include <vector>

#include "runtime/host/image.h"
#include "runtime/tensor/output_spec.h"
#include "runtime/tensor/tensor.h"

namespace vta::host {

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;  // in pixels
};

struct Detection {
  int64_t class_index = 0;
  double score = 0;  // 0 to 1
  Box box;
};

// Only the best kMaxCandidates boxes are compared, and the best kMaxDetections returned.
inline constexpr size_t kMaxCandidates = 4096;
inline constexpr size_t kMaxDetections = 256;

// The boxes in `outputs` of one image ([1, anchors * (5 + classes), h, w] each), best first, in
// pixels of an input of `height` x `width`. Omitted: boxes with a score below spec.min_score, boxes
// that overlap a better box of their class by more than spec.max_overlap, and boxes that are not
// finite. Call check(spec, types of outputs) first.
std::vector<Detection> detect(const std::vector<Tensor>& outputs, const OutputSpec& spec,
                              int64_t height, int64_t width);

// Intersection over union; 0 if either box has no area.
double overlap(const Box& a, const Box& b);

// Converts pixels of the input to pixels of the image placed in it, clipped to its borders.
Box to_source_image(const Box& box, const Placement& placement, const Image& image);

// Draws the outline of the box in the colour of its class.
void draw(const Detection& detection, Image& image);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_DETECTION_H_
