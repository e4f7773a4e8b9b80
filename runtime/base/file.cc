// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "runtime/base/error.h"

namespace vta {
namespace fs = std::filesystem;
namespace {

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
    fail(ErrorCode::kInvalidArgument, "{}: {} bytes, more than the {} that are read", path.string(),
         size_bytes, limit_bytes);
  }
  std::ifstream stream(path, std::ios::binary);
  Bytes bytes(size_bytes, 0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size_bytes));
  if (!stream) fail(ErrorCode::kIo, "{}: cannot be read: {}", path.string(), std::strerror(errno));
  return bytes;
}

// Removes the temporary file unless the rename took place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target)
      : path_(target.string() + ".part" + std::to_string(::getpid())),
        descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {}
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!kept_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool write(const uint8_t* bytes, size_t size_bytes) {
    while (size_bytes > 0) {
      const ssize_t written = ::write(descriptor_, bytes, size_bytes);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes += written;
      size_bytes -= static_cast<size_t>(written);
    }
    return true;
  }
  bool is_open() const { return descriptor_ >= 0; }
  bool rename_to(const fs::path& target) {
    return kept_ = ::rename(path_.c_str(), target.c_str()) == 0;
  }

 private:
  std::string path_;
  int descriptor_;
  bool kept_ = false;
};

}  // namespace

std::vector<uint8_t> read_file(const fs::path& path, uint64_t limit_bytes) {
  return read_all<std::vector<uint8_t>>(path, limit_bytes);
}

std::string read_text_file(const fs::path& path, uint64_t limit_bytes) {
  return read_all<std::string>(path, limit_bytes);
}

void write_file(const fs::path& path, std::span<const uint8_t> bytes) {
  TemporaryFile file(path);
  if (!file.is_open() || !file.write(bytes.data(), bytes.size()) || !file.rename_to(path)) {
    fail(ErrorCode::kIo, "{}: cannot be written: {}", path.string(), std::strerror(errno));
  }
}

void write_file(const fs::path& path, const std::string& text) {
  write_file(path, std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
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
