// SPDX-License-Identifier: Apache-2.0
#include "sim/tool/part_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "runtime/base/error.h"
#include "runtime/base/file.h"

namespace vta::sim {
namespace fs = std::filesystem;

PartFile::PartFile(const std::string& option, const std::string& path)
    : path_(path), part_(fmt::format("{}.part{}", path, ::getpid())), removed_(part_) {
  // So that a wrong path is known at once.
  with_context(option + " " + path, [&] { write_file(part_, std::string()); });
}

PartFile::~PartFile() {
  std::error_code error;
  const uintmax_t size_bytes = fs::file_size(part_, error);
  if (!error && size_bytes > 0) {
    fs::rename(part_, path_, error);
  } else {
    fs::remove(part_, error);
  }
}

void PartFile::remove() {
  std::error_code error;
  fs::remove(part_, error);
}

}  // namespace vta::sim
