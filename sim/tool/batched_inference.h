// SPDX-License-Identifier: Apache-2.0
//
// Images through a session, as many at once as its program takes: a core of batch 4 computes four
// of them in the time of one.
#ifndef VTA_SIM_TOOL_BATCHED_INFERENCE_H_
#define VTA_SIM_TOOL_BATCHED_INFERENCE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/program/program.h"
#include "runtime/session/session.h"
#include "runtime/tensor/tensor.h"

namespace vta::sim {

// Refuses what this file cannot run. Errors: kUnsupported unless the program has one input and at
// least one output, all of n images ([n, ...]).
void check_batched(const Program& program);

// Of the program's only input and its first output.
const TensorType& input_type(const Program& program);
const TensorType& output_type(const Program& program);

// How many images one inference takes, and how many scores it gives an image.
int64_t batch_of(const Program& program);
int64_t num_classes(const Program& program);

// Every output of the program for one image, [1, ...] each.
using ImageOutputs = std::vector<Tensor>;

// One inference of 1 to batch_of(program) images ([1, c, h, w] each); a batch that is not full is
// filled up with its first image. The outputs of each image.
std::vector<ImageOutputs> infer_batch(const Program& program, Session& session,
                                      const std::vector<Tensor>& images, InferenceReport* report);

// Asks `next_image` for image 0 to num_images - 1 ([1, c, h, w] each), runs them `repeat` times,
// batch by batch, and calls
//   on_inference  after each inference, with its report and the seconds that it took
//   on_outputs    with each image's number and its outputs
struct BatchedInference {
  int64_t num_images = 0;
  uint64_t repeat = 1;
  std::function<Tensor(int64_t image)> next_image;
  std::function<void(const InferenceReport& report, double seconds)> on_inference;
  std::function<void(int64_t image, const ImageOutputs& outputs)> on_outputs;

  void run(const Program& program, Session& session) const;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_BATCHED_INFERENCE_H_
