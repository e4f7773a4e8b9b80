// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/findings.h"

#include <algorithm>
#include <cmath>

#include "base/errors/error.h"
#include "tools/sim/network_input.h"

namespace vta::sim {
namespace {

std::vector<FoundObject> find_objects(const Program& program, const std::filesystem::path& file,
                                      const ImageOutputs& outputs,
                                      const std::vector<std::string>& labels) {
  const std::optional<ImageSpec>& image = program.inputs.at(0).image;
  const ImageExtent input = image_extent(image.value_or(ImageSpec()), input_type(program).shape);
  std::vector<host::Detection> found =
      host::detect(outputs, program.output_spec, input.height, input.width);
  if (image && names_image(file)) {
    const host::Image pixels = host::read_image(file);
    const host::Placement placement =
        host::placement(pixels.width, pixels.height, *image, input.height, input.width);
    for (host::Detection& detection : found)
      detection.box = host::to_source_image(detection.box, placement, pixels);
  }
  std::vector<FoundObject> objects;
  for (const host::Detection& detection : found)
    objects.push_back({detection, labels.empty() ? "" : labels.at(detection.class_index)});
  return objects;
}

std::vector<TensorType> output_types(const Program& program) {
  std::vector<TensorType> types;
  for (const ProgramOutput& output : program.outputs)
    types.push_back(program.values.at(output.value).type);
  return types;
}

// The pixels of an output [1, 1 or 3, h, w].
host::Image image_of(const Tensor& output, const OutputSpec& spec) {
  const int64_t channels = output.dim(1);
  host::Image image{output.dim(3), output.dim(2), {}};
  const std::span<const float> values = output.data<float>();
  const size_t area = values.size() / static_cast<size_t>(channels);
  for (size_t i = 0; i < area; ++i) {
    for (size_t c = 0; c < 3; ++c) {
      const double pixel = values[(channels == 3 ? c : 0) * area + i] * spec.scale + spec.offset;
      // NaN becomes black.
      image.rgb.push_back(static_cast<uint8_t>(pixel > 0 ? std::min(std::round(pixel), 255.0) : 0));
    }
  }
  return image;
}

}  // namespace

void set_postprocess(const std::string& kind, Program& program) {
  with_context("--postprocess " + kind, [&] {
    OutputSpec spec;
    spec.kind = kind;
    check(spec, output_types(program));
    program.output_spec = spec;
    if (kind == "classes" && !has_classes(program)) {
      fail(ErrorCode::kInvalidArgument, "output '{}' is {}, expected a vector of scores",
           output_name(program, 0), to_string(output_types(program)[0]));
    }
  });
}

bool has_classes(const Program& program) {
  if (program.output_spec.kind != "classes") return false;
  const TensorType& type = program.values.at(program.outputs.at(0).value).type;
  const std::vector<int64_t>& shape = type.shape;
  return !type.is_open() && shape.size() >= 2 &&
         std::all_of(shape.begin() + 2, shape.end(), [](int64_t size) { return size == 1; });
}

std::vector<SampleReport> find(const Program& program, const std::filesystem::path& input,
                               const ImageOutputs& outputs,
                               const std::vector<std::string>& labels) {
  std::vector<SampleReport> samples;
  for (size_t i = 0; i < outputs.size(); ++i) {
    samples.push_back(
        {input.string(), output_name(program, i), outputs[i], {}, std::nullopt, i == 0});
  }
  const OutputSpec& spec = program.output_spec;
  if (has_classes(program)) samples[0].top = top_classes(outputs[0], spec.top, labels);
  if (spec.kind == "yolo") samples[0].objects = find_objects(program, input, outputs, labels);
  return samples;
}

host::Image draw_result(const Program& program, const std::vector<SampleReport>& samples) {
  const OutputSpec& spec = program.output_spec;
  if (spec.kind == "image") return image_of(samples.at(0).output, spec);
  if (!samples.at(0).objects) {
    fail(ErrorCode::kUnsupported,
         "{}: --draw needs a network that detects boxes or generates an image", program.network);
  }
  if (!names_image(samples[0].input)) {
    fail(ErrorCode::kUnsupported, "--draw: cannot draw boxes: input {} is not an image",
         samples[0].input);
  }
  host::Image image = host::read_image(samples[0].input);
  // In reverse order, so that the best box is on top.
  for (auto object = samples[0].objects->rbegin(); object != samples[0].objects->rend(); ++object) {
    host::draw(object->detection, image);
  }
  return image;
}

}  // namespace vta::sim
