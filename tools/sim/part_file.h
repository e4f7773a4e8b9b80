// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_SIM_PART_FILE_H_
#define VTA_TOOLS_SIM_PART_FILE_H_

#include <memory>
#include <string>

#include "base/command_line/command_line.h"

namespace vta::sim {

// An output file that other code writes incrementally under a temporary name in the same folder.
// finish() or the destructor renames it, unless it is empty. Ctrl-C, SIGTERM, SIGHUP and SIGPIPE
// remove it.
class PartFile {
 public:
  // `option`: the command-line option, for error messages. Errors: kIo if the file cannot be
  // written or `path` exists and is not a regular file.
  PartFile(const std::string& option, const std::string& path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  // The temporary path to write to.
  const std::string& part() const { return removed_.path(); }
  // Renames the file to its final path. Errors: kIo.
  void finish();
  // Deletes the temporary file.
  void remove();

 private:
  const std::string option_, path_;
  const RemovedOnInterruption removed_;
};

}  // namespace vta::sim

#endif  // VTA_TOOLS_SIM_PART_FILE_H_
