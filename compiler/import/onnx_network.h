// SPDX-License-Identifier: Apache-2.0
//
// Networks that come as ONNX models, alone or named by a network file.
#ifndef VTA_COMPILER_IMPORT_ONNX_NETWORK_H_
#define VTA_COMPILER_IMPORT_ONNX_NETWORK_H_

#include <filesystem>

#include "compiler/import/network.h"
#include "compiler/import/network_file.h"

namespace vta::import {

// By its suffix, or by its first byte: that of a network file is never the one that ONNX's
// serializer begins with.
bool is_onnx_model(const std::filesystem::path& path);

// The model alone: named after its file, without preprocessing, scales by `mse`. `input_size`:
// height and width of pictures whose size the model leaves open.
// Errors: those of onnx::import_onnx(); kUnsupported for inputs that are no float32 tensors of
// batch 1; kInvalidArgument for a size that is not the model's.
Network load_onnx_model(const std::filesystem::path& path,
                        const std::optional<std::array<int64_t, 2>>& input_size);

// The model as the graph of a network file, whose input says what sizes the model leaves open.
// Errors: as above; kInvalidArgument where the file's input is not the model's.
void load_onnx_graph(const std::filesystem::path& path, const NetworkDescription& description,
                     Network& network);

}  // namespace vta::import

#endif  // VTA_COMPILER_IMPORT_ONNX_NETWORK_H_
