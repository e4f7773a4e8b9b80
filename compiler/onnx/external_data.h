// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_COMPILER_ONNX_EXTERNAL_DATA_H_
#define VTA_COMPILER_ONNX_EXTERNAL_DATA_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace vta::onnx {

// Where a tensor that is stored beside its model lies, as the model's texts say.
struct ExternalData {
  std::string location;                    // a file, relative to the model's folder
  std::string offset_text = "0";           // bytes
  std::optional<std::string> length_text;  // bytes; none: as many as the tensor has
  uint64_t num_bytes = 0;                  // that the tensor has
};

// The tensor's bytes. The file must lie in `folder` or below it, also behind symbolic links.
// Errors: kInvalidArgument for a path that leads elsewhere; kCorrupt for texts that are no numbers
// or do not fit the tensor or the file; kUnsupported without a folder; kNotFound, kIo.
std::string read_external_data(const ExternalData& data,
                               const std::optional<std::filesystem::path>& folder);

}  // namespace vta::onnx

#endif  // VTA_COMPILER_ONNX_EXTERNAL_DATA_H_
