// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_EXTERNAL_DATA_H_
#define VTA_COMPILER_ONNX_EXTERNAL_DATA_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace vta::onnx {

// The location of a tensor that is stored outside the model's file; texts as in the model.
struct ExternalData {
  std::string location;                    // a file, relative to the model's folder
  std::string offset_text = "0";           // bytes
  std::optional<std::string> length_text;  // bytes; none: the size of the tensor
  uint64_t num_bytes = 0;                  // the size of the tensor
};

// The tensor's bytes. After symbolic links are resolved, the file must be in `folder` or below it.
// Errors: kInvalidArgument for a path outside; kCorrupt for texts that are not numbers or do not
// fit the tensor or the file; kUnsupported without a folder; kNotFound, kIo.
std::string read_external_data(const ExternalData& data,
                               const std::optional<std::filesystem::path>& folder);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_EXTERNAL_DATA_H_
