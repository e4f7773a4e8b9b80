// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_SIM_TOOL_PART_FILE_H_
#define VTA_SIM_TOOL_PART_FILE_H_

#include <memory>
#include <string>

#include "runtime/base/command_line.h"

namespace vta::sim {

// A file that is written bit by bit, by somebody else, under another name beside its place. It gets
// its own at finish(), or when this is gone, if it has any bytes; Ctrl-C leaves none.
class PartFile {
 public:
  // `option`: what the user named the file with, for messages. Errors: kIo if it cannot be written,
  // or something else than a file has its name.
  PartFile(const std::string& option, const std::string& path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  // Where it is written.
  const std::string& part() const { return part_; }
  // Gives it its name. Errors: kIo.
  void finish();
  // There is to be no file.
  void remove();

 private:
  const std::string option_, path_, part_;
  const RemovedOnInterruption removed_;
};

}  // namespace vta::sim

#endif  // VTA_SIM_TOOL_PART_FILE_H_
