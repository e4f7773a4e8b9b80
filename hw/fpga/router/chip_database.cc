// SPDX-License-Identifier: Apache-2.0
#include "hw/fpga/router/chip_database.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/errors/error.h"
#include "base/errors/printable.h"
#include "base/files/file_roles.h"
#include "hw/fpga/router/chip_check.h"

namespace vta::router {
namespace {

constexpr int32_t kMagic = 0x00ca7ca7;
constexpr int32_t kVersion = 6;

// The chip, whose contents have been checked.
const chipdb::Chip* checked_chip(std::span<const char> file) {
  const auto* reference = reinterpret_cast<const chipdb::Reference<chipdb::Chip>*>(file.data());
  const bool has_chip =
      file.size() >= sizeof *reference && reference->offset >= 0 &&
      static_cast<size_t>(reference->offset) + sizeof(chipdb::Chip) <= file.size();
  if (!has_chip || (*reference)->magic != kMagic)
    fail(ErrorCode::kCorrupt, "not a chip database of nextpnr-himbaechel");
  const chipdb::Chip& chip = **reference;
  if (chip.version != kVersion)
    fail(ErrorCode::kUnsupported,
         "version {} of nextpnr's chip databases; this router reads version {}", chip.version,
         kVersion);
  const std::string_view architecture = checked_text(chip.architecture, file);
  if (architecture != "xilinx")
    fail(ErrorCode::kUnsupported, "a chip of the architecture {}; expected xilinx",
         printable_line(std::string(architecture.substr(0, 40))));
  checked_text(chip.name, file);
  check_contents(chip, file);
  return &chip;
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
  try {
    note_input(file, status);
    const std::span bytes(static_cast<const char*>(mapped_), bytes_);
    chip_ = with_context(file.string(), [&] { return checked_chip(bytes); });
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
