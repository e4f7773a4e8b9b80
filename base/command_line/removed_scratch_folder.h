// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_COMMAND_LINE_REMOVED_SCRATCH_FOLDER_H_
#define VTA_BASE_COMMAND_LINE_REMOVED_SCRATCH_FOLDER_H_

#include <optional>

#include "base/command_line/command_line.h"
#include "base/files/scratch_folder.h"

namespace vta {

// A scratch folder that is removed when a signal ends the process, too.
class RemovedScratchFolder {
 public:
  // Errors: kIo, with the system's reason.
  RemovedScratchFolder() : removed_([this] { return folder_.emplace().path().string(); }) {}

  const ScratchFolder& folder() const { return *folder_; }

 private:
  std::optional<ScratchFolder> folder_;
  RemovedOnInterruption removed_;
};

}  // namespace vta

#endif  // VTA_BASE_COMMAND_LINE_REMOVED_SCRATCH_FOLDER_H_
