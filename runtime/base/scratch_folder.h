// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_RUNTIME_BASE_SCRATCH_FOLDER_H_
#define VTA_RUNTIME_BASE_SCRATCH_FOLDER_H_

#include <filesystem>
#include <string>

namespace vta {

// A folder of its owner alone among the system's temporary files: empty at first, removed with
// whatever is in it at the end of the scope.
class ScratchFolder {
 public:
  // Errors: kIo, with the system's reason.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // What `name`, relative to the folder, is called from outside.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace vta

#endif  // VTA_RUNTIME_BASE_SCRATCH_FOLDER_H_
