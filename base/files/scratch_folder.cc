// SPDX-License-Identifier: Apache-2.0
#include "base/files/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/errors/error.h"

namespace vta {
namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  if (error) fail(ErrorCode::kIo, "no folder for temporary files ($TMPDIR): {}", error.message());
  std::string name = (place / "vta.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    fail(ErrorCode::kIo, "{}: cannot create the folder: {}", name, std::strerror(errno));
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace vta
