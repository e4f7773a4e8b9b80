// SPDX-License-Identifier: Apache-2.0
//
// Programs: files, facts, labels and inputs.
#include <algorithm>
#include <span>
#include <utility>

#include "base/errors/counted.h"
#include "configs/config_files.h"
#include "runtime/host/network_input.h"
#include "runtime/program/macs.h"
#include "runtime/program/packed_types.h"
#include "runtime/program/reported_op.h"
#include "runtime/program/stream_counts.h"
#include "tools/c_api/handles.h"
#include "tools/c_api/status.h"

using vta::ErrorCode;
using vta::fail;
using vta::Program;
using vta::ProgramStep;
using vta::Tensor;
using vta::c_api::guarded;
using vta::c_api::required;

namespace {

std::string shapes_of(const Program& program, const ProgramStep& step) {
  std::string text;
  for (const vta::TensorType& type : vta::placed_types(program, step))
    text += (text.empty() ? "" : ", ") + to_string(type);
  return text;
}

// `shapes` must outlive the result.
vta_layer_info layer_info(const Program& program, const ProgramStep& step,
                          const std::string& shapes) {
  vta_layer_info layer{};
  layer.shapes = shapes.c_str();
  layer.name = step.layer.c_str();
  layer.op = reported_op(step);
  const bool is_stream = step.kind == ProgramStep::Kind::kCore;
  layer.where = to_string(place_of(step));
  layer.macs = vta::macs_of(program, step);
  if (!is_stream) return layer;
  const vta::hw::Counters counts = counts_of(step_bytes(program, step), program.core);
  layer.gemm_counter = counts.gemm_counter;
  layer.alu_counter = counts.alu_counter;
  layer.dram_bytes = counts.dram_bytes();
  return layer;
}

vta_program_info program_info(const vta_program& handle) {
  const Program& program = handle.program;
  const vta::MacSums macs = vta::macs_of(program);
  vta_program_info info{};
  info.network = program.network.c_str();
  info.core = program.core.name.c_str();
  info.mode = program.mode.c_str();
  info.quantize = program.quantize.c_str();
  info.weights = program.weights.c_str();
  info.calibration = handle.calibration.c_str();
  info.macs = macs.all;
  info.macs_on_core = macs.on_core;
  info.arena_bytes = program.arena_bytes;
  info.output_kind = program.output_spec.kind.c_str();
  info.batch = program.batch;
  info.num_inputs = handle.inputs.size();
  info.num_outputs = handle.outputs.size();
  info.num_layers = handle.layers.size();
  const bool has_labels = !program.class_names.empty() ||
                          (!program.outputs.empty() && !program.outputs[0].labels.empty());
  if (has_labels) info.num_labels = static_cast<size_t>(num_named_classes(program));
  return info;
}

// Errors: kUnsupported unless the program has one input.
const vta_tensor_info& only_input(const vta_program& handle) {
  if (handle.inputs.size() != 1 || handle.inputs[0].rank == 0) {
    fail(ErrorCode::kUnsupported, "{}: {}; expected one input, a batch of images",
         handle.program.network, vta::counted(handle.inputs.size(), "input"));
  }
  return handle.inputs[0];
}

vta::TensorType type_of_one_image(const vta_program& handle) {
  return vta::sample_type(handle.program, handle.program.inputs[0].value);
}

Tensor input_from(const vta_program& handle, const char* file) {
  const vta::TensorType type = type_of_one_image(handle);
  const vta::ProgramInput& input = handle.program.inputs[0];
  if (file == nullptr && input.sample.empty()) {
    fail(ErrorCode::kInvalidArgument, "{} has no sample input", handle.program.network);
  }
  const std::filesystem::path path =
      file == nullptr ? vta::find_beside(input.sample, handle.folder) : file;
  if (const auto seed = vta::host::noise_seed(path.string()))
    return vta::host::noise_input(type, *seed);
  return vta::host::read_image_input(path, type, input.image);
}

// Fills the batch with copies of one image.
void fill_batch(const vta_program& handle, const Tensor& image, const vta_buffer* buffer) {
  const vta_tensor_info& info = only_input(handle);
  vta::c_api::check_buffers("input", {&info, 1}, buffer, 1);
  auto* to = static_cast<uint8_t*>(buffer->data);
  for (int64_t i = 0; i < handle.program.batch; ++i)
    to = std::copy(image.bytes().begin(), image.bytes().end(), to);
}

void fill_batch(const vta_program& handle, const vta::host::Image& pixels,
                const vta_buffer* buffer) {
  only_input(handle);
  const auto& image = handle.program.inputs[0].image;
  if (!image)
    vta::with_context(handle.program.network, [] { vta::host::fail_without_image_spec(); });
  fill_batch(handle, vta::host::image_input(pixels, type_of_one_image(handle), *image), buffer);
}

template <typename T>
const T* element(const std::vector<T>& elements, size_t index) {
  return index < elements.size() ? &elements[index] : nullptr;
}

}  // namespace

