// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/chip_database.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/errors/error.h"

namespace vta::router {
namespace {

constexpr int32_t kMagic = 0x00ca7ca7;
constexpr int32_t kVersion = 6;

// The chip, if all of its header lies within `bytes`.
const chipdb::Chip* chip_in(const void* file, size_t bytes) {
  if (bytes < sizeof(chipdb::Reference<chipdb::Chip>)) return nullptr;
  const auto* reference = static_cast<const chipdb::Reference<chipdb::Chip>*>(file);
  if (reference->offset < 0 ||
      static_cast<size_t>(reference->offset) + sizeof(chipdb::Chip) > bytes)
    return nullptr;
  return reference->get();
}

void check(const chipdb::Chip* chip, const std::filesystem::path& file) {
  if (chip == nullptr || chip->magic != kMagic)
    fail(ErrorCode::kCorrupt, "{}: not a chip database of nextpnr-himbaechel", file.string());
  if (chip->version != kVersion)
    fail(ErrorCode::kUnsupported,
         "{}: version {} of nextpnr's chip databases; this router reads version {}", file.string(),
         chip->version, kVersion);
  if (std::string_view(chip->architecture.get()) != "xilinx")
    fail(ErrorCode::kUnsupported, "{}: a chip of the architecture {}; expected xilinx",
         file.string(), chip->architecture.get());
}

}  // namespace

ChipDatabase::ChipDatabase(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0)
    fail(ErrorCode::kIo, "{}: {}", file.string(), std::strerror(errno));
  bytes_ = static_cast<size_t>(status.st_size);
  mapped_ =
      bytes_ == 0 ? MAP_FAILED : ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  ::close(descriptor);
  if (mapped_ == MAP_FAILED)
    fail(ErrorCode::kIo, "{}: cannot be mapped into memory", file.string());
  chip_ = chip_in(mapped_, bytes_);
  try {
    check(chip_, file);
  } catch (...) {
    ::munmap(mapped_, bytes_);
    throw;
  }
  int32_t number = chip_->strings->first;
  for (const auto& text : chip_->strings->texts) numbers_.emplace(text.get(), number++);
}

ChipDatabase::~ChipDatabase() { ::munmap(mapped_, bytes_); }

std::string_view ChipDatabase::name(int32_t number) const {
  const chipdb::Strings& strings = *chip_->strings;
  return number < strings.first ? ""
                                : strings.texts[static_cast<size_t>(number - strings.first)].get();
}

int32_t ChipDatabase::number_of(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? -1 : found->second;
}

}  // namespace vta::router
