// SPDX-License-Identifier: Apache-2.0
#include "sim/cycle/model_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/files/content_key.h"
#include "base/files/file.h"
#include "base/files/file_roles.h"

namespace vta::sim {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kSeal = "\nvta model library, sha256 ";
constexpr size_t kDigits = 64;
constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
constexpr auto kOldest = std::chrono::hours(1);  // of a build; one takes seconds

std::string seal_of(std::span<const uint8_t> library) {
  return std::string(kSeal) + ContentKey().add(library).text();
}

void check_owner(const fs::path& path, const struct stat& status, const char* what) {
  if (status.st_uid == ::geteuid()) return;
  fail(ErrorCode::kIo,
       "{}: a {} of user {}, whose code would be executed as user {}; choose another folder by "
       "$XDG_CACHE_HOME or explore's --cache",
       path.string(), what, status.st_uid, ::geteuid());
}

// "NAME.part" and 16 digits, as make_temporary_beside() names files.
bool is_part(const fs::path& file) {
  const std::string suffix = file.extension();
  constexpr std::string_view kPart = ".part";
  return suffix.size() == kPart.size() + 16 && suffix.starts_with(kPart) &&
         suffix.find_first_not_of("0123456789abcdef", kPart.size()) == std::string::npos;
}

void remove_old_parts(const fs::path& folder) {
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    const fs::file_time_type written = entry->last_write_time(gone);
    if (!gone && is_part(entry->path()) && now - written > kOldest) fs::remove(entry->path(), gone);
  }
}

struct Descriptor {
  explicit Descriptor(const fs::path& file, int flags = O_RDONLY | O_NONBLOCK)
      : number(::open(file.c_str(), flags | O_CLOEXEC | O_NOFOLLOW)) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  // The file that was opened, whatever its name leads to now.
  std::string path() const { return fmt::format("/proc/self/fd/{}", number); }
  const int number;
};

}  // namespace

void make_library_folder(const fs::path& folder) {
  if (folder.has_parent_path()) make_folder(folder.parent_path());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    fail(ErrorCode::kIo, "cannot create {}: {}", folder.string(), std::strerror(errno));
  }
  struct stat status = {};
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    fail(ErrorCode::kIo, "{}: not a folder", folder.string());
  check_owner(folder, status, "folder");
  if ((status.st_mode & kOthersWrite) != 0) {
    fail(ErrorCode::kIo,
         "{}: mode {:04o} lets others put code here that would be executed; chmod go-w it",
         folder.string(), status.st_mode & 0777);
  }
  remove_old_parts(folder);
}

void seal_library(const fs::path& file) {
  const ReadsOwn cache;
  const std::string seal = seal_of(read_file(file));
  const Descriptor library(file, O_WRONLY | O_APPEND);
  if (library.number < 0 ||
      ::write(library.number, seal.data(), seal.size()) != static_cast<ssize_t>(seal.size()))
    fail(ErrorCode::kIo, "{}: cannot write: {}", file.string(), std::strerror(errno));
  std::error_code error;
  fs::permissions(file, fs::perms::owner_all, error);  // whatever the umask
  if (error) fail(ErrorCode::kIo, "{}: {}", file.string(), error.message());
}

void* load_library(const fs::path& file) {
  const Descriptor opened(file);
  struct stat status = {};
  if (opened.number < 0 || ::fstat(opened.number, &status) != 0 || !S_ISREG(status.st_mode))
    return nullptr;
  check_owner(file, status, "library");
  if ((status.st_mode & kOthersWrite) != 0) return nullptr;
  const ReadsOwn cache;
  const std::vector<uint8_t> bytes = read_file(opened.path());
  constexpr size_t kSealBytes = kSeal.size() + kDigits;
  if (bytes.size() < kSealBytes) return nullptr;
  const auto library = std::span(bytes).first(bytes.size() - kSealBytes);
  const auto seal = std::span(bytes).last(kSealBytes);
  if (std::string(seal.begin(), seal.end()) != seal_of(library)) return nullptr;
  // By its own name: the loader knows libraries by names, and that of a descriptor is used again.
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = ::dlerror();
    fail(ErrorCode::kIo, "{}: cannot be loaded: {}", file.string(),
         why == nullptr ? "unknown reason" : why);
  }
  return handle;
}

}  // namespace vta::sim
