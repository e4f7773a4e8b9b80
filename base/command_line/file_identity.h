// SPDX-License-Identifier: Apache-2.0
//
// Output files that must not be input files, compared by identity: links and other spellings of a
// path are the same file.
#ifndef VTA_BASE_COMMAND_LINE_FILE_IDENTITY_H_
#define VTA_BASE_COMMAND_LINE_FILE_IDENTITY_H_

#include <filesystem>
#include <string>
#include <vector>

namespace vta {

// True if both paths name one file, which need not exist. Devices do not count: several
// outputs may go to one.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// A file that a command writes, with its option for messages; an empty path stands for none.
struct OutputFile {
  std::string option;  // "--draw"
  std::filesystem::path path;
};

// Throws UsageError (command_line.h) if an output is one of the inputs, or two outputs are one
// file. Paths of inputs may be empty.
void check_outputs(const std::vector<OutputFile>& outputs,
                   const std::vector<std::filesystem::path>& inputs);

}  // namespace vta

#endif  // VTA_BASE_COMMAND_LINE_FILE_IDENTITY_H_
