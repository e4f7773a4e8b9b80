// SPDX-License-Identifier: Apache-2.0
#include "base/files/file_roles.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors/error.h"

namespace vta {
namespace fs = std::filesystem;
namespace {

using Identity = std::pair<dev_t, ino_t>;

struct Output {
  std::string option;
  fs::path path;
  OutputKind kind;
  std::optional<Identity> identity;  // of the file that is there before the command
};

struct Roles {
  std::mutex mutex;
  bool are_recorded = false;
  std::vector<Output> outputs;
  std::map<Identity, fs::path> inputs;
};

// ReadsOwn objects of this thread.
thread_local int reads_own = 0;

Roles& roles() {
  static Roles instance;
  return instance;
}

// nullopt if it is not a regular file; devices and pipes may be both.
std::optional<Identity> identity_of(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return Identity(status.st_dev, status.st_ino);
}

std::optional<Identity> identity_of(const fs::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return identity_of(status);
}

// Null if none has it: the inode of a file that is gone may be another file's now.
const fs::path* input_with(const std::optional<Identity>& identity) {
  const auto input = identity ? roles().inputs.find(*identity) : roles().inputs.end();
  if (input == roles().inputs.end() || identity_of(input->second) != identity) return nullptr;
  return &input->second;
}

}  // namespace

void record_inputs() {
  const std::lock_guard lock(roles().mutex);
  roles().are_recorded = true;
}

void claim_output(const std::string& option, const fs::path& path, OutputKind kind) {
  const std::lock_guard lock(roles().mutex);
  const std::optional<Identity> identity = identity_of(path);
  if (const fs::path* input = input_with(identity)) {
    fail(ErrorCode::kInvalidArgument, "{} {} is the input {}, which would be overwritten", option,
         path.string(), input->string());
  }
  roles().outputs.push_back({option, path, kind, identity});
}

void note_input(const fs::path& path, const struct stat& opened) {
  const std::optional<Identity> identity = identity_of(opened);
  if (!identity) return;
  const std::lock_guard lock(roles().mutex);
  if (!roles().are_recorded) return;
  const bool is_own = reads_own > 0;
  for (const Output& output : roles().outputs) {
    if (output.identity != identity && identity_of(output.path) != identity) continue;
    if (output.kind == OutputKind::kContinued && is_own) return;
    fail(ErrorCode::kInvalidArgument, "{} {} is the input {}, which would be overwritten",
         output.option, output.path.string(), path.string());
  }
  if (!is_own) roles().inputs.insert_or_assign(*identity, path);
}

void note_input(const fs::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) note_input(path, status);
}

void refuse_input(const fs::path& path) {
  const std::lock_guard lock(roles().mutex);
  const std::optional<Identity> identity = identity_of(path);
  if (const fs::path* input = input_with(identity)) {
    fail(ErrorCode::kInvalidArgument, "{} is the input {}, which would be overwritten",
         path.string(), input->string());
  }
  // The file goes, and its inode may become another file's.
  for (Output& output : roles().outputs) {
    if (output.identity == identity) output.identity.reset();
  }
}

ReadsOwn::ReadsOwn() { ++reads_own; }

ReadsOwn::~ReadsOwn() { --reads_own; }

}  // namespace vta
