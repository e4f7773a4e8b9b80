// SPDX-License-Identifier: Apache-2.0
#include "runtime/dataset/dataset.h"

#include <utility>

#include "tools/c_api/handles.h"
#include "tools/c_api/status.h"
#include "tools/compile/network_arguments.h"

using vta::ErrorCode;
using vta::fail;
using vta::c_api::guarded;
using vta::c_api::required;

struct vta_dataset {
  vta::Dataset dataset;
  std::vector<vta::DatasetInput> inputs;
};

extern "C" {

vta_status vta_dataset_open(const char* text, const vta_program* program, vta_dataset** dataset) {
  return guarded([&] {
    const vta::Program& of = required(program, "program").program;
    required(dataset, "dataset");
    std::vector<vta::DatasetInput> inputs;
    for (size_t i = 0; i < of.inputs.size(); ++i) {
      const vta_tensor_info& info = program->inputs[i];
      vta::TensorType type = vta::sample_type(of, of.inputs[i].value);
      if (type.shape.empty()) {
        fail(ErrorCode::kUnsupported, "{}: input '{}' is a scalar; data sets require a batch",
             of.network, info.name);
      }
      inputs.push_back({info.name, std::move(type), of.inputs[i].image});
    }
    vta::Dataset opened = vta::find_dataset(&required(text, "text"), inputs);
    *dataset = new vta_dataset{std::move(opened), std::move(inputs)};
  });
}

void vta_dataset_free(vta_dataset* dataset) { delete dataset; }

size_t vta_dataset_size(const vta_dataset* dataset) {
  return dataset == nullptr ? 0 : static_cast<size_t>(dataset->dataset.num_images);
}

const int64_t* vta_dataset_labels(const vta_dataset* dataset) {
  if (dataset == nullptr || dataset->dataset.labels.empty()) return nullptr;
  return dataset->dataset.labels.data();
}

vta_status vta_dataset_read(const vta_dataset* dataset, size_t index, const vta_buffer* inputs) {
  return guarded([&] {
    const vta::Dataset& images = required(dataset, "dataset").dataset;
    if (index >= vta_dataset_size(dataset)) {
      fail(ErrorCode::kInvalidArgument, "image {} of a data set of {}", index, images.num_images);
    }
    std::vector<vta_tensor_info> infos;
    for (const vta::DatasetInput& input : dataset->inputs)
      infos.push_back(vta::c_api::tensor_info(input.name, input.type));
    vta::c_api::check_buffers("input", infos, inputs, infos.size());
    vta::c_api::copy_outputs(images.inputs(static_cast<int64_t>(index)), inputs);
  });
}

}  // extern "C"
