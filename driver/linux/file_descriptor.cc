// SPDX-License-Identifier: Apache-2.0
#include "driver/linux/file_descriptor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace vta::driver {

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

void fail_with_reason(const char* verb, const std::filesystem::path& path, int error) {
  const bool is_permission = error == EACCES || error == EPERM;
  fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "cannot {} {}: {}{}", verb,
       path.string(), std::strerror(error), is_permission ? "; run as root" : "");
}

FileDescriptor open_file(const std::filesystem::path& path, int flags) {
  FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC));
  if (file.get() < 0) fail_with_reason("open", path, errno);
  return file;
}

FileDescriptor duplicate(const FileDescriptor& file) {
  return FileDescriptor(::fcntl(file.get(), F_DUPFD_CLOEXEC, 0));
}

void lock_file(const FileDescriptor& file, const std::filesystem::path& path) {
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) fail_with_reason("lock", path, errno);
  fail(ErrorCode::kDevice, "{} is in use by another process", path.string());
}

Mapping::Mapping(const FileDescriptor& file, uint64_t offset_bytes, uint64_t size_bytes,
                 const std::filesystem::path& path)
    : size_bytes_(size_bytes) {
  if (size_bytes > SIZE_MAX) {
    fail(ErrorCode::kIo,
         "cannot map {} bytes of {}: the address space of this process ends at {:#x}", size_bytes,
         path.string(), SIZE_MAX);
  }
  void* const data = ::mmap(nullptr, static_cast<size_t>(size_bytes), PROT_READ | PROT_WRITE,
                            MAP_SHARED, file.get(), static_cast<off_t>(offset_bytes));
  if (data == MAP_FAILED) {
    fail(ErrorCode::kIo, "cannot map {} bytes at {:#x} of {}: {}", size_bytes, offset_bytes,
         path.string(), std::strerror(errno));
  }
  data_ = static_cast<uint8_t*>(data);
}

Mapping::~Mapping() {
  if (data_ != nullptr) ::munmap(data_, static_cast<size_t>(size_bytes_));
}

Mapping::Mapping(Mapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_bytes_(other.size_bytes_) {}

uint64_t page_bytes() { return static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)); }

}  // namespace vta::driver
