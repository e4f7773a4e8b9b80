// SPDX-License-Identifier: Apache-2.0
#include "driver/linux/attribute.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/numbers/parse_number.h"
#include "driver/linux/file_descriptor.h"

namespace vta::driver {
namespace {

constexpr size_t kMaxAttributeBytes = 4096;  // a page

}  // namespace

std::string read_attribute(const std::filesystem::path& path) {
  const FileDescriptor file = open_file(path, O_RDONLY);
  std::string text(kMaxAttributeBytes, '\0');
  const ssize_t length = ::read(file.get(), text.data(), text.size());
  if (length < 0) fail_with_reason("read", path, errno);
  text.resize(static_cast<size_t>(length));
  const size_t last = text.find_last_not_of(" \n\t\0");
  text.resize(last == std::string::npos ? 0 : last + 1);
  return text;
}

uint64_t read_number_attribute(const std::filesystem::path& path) {
  const std::string text = read_attribute(path);
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  const auto value =
      parse_number<uint64_t>(std::string_view(text).substr(is_hex ? 2 : 0), is_hex ? 16 : 10);
  if (!value) {
    fail(ErrorCode::kIo, "{}: expected an unsigned integer, got '{}'", path.string(), text);
  }
  return *value;
}

void write_attribute(const std::filesystem::path& path, const std::string& text) {
  // Truncates the regular files of tests; sysfs ignores it.
  const FileDescriptor file = open_file(path, O_WRONLY | O_TRUNC);
  const ssize_t length = ::write(file.get(), text.data(), text.size());
  if (length < 0) fail_with_reason("write", path, errno);
  if (static_cast<size_t>(length) != text.size()) {
    fail(ErrorCode::kIo, "cannot write {}: the kernel accepted {} of {} bytes", path.string(),
         length, text.size());
  }
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end(), comes_before);
  return names;
}

bool comes_before(const std::string& a, const std::string& b) {
  const auto digits = [](const std::string& name) {
    const size_t last = name.find_last_not_of("0123456789");
    return last == std::string::npos ? size_t{0} : last + 1;
  };
  const std::string_view stem_a = std::string_view(a).substr(0, digits(a));
  const std::string_view stem_b = std::string_view(b).substr(0, digits(b));
  if (stem_a != stem_b) return stem_a < stem_b;
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace vta::driver
