// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "runtime/base/error.h"

namespace vta {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  fail(ErrorCode::kIo, "{}: cannot write: {}", path.string(), std::strerror(error));
}

template <typename Bytes>
Bytes read_all(const fs::path& path, uint64_t limit_bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) fail(ErrorCode::kNotFound, "{}: no such file", path.string());
  if (!fs::is_regular_file(status))
    fail(ErrorCode::kInvalidArgument, "{}: not a regular file", path.string());
  const uint64_t size_bytes = fs::file_size(path, error);
  if (error) fail(ErrorCode::kIo, "{}: {}", path.string(), error.message());
  if (size_bytes > limit_bytes) {
    fail(ErrorCode::kInvalidArgument, "{}: {} bytes, at most {} are supported", path.string(),
         size_bytes, limit_bytes);
  }
  std::ifstream stream(path, std::ios::binary);
  Bytes bytes(size_bytes, 0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size_bytes));
  if (!stream) fail(ErrorCode::kIo, "{}: cannot read: {}", path.string(), std::strerror(errno));
  return bytes;
}

// A file opened for writing; errno holds the reason on failure.
class WrittenFile {
 public:
  WrittenFile(const fs::path& path, int flags)
      : descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666)) {}
  ~WrittenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  WrittenFile(const WrittenFile&) = delete;
  WrittenFile& operator=(const WrittenFile&) = delete;

  bool write(std::span<const uint8_t> bytes) {
    if (descriptor_ < 0) return false;
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return true;
  }
  void set_permissions(fs::perms permissions) {
    const auto mode = static_cast<mode_t>(permissions & fs::perms::mask);
    if (descriptor_ >= 0 && ::fchmod(descriptor_, mode) != 0)
      errno = 0;  // not permitted: keep ours
  }

 private:
  int descriptor_;
};

// Removes the temporary file unless the rename took place.
class TemporaryFile : public WrittenFile {
 public:
  explicit TemporaryFile(const fs::path& target)
      : WrittenFile(name_beside(target), O_CREAT | O_TRUNC), path_(name_beside(target)) {}
  ~TemporaryFile() {
    if (!kept_) ::unlink(path_.c_str());
  }

  bool rename_to(const fs::path& target) {
    return kept_ = ::rename(path_.c_str(), target.c_str()) == 0;
  }

 private:
  static std::string name_beside(const fs::path& target) {
    return target.string() + ".part" + std::to_string(::getpid());
  }

  const std::string path_;
  bool kept_ = false;
};

bool replace_file(const fs::path& path, fs::perms permissions, std::span<const uint8_t> bytes) {
  TemporaryFile file(path);
  if (permissions != fs::perms::unknown) file.set_permissions(permissions);
  return file.write(bytes) && file.rename_to(path);
}

}  // namespace

std::vector<uint8_t> read_file(const fs::path& path, uint64_t limit_bytes) {
  return read_all<std::vector<uint8_t>>(path, limit_bytes);
}

std::string read_text_file(const fs::path& path, uint64_t limit_bytes) {
  return read_all<std::string>(path, limit_bytes);
}

fs::path link_target(const fs::path& path) {
  constexpr int kMaxLinks = 40;  // as Linux
  std::error_code error;
  fs::path file = path;
  for (int links = 0; fs::is_symlink(fs::symlink_status(file, error)); ++links) {
    if (links == kMaxLinks) fail_to_write(path, ELOOP);
    file = file.parent_path() / fs::read_symlink(file, error);
  }
  return file;
}

void write_file(const fs::path& path, std::span<const uint8_t> bytes) {
  std::error_code error;
  const fs::file_status old = fs::status(path, error);  // follows links
  bool written = false;
  if (fs::exists(old) && !fs::is_regular_file(old)) {
    written = WrittenFile(path, 0).write(bytes);
  } else {
    written = replace_file(link_target(path),
                           fs::exists(old) ? old.permissions() : fs::perms::unknown, bytes);
  }
  if (!written) fail_to_write(path, errno);
}

void write_file(const fs::path& path, const std::string& text) {
  write_file(path, std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(ErrorCode::kIo, "cannot create {}: {}", folder.string(), error.message());
}

fs::path find_file(const std::string& name, const std::vector<fs::path>& folders) {
  std::error_code error;
  if (fs::exists(name, error)) return name;
  std::string tried = name;
  if (!fs::path(name).is_absolute()) {
    for (const fs::path& folder : folders) {
      const fs::path candidate = folder / name;
      if (fs::exists(candidate, error)) return candidate;
      tried += ", " + candidate.string();
    }
  }
  fail(ErrorCode::kNotFound, "{}: no such file (tried {})", name, tried);
}

}  // namespace vta
