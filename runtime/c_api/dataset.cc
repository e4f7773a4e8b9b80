// SPDX-License-Identifier: Apache-2.0
#include "runtime/dataset/dataset.h"

#include <utility>

#include "compiler/tool/network_arguments.h"
#include "runtime/c_api/handles.h"
#include "runtime/c_api/status.h"

using vta::ErrorCode;
using vta::fail;
using vta::c_api::guarded;
using vta::c_api::required;

struct vta_dataset {
  vta::Dataset dataset;
  vta::TensorType type;  // of one input
};

extern "C" {

vta_status vta_dataset_open(const char* text, const vta_program* program, vta_dataset** dataset) {
  return guarded([&] {
    const vta::Program& of = required(program, "program").program;
    required(dataset, "dataset");
    if (of.inputs.size() != 1 || program->inputs[0].rank == 0) {
      fail(ErrorCode::kUnsupported, "{}: {} inputs; data sets require one, a batch of images",
           of.network, of.inputs.size());
    }
    vta::TensorType type = vta::c_api::type_of(program->inputs[0]);
    type.shape[0] = 1;
    vta::Dataset opened = vta::find_dataset(&required(text, "text"), type, of.inputs[0].image);
    *dataset = new vta_dataset{std::move(opened), std::move(type)};
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

vta_status vta_dataset_read(const vta_dataset* dataset, size_t index, const vta_buffer* input) {
  return guarded([&] {
    const vta::Dataset& images = required(dataset, "dataset").dataset;
    if (index >= vta_dataset_size(dataset)) {
      fail(ErrorCode::kInvalidArgument, "image {} of a data set of {}", index, images.num_images);
    }
    const vta_tensor_info info = vta::c_api::tensor_info("image", dataset->type);
    vta::c_api::check_buffers("input", {&info, 1}, input, 1);
    vta::c_api::copy_outputs({images.input(static_cast<int64_t>(index))}, input);
  });
}

}  // extern "C"
