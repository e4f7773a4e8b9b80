// SPDX-License-Identifier: Apache-2.0
//
// Networks from ONNX models, standalone or named by a network file.
#ifndef VTA_COMPILER_IMPORT_ONNX_NETWORK_H_
#define VTA_COMPILER_IMPORT_ONNX_NETWORK_H_

#include <filesystem>
#include <string>

#include "compiler/import/network.h"
#include "compiler/import/network_file.h"
#include "compiler/onnx/model.h"

namespace vta::import {

// Tells an ONNX model by its suffix or its first byte, which no network file begins with.
bool is_onnx_model(const std::filesystem::path& path);

// A standalone model: named after its file, without preprocessing, scales by `mse`. Axes of a
// declared size keep it, the first ones too. Of `options`: the sizes that the model leaves open
// (open_sizes.h), and the layout of images; absent: as their axes look. Errors: as
// onnx::import_onnx(); kUnsupported for int8 inputs and for an open first axis that is not shown to
// be a batch; kInvalidArgument for a size that contradicts the model.
Network load_onnx_model(const std::filesystem::path& path, const NetworkOptions& options);

// The same of a model that is not a file.
Network network_of(const std::string& name, onnx::Model model, const NetworkOptions& options);

// The model that a network file names. The file's input sets the sizes that the model leaves open.
// Errors: as above; kInvalidArgument if the file's input does not match the model's.
void load_onnx_graph(const std::filesystem::path& path, const NetworkDescription& description,
                     Network& network);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_ONNX_NETWORK_H_
