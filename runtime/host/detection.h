// SPDX-License-Identifier: Apache-2.0
//
// From the grids of a YOLOv3 network to boxes in the picture, and to a picture with boxes in it.
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

// No more than this many are looked at, and given: the best ones.
inline constexpr size_t kMaxCandidates = 4096;
inline constexpr size_t kMaxDetections = 256;

// The boxes that `outputs` of one image ([1, anchors * (5 + classes), h, w] each) hold, in pixels
// of an input of `height` x `width`, best first: those with at least spec.min_score, of which those
// of a class that overlap a better one by more than spec.max_overlap are left out. Numbers that are
// not finite make no box. After check(spec, types of outputs).
std::vector<Detection> detect(const std::vector<Tensor>& outputs, const OutputSpec& spec,
                              int64_t height, int64_t width);

// Intersection / union; 0 of boxes without area.
double overlap(const Box& a, const Box& b);

// From pixels of the input to pixels of the picture that was placed in it, cut at its borders.
Box to_picture(const Box& box, const Placement& placement, const Image& picture);

// Draws the box's outline, in a colour of the class.
void draw(const Detection& detection, Image& picture);

}  // namespace vta::host

#endif  // VTA_RUNTIME_HOST_DETECTION_H_
