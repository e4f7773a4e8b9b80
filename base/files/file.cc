// SPDX-License-Identifier: Apache-2.0
#include "base/files/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/errors/printable.h"
#include "base/files/file_roles.h"

namespace vta {
namespace fs = std::filesystem;
namespace {

// The system ends a path at a NUL: another file would be opened.
void refuse_nul(const fs::path& path) {
  const size_t position = path.native().find('\0');
  if (position == std::string::npos) return;
  fail(ErrorCode::kInvalidArgument, "{}: a path with a NUL, at byte {}",
       printable_line(path.native()), position);
}

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  fail(ErrorCode::kIo, "{}: cannot write: {}", path.string(), std::strerror(error));
}

[[noreturn]] void fail_to_read(const fs::path& path, int error) {
  fail(ErrorCode::kIo, "{}: cannot read: {}", path.string(), std::strerror(error));
}

// An open file: what happens to its path meanwhile does not matter.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return descriptor_; }
  // Some file systems report a failed write only now. Returns the system's error, 0 for none.
  int close() { return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno; }

 private:
  int descriptor_;
};

// Reads one file from its first to its last byte, also if another one takes its place meanwhile.
template <typename Bytes>
Bytes read_all(const fs::path& path, uint64_t limit_bytes) {
  refuse_nul(path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR)
      fail(ErrorCode::kNotFound, "{}: no such file", path.string());
    fail_to_read(path, error);
  }
  if (!S_ISREG(status.st_mode))
    fail(ErrorCode::kInvalidArgument, "{}: not a regular file", path.string());
  note_input(path, status);
  const auto size_bytes = static_cast<uint64_t>(status.st_size);
  if (size_bytes > limit_bytes) {
    fail(ErrorCode::kInvalidArgument, "{}: {} bytes, at most {} are supported", path.string(),
         size_bytes, limit_bytes);
  }
  Bytes bytes(size_bytes, 0);
  for (size_t done = 0; done < size_bytes;) {
    const ssize_t count = ::read(file.get(), bytes.data() + done, size_bytes - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_to_read(path, errno);
    if (count == 0)
      fail(ErrorCode::kIo, "{}: cannot read: ends after {} of {}", path.string(), done,
           counted(size_bytes, "byte"));
    done += static_cast<size_t>(count);
  }
  return bytes;
}

// These return the system's error, 0 for none: errno would not outlive the calls that clean up.
int write_all(const Descriptor& file, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return 0;
}

struct TemporaryFile {
  int descriptor = -1, error = 0;
  fs::path path;
};

// Creates a file beside `target` that no other thread, process or container has: process ids are
// not unique in a folder that containers share.
TemporaryFile create_beside(const fs::path& target) {
  constexpr int kMaxAttempts = 100;
  constexpr size_t kMaxStem = 200;  // of the 255 bytes of a name
  TemporaryFile file;
  std::random_device random;
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    file.path = target.parent_path() / fmt::format("{}.part{:08x}{:08x}",
                                                   target.filename().string().substr(0, kMaxStem),
                                                   random(), random());
    file.descriptor =
        ::open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    file.error = file.descriptor >= 0 ? 0 : errno;
    if (file.error != EEXIST) break;
  }
  return file;
}

int replace_file(const fs::path& path, fs::perms permissions, std::span<const uint8_t> bytes) {
  const TemporaryFile temporary = create_beside(path);
  if (temporary.error != 0) return temporary.error;
  Descriptor file(temporary.descriptor);
  // Ours remain where the file system does not let us set them.
  if (permissions != fs::perms::unknown)
    (void)!::fchmod(file.get(), static_cast<mode_t>(permissions & fs::perms::mask));
  int error = write_all(file, bytes);
  if (error == 0) error = file.close();
  if (error == 0 && ::rename(temporary.path.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(temporary.path.c_str());
  return error;
}

int write_in_place(const fs::path& path, std::span<const uint8_t> bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file.get() < 0 ? errno : write_all(file, bytes);
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
  refuse_nul(path);
  refuse_input(path);
  std::error_code error;
  const fs::file_status old = fs::status(path, error);  // follows links
  const bool in_place = fs::exists(old) && !fs::is_regular_file(old);
  const int failed =
      in_place ? write_in_place(path, bytes)
               : replace_file(link_target(path),
                              fs::exists(old) ? old.permissions() : fs::perms::unknown, bytes);
  if (failed != 0) fail_to_write(path, failed);
}

void write_file(const fs::path& path, const std::string& text) {
  write_file(path, std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

fs::path make_temporary_beside(const fs::path& target) {
  refuse_nul(target);
  refuse_input(target);
  const TemporaryFile file = create_beside(target);
  if (file.error != 0) fail_to_write(target, file.error);
  std::error_code error;
  const fs::file_status old = fs::status(target, error);
  if (fs::is_regular_file(old))
    (void)!::fchmod(file.descriptor, static_cast<mode_t>(old.permissions() & fs::perms::mask));
  ::close(file.descriptor);
  return file.path;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(ErrorCode::kIo, "cannot create {}: {}", folder.string(), error.message());
}

fs::path find_file(const std::string& name, const std::vector<fs::path>& folders) {
  refuse_nul(name);
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
