// SPDX-License-Identifier: Apache-2.0
#include "compiler/onnx/external_data.h"

#include <algorithm>
#include <fstream>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/files/file_roles.h"
#include "base/numbers/parse_number.h"
#include "compiler/onnx/model.h"

namespace vta::onnx {
namespace {

namespace fs = std::filesystem;

uint64_t number_of(const char* key, const std::string& text) {
  const auto value = parse_number<uint64_t>(text);
  if (!value) {
    fail(ErrorCode::kCorrupt, "external data: {} '{}' is not a number of bytes", key,
         printable(text));
  }
  return *value;
}

fs::path resolve(const std::string& location, const fs::path& folder) {
  std::error_code error;
  const fs::path base = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) fail(ErrorCode::kNotFound, "folder {} does not exist", folder.string());
  const fs::path wanted(location);
  const bool climbs = std::find(wanted.begin(), wanted.end(), "..") != wanted.end();
  const fs::path path = fs::weakly_canonical(base / wanted, error);
  const fs::path inside = path.lexically_relative(base);
  if (location.empty() || location.find('\0') != std::string::npos || wanted.is_absolute() ||
      climbs || error || inside.empty() || *inside.begin() == "..") {
    fail(ErrorCode::kInvalidArgument,
         "external data: location '{}' is not a file in the model's folder", printable(location));
  }
  if (!fs::is_regular_file(path, error)) {
    fail(ErrorCode::kNotFound, "external data: no such file: {}", path.string());
  }
  return path;
}

}  // namespace

std::string read_external_data(const ExternalData& data, const std::optional<fs::path>& folder) {
  if (!folder) {
    fail(ErrorCode::kUnsupported, "external data is not supported for a model that is not a file");
  }
  const uint64_t offset = number_of("offset", data.offset_text);
  const uint64_t length =
      data.length_text ? number_of("length", *data.length_text) : data.num_bytes;
  if (length != data.num_bytes) {
    fail(ErrorCode::kCorrupt, "external data: length {}, the tensor has {}", length,
         counted(data.num_bytes, "byte"));
  }
  const fs::path path = resolve(data.location, *folder);
  std::error_code error;
  const uint64_t file_bytes = fs::file_size(path, error);
  if (error || offset > file_bytes || length > file_bytes - offset) {
    fail(ErrorCode::kCorrupt, "external data: {} has {}, the tensor needs {} from byte {} on",
         path.string(), counted(file_bytes, "byte"), length, offset);
  }
  note_input(path);
  std::string bytes(length, '\0');
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(bytes.data(), static_cast<std::streamsize>(length));
  if (!file) fail(ErrorCode::kIo, "external data: cannot read {}", path.string());
  return bytes;
}

}  // namespace vta::onnx
