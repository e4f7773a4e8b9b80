// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/batched_inference.h"

#include <algorithm>
#include <optional>

#include "base/errors/counted.h"
#include "base/errors/error.h"

namespace vta::sim {
namespace {

// Stacks input `index` of the images into one tensor [batch, ...]; missing images repeat the first.
Tensor stack(const std::vector<ImageInputs>& images, size_t index, const TensorType& type,
             int64_t batch) {
  Tensor stacked(type);
  auto target = stacked.mutable_bytes().begin();
  for (int64_t i = 0; i < batch; ++i) {
    const Tensor& image = images[i < std::ssize(images) ? i : 0].at(index);
    target = std::copy(image.bytes().begin(), image.bytes().end(), target);
  }
  return stacked;
}

std::vector<Tensor> stack(const std::vector<ImageInputs>& images, const Program& program) {
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < program.inputs.size(); ++i)
    inputs.push_back(
        stack(images, i, program.values.at(program.inputs[i].value).type, program.batch));
  return inputs;
}

// The rows of image `index` of `batch`.
Tensor rows_of(const Tensor& tensor, int64_t index, int64_t batch) {
  TensorType type = tensor.type();
  VTA_ASSERT(index < batch && type.shape.at(0) % batch == 0, "outputs have rows for each image");
  type.shape[0] /= batch;
  Tensor result(type);
  const auto bytes = tensor.bytes().subspan(index * type.num_bytes(), type.num_bytes());
  std::copy(bytes.begin(), bytes.end(), result.mutable_bytes().begin());
  return result;
}

// `batch`: images of an inference. The outputs of a single one are whole, whatever their axes.
std::vector<ImageOutputs> by_image(const std::vector<Tensor>& outputs, int64_t batch,
                                   int64_t num_images) {
  if (batch == 1) return {outputs};
  std::vector<ImageOutputs> result(num_images);
  for (int64_t image = 0; image < num_images; ++image) {
    for (const Tensor& output : outputs) result[image].push_back(rows_of(output, image, batch));
  }
  return result;
}

}  // namespace

void check_batched(const Program& program) {
  if (program.inputs.empty() || program.outputs.empty()) {
    fail(ErrorCode::kUnsupported, "{}: {} and {}; expected at least one of each", program.network,
         counted(program.inputs.size(), "input"), counted(program.outputs.size(), "output"));
  }
}

const TensorType& input_type(const Program& program) {
  return program.values.at(program.inputs.at(0).value).type;
}

const TensorType& output_type(const Program& program) {
  return program.values.at(program.outputs.at(0).value).type;
}

int64_t batch_of(const Program& program) { return program.batch; }

int64_t num_classes(const Program& program) {
  return output_type(program).num_elems() / batch_of(program);
}

std::vector<ImageOutputs> infer_batch(const Program& program, Session& session,
                                      const std::vector<ImageInputs>& images,
                                      InferenceReport* report) {
  return by_image(session.run(stack(images, program), report), batch_of(program),
                  static_cast<int64_t>(images.size()));
}

std::vector<ImageOutputs> run_images(quantize::GraphRunner& runner, const graph::Graph& graph,
                                     const Program& program,
                                     const std::vector<ImageInputs>& images) {
  const std::vector<int64_t>& shape = graph.node(graph.inputs().at(0)).type.shape;
  if (shape == input_type(program).shape)
    return by_image(runner.run(stack(images, program)), program.batch, std::ssize(images));
  std::vector<ImageOutputs> outputs;
  for (const ImageInputs& image : images) outputs.push_back(runner.run(image));
  return outputs;
}

void BatchedInference::run(const Program& program, Pipeline& pipeline) const {
  const int64_t batch = batch_of(program);
  const auto count = [&](int64_t first) { return std::min(batch, num_images - first); };
  struct Position {
    int64_t first = 0;
    uint64_t repetition = 0;
  };
  // Goes to the inference after `at`; returns whether it is the last one of its batch.
  const auto advance = [&](Position& at) {
    if (++at.repetition < repeat) return false;
    at = {at.first + batch, 0};
    return true;
  };
  Position loaded, finished;
  std::vector<Tensor> inputs;  // of the batch that is being repeated
  const auto next = [&]() -> std::optional<std::vector<Tensor>> {
    if (loaded.first >= num_images) return std::nullopt;
    if (loaded.repetition == 0) {
      std::vector<ImageInputs> images;
      for (int64_t i = 0; i < count(loaded.first); ++i)
        images.push_back(next_image(loaded.first + i));
      inputs = stack(images, program);
    }
    advance(loaded);
    return inputs;
  };
  const auto done = [&](const Pipeline::Inference& inference) {
    on_inference(inference.report, inference.latency_seconds);
    const int64_t first = finished.first;
    if (!advance(finished)) return;
    const auto outputs = by_image(inference.outputs, batch, count(first));
    for (int64_t i = 0; i < count(first); ++i) on_outputs(first + i, outputs[i]);
  };
  pipeline.run(next, done);
}

}  // namespace vta::sim
