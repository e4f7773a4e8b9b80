// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_DRIVER_LINUX_FILE_DESCRIPTOR_H_
#define VTA_DRIVER_LINUX_FILE_DESCRIPTOR_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/errors/error.h"

namespace vta::driver {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  int get() const { return fd_; }

 private:
  int fd_;
};

// Throws kIo: "cannot VERB PATH: reason", with a cure if permission is missing.
[[noreturn]] void fail_with_reason(const char* verb, const std::filesystem::path& path, int error);

// Opens a file, close-on-exec. Errors: kNotFound, kIo.
FileDescriptor open_file(const std::filesystem::path& path, int flags);

// Another descriptor of an open file, close-on-exec; it shares the file's lock.
FileDescriptor duplicate(const FileDescriptor& file);

// Locks the file exclusively. Errors: kDevice if another process has locked it, naming `path`.
void lock_file(const FileDescriptor& file, const std::filesystem::path& path);

// A shared, readable and writable mapping of a file or device.
class Mapping {
 public:
  // Errors: kIo, naming `path`.
  Mapping(const FileDescriptor& file, uint64_t offset_bytes, uint64_t size_bytes,
          const std::filesystem::path& path);
  ~Mapping();
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&&) = delete;

  uint8_t* data() const { return data_; }
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  uint8_t* data_;
  uint64_t size_bytes_;
};

uint64_t page_bytes();

}  // namespace vta::driver

#endif  // VTA_DRIVER_LINUX_FILE_DESCRIPTOR_H_
