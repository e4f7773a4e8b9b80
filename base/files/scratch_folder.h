// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_FILES_SCRATCH_FOLDER_H_
#define VTA_BASE_FILES_SCRATCH_FOLDER_H_

#include <filesystem>
#include <string>

namespace vta {

// A new temporary folder, accessible to its owner only; removed with its content at the end of the
// scope.
class ScratchFolder {
 public:
  // Errors: kIo, with the system's reason.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // The path of `name` in the folder.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace vta

#endif  // VTA_BASE_FILES_SCRATCH_FOLDER_H_
