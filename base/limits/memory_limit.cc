// SPDX-License-Identifier: Apache-2.0
#include "base/limits/memory_limit.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>

#include "base/errors/error.h"

namespace vta {
namespace {

uint64_t half_of_the_machine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return UINT64_MAX;
  return static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes) / 2;
}

std::atomic<uint64_t>& limit() {
  static std::atomic<uint64_t> bytes = half_of_the_machine();
  return bytes;
}
std::atomic<uint64_t> in_use = 0;

[[noreturn]] void refuse(const std::string& object, uint64_t size_bytes, uint64_t used_bytes) {
  fail(ErrorCode::kOutOfMemory,
       "{} needs {} bytes; {} are in use, and the limit is {} (--memory-limit)", object, size_bytes,
       used_bytes, memory_limit_bytes());
}

}  // namespace

uint64_t memory_limit_bytes() { return limit(); }
void set_memory_limit_bytes(uint64_t limit_bytes) { limit() = limit_bytes; }

uint64_t parse_memory_size(const std::string& text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const std::string unit(stop, end);
  constexpr std::string_view kUnits = "KMGT";
  const size_t power = unit.empty() ? 0 : kUnits.find(unit[0]) + 1;
  if (error != std::errc() || unit.size() > 1 || (power == 0 && !unit.empty()) || number == 0 ||
      number > UINT64_MAX >> 10 * power) {
    fail(ErrorCode::kInvalidArgument, "expected a size such as 512M or 2G, got '{}'", text);
  }
  return number << 10 * power;
}

uint64_t memory_in_use_bytes() { return in_use; }

void charge_memory(const std::string& object, uint64_t size_bytes) {
  uint64_t used = in_use;
  do {
    if (size_bytes > limit() || used > limit() - size_bytes) refuse(object, size_bytes, used);
  } while (!in_use.compare_exchange_weak(used, used + size_bytes));
}

void release_memory(uint64_t size_bytes) { in_use -= size_bytes; }

void check_memory(const std::string& object, uint64_t size_bytes) {
  const uint64_t used = in_use;
  if (size_bytes > limit() || used > limit() - size_bytes) refuse(object, size_bytes, used);
}

}  // namespace vta
