// SPDX-License-Identifier: Apache-2.0
//
// Runs images through a session in batches of the program's size: a core of batch 4 computes four
// images in the time of one.
#ifndef VTA_TOOLS_SIM_BATCHED_INFERENCE_H_
#define VTA_TOOLS_SIM_BATCHED_INFERENCE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "compiler/quantize/run_graph.h"
#include "runtime/program/program.h"
#include "runtime/session/pipeline.h"
#include "runtime/session/session.h"
#include "runtime/tensor/tensor.h"

namespace vta::sim {

// Errors: kUnsupported unless the program has inputs and outputs.
void check_batched(const Program& program);

// The types of the program's first input and of its first output.
const TensorType& input_type(const Program& program);
const TensorType& output_type(const Program& program);

// The images per inference, and the scores per image.
int64_t batch_of(const Program& program);
int64_t num_classes(const Program& program);

// Every input, and every output, of the program for one image (sample_type()).
using ImageInputs = std::vector<Tensor>;
using ImageOutputs = std::vector<Tensor>;

// Runs one inference of 1 to batch_of(program) images and returns the outputs of each. A partial
// batch is padded with its first image.
std::vector<ImageOutputs> infer_batch(const Program& program, Session& session,
                                      const std::vector<ImageInputs>& images,
                                      InferenceReport* report);

// The same results of a graph: the program's network in fp32, of one image or of the program's
// batch.
std::vector<ImageOutputs> run_images(quantize::GraphRunner& runner, const graph::Graph& graph,
                                     const Program& program,
                                     const std::vector<ImageInputs>& images);

// Gets the images 0 to num_images - 1 from `next_image`, runs each batch
// `repeat` times and calls, in order,
//   on_inference  for each inference, with its report and its time in seconds
//   on_outputs    with the number of each image and its outputs
// All calls but those of `next_image` are serialized (Pipeline::run()).
struct BatchedInference {
  int64_t num_images = 0;
  uint64_t repeat = 1;
  std::function<ImageInputs(int64_t image)> next_image;
  std::function<void(const InferenceReport& report, double seconds)> on_inference;
  std::function<void(int64_t image, const ImageOutputs& outputs)> on_outputs;

  void run(const Program& program, Pipeline& pipeline) const;
};

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_BATCHED_INFERENCE_H_
