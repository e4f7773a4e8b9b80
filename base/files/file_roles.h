// SPDX-License-Identifier: Apache-2.0
//
// What a command reads and writes, by device and inode, so that no input is overwritten. Each file
// that this process opens for reading is compared with the outputs that it has claimed; each file
// that it replaces with those that it has read. Only tools claim outputs; in a process that has
// claimed none, nothing is recorded and nothing is refused.
#ifndef VTA_BASE_FILES_FILE_ROLES_H_
#define VTA_BASE_FILES_FILE_ROLES_H_

#include <sys/stat.h>

#include <filesystem>
#include <string>

namespace vta {

// From now on, the inputs of this process are recorded.
void record_inputs();

// How a command writes an output: a continued one is read first, and then appended to.
enum class OutputKind { kReplaced, kContinued };

// A file that the command will write. `option`: "--draw", for messages.
void claim_output(const std::string& option, const std::filesystem::path& path,
                  OutputKind kind = OutputKind::kReplaced);

// Every reader calls this after it has opened a file, before it reads. Errors: kInvalidArgument if
// the file is an output.
void note_input(const std::filesystem::path& path, const struct stat& opened);
// For files that another library or process opens. Nothing if there is no such file.
void note_input(const std::filesystem::path& path);

// Every writer calls this before it replaces a file. Errors: kInvalidArgument if it was read.
void refuse_input(const std::filesystem::path& path);

// While an object lives, its thread reads files that the program itself keeps, logs that it
// continues and caches: they are not inputs. Their readers know the format, and refuse other files.
class ReadsOwn {
 public:
  ReadsOwn();
  ~ReadsOwn();
  ReadsOwn(const ReadsOwn&) = delete;
  ReadsOwn& operator=(const ReadsOwn&) = delete;
};

}  // namespace vta

#endif  // VTA_BASE_FILES_FILE_ROLES_H_