vta_program::vta_program(Program compiled, std::filesystem::path own_folder, std::string images)
    : program(std::move(compiled)), folder(std::move(own_folder)), calibration(std::move(images)) {
  for (const vta::ProgramInput& input : program.inputs) {
    const vta::ProgramValue& value = program.values.at(input.value);
    inputs.push_back(vta::c_api::tensor_info(value.name, value.type));
  }
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    outputs.push_back(vta::c_api::tensor_info(vta::output_name(program, i),
                                              program.values.at(program.outputs[i].value).type));
  }
  for (const ProgramStep& step : program.steps) shapes.push_back(shapes_of(program, step));
  for (size_t i = 0; i < shapes.size(); ++i)
    layers.push_back(layer_info(program, program.steps[i], shapes[i]));
  info = program_info(*this);
}

const std::vector<std::string>& vta_program::labels() const {
  std::call_once(labels_read_, [&] {
    labels_ = program.class_names;
    if (info.num_labels == 0 || !labels_.empty()) return;
    const std::filesystem::path file = vta::find_beside(program.outputs[0].labels, folder);
    labels_ = vta::host::read_class_names(file, static_cast<int64_t>(info.num_labels));
  });
  return labels_;
}

extern "C" {

vta_status vta_program_open(const char* path, vta_program** program) {
  return guarded([&] {
    const std::filesystem::path file = &required(path, "path");
    vta_program*& opened = required(program, "program");
    opened = new vta_program(vta::read_program(file), file.parent_path(), "");
  });
}

vta_status vta_program_save(const vta_program* program, const char* path) {
  return guarded(
      [&] { vta::write_program(required(program, "program").program, &required(path, "path")); });
}

vta_status vta_program_parse(const char* name, const uint8_t* file, size_t num_bytes,
                             vta_program** program) {
  return guarded([&] {
    vta_program*& parsed = required(program, "program");
    const std::span bytes(&required(file, "file"), num_bytes);
    parsed = new vta_program(vta::parse_program(bytes, &required(name, "name")), "", "");
  });
}

vta_status vta_program_write(const vta_program* program, const vta_buffer* buffer) {
  return guarded([&] {
    const std::vector<uint8_t> file = vta::serialize(required(program, "program").program);
    const vta_buffer& to = required(buffer, "buffer");
    uint8_t* const first = &required(static_cast<uint8_t*>(to.data), "buffer.data");
    if (to.num_bytes != file.size()) {
      fail(ErrorCode::kInvalidArgument, "buffer.num_bytes is {}, expected {}", to.num_bytes,
           file.size());
    }
    std::copy(file.begin(), file.end(), first);
  });
}

vta_status vta_program_file_bytes(const vta_program* program, size_t* num_bytes) {
  return guarded([&] {
    size_t& result = required(num_bytes, "num_bytes");
    result = vta::serialize(required(program, "program").program).size();
  });
}

void vta_program_free(vta_program* program) { delete program; }

const vta_program_info* vta_program_info_of(const vta_program* program) {
  return program == nullptr ? nullptr : &program->info;
}

const vta_tensor_info* vta_program_input(const vta_program* program, size_t index) {
  return program == nullptr ? nullptr : element(program->inputs, index);
}

const vta_tensor_info* vta_program_output(const vta_program* program, size_t index) {
  return program == nullptr ? nullptr : element(program->outputs, index);
}

const vta_layer_info* vta_program_layer(const vta_program* program, size_t index) {
  return program == nullptr ? nullptr : element(program->layers, index);
}

vta_status vta_program_label(const vta_program* program, size_t index, const char** label) {
  return guarded([&] {
    const std::vector<std::string>& labels = required(program, "program").labels();
    if (index >= labels.size()) {
      fail(ErrorCode::kInvalidArgument, "{}: label {} of {}", program->program.network, index,
           labels.size());
    }
    required(label, "label") = labels[index].c_str();
  });
}

vta_status vta_program_read_input(const vta_program* program, const char* file,
                                  const vta_buffer* input) {
  return guarded([&] {
    only_input(required(program, "program"));
    fill_batch(*program, input_from(*program, file), input);
  });
}

vta_status vta_program_decode_input(const vta_program* program, const uint8_t* file,
                                    size_t num_bytes, const vta_buffer* input) {
  return guarded([&] {
    required(program, "program");
    const std::span bytes(&required(file, "file"), num_bytes);
    fill_batch(*program, vta::host::decode_image(bytes, "the image"), input);
  });
}

vta_status vta_program_preprocess(const vta_program* program, const uint8_t* rgb, int64_t height,
                                  int64_t width, const vta_buffer* input) {
  return guarded([&] {
    required(program, "program");
    required(rgb, "rgb");
    if (height < 1 || width < 1 || width > vta::host::kMaxImagePixels / height) {
      fail(ErrorCode::kInvalidArgument, "an image of {} x {} pixels; expected 1 to {} in all",
           height, width, vta::host::kMaxImagePixels);
    }
    fill_batch(*program, {width, height, {rgb, rgb + height * width * 3}}, input);
  });
}

}  // extern "C"
