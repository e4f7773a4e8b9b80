// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/part_file.h"

#include <filesystem>

#include "base/errors/error.h"
#include "base/files/file.h"

namespace vta::sim {
namespace fs = std::filesystem;

namespace {

// Creating the file now reports a wrong path before the run.
std::string make_part(const std::string& option, const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    fail(ErrorCode::kIo, "{} {}: exists and is not a regular file", option, path);
  return with_context(option + " " + path, [&] { return make_temporary_beside(path).string(); });
}

}  // namespace

PartFile::PartFile(const std::string& option, const std::string& path)
    : option_(option),
      path_(with_context(option, [&] { return link_target(path).string(); })),
      removed_([&] { return make_part(option, path_); }) {}

PartFile::~PartFile() {
  try {
    finish();
  } catch (const Error&) {  // the run has failed too, and its error is the one to report
  }
}

void PartFile::finish() {
  std::error_code error;
  const uintmax_t size_bytes = fs::file_size(part(), error);
  if (error) return;  // already renamed or removed
  if (size_bytes > 0) fs::rename(part(), path_, error);
  if (size_bytes > 0 && !error) return;
  const std::string reason = error.message();
  const bool is_lost = size_bytes > 0;
  fs::remove(part(), error);
  if (is_lost) fail(ErrorCode::kIo, "{} {}: {}", option_, path_, reason);
}

void PartFile::remove() {
  std::error_code error;
  fs::remove(part(), error);
}

}  // namespace vta::sim
