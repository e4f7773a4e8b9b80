// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/byte_codec.h"

#include <algorithm>

#include "base/errors/counted.h"
#include "base/errors/error.h"

namespace vta::rpc {

void ByteWriter::operator()(const std::string& text) {
  const size_t size_bytes = std::min<size_t>(text.size(), kMaxTextBytes);
  (*this)(static_cast<uint16_t>(size_bytes));
  bytes_.insert(bytes_.end(), text.begin(), text.begin() + static_cast<ptrdiff_t>(size_bytes));
}

void ByteWriter::write_count(size_t count) {
  VTA_ASSERT(count <= kMaxSamples, "too many numbers for a message");
  (*this)(static_cast<uint32_t>(count));
}

void ByteWriter::operator()(std::span<const uint8_t> rest) {
  bytes_.insert(bytes_.end(), rest.begin(), rest.end());
}

void ByteReader::operator()(double& value) {
  uint64_t bits = 0;
  (*this)(bits);
  value = std::bit_cast<double>(bits);
}

void ByteReader::operator()(std::string& text) {
  uint16_t size_bytes = 0;
  (*this)(size_bytes);
  if (size_bytes > kMaxTextBytes) {
    fail(ErrorCode::kCorrupt, "{}: a text of {} bytes exceeds the limit of {}", name_, size_bytes,
         kMaxTextBytes);
  }
  const std::span<const uint8_t> bytes = take(size_bytes);
  text.assign(bytes.begin(), bytes.end());
}

uint32_t ByteReader::read_count(size_t number_bytes) {
  uint32_t count = 0;
  (*this)(count);
  if (count > kMaxSamples || count * number_bytes > bytes_.size()) {
    fail(ErrorCode::kCorrupt, "{}: {} in {} (limit {})", name_, counted(count, "number"),
         counted(bytes_.size(), "byte"), kMaxSamples);
  }
  return count;
}

void ByteReader::operator()(std::span<const uint8_t>& rest) { rest = take(bytes_.size()); }

void ByteReader::expect_end() const {
  if (!bytes_.empty()) {
    fail(ErrorCode::kCorrupt, "{}: {} after the last field", name_, counted(bytes_.size(), "byte"));
  }
}

std::span<const uint8_t> ByteReader::take(uint64_t size_bytes) {
  if (size_bytes > bytes_.size()) {
    fail(ErrorCode::kCorrupt, "{}: truncated after {} of a field of {}", name_,
         counted(bytes_.size(), "byte"), size_bytes);
  }
  const auto taken = bytes_.first(size_bytes);
  bytes_ = bytes_.subspan(size_bytes);
  return taken;
}

void ByteReader::require_flag(uint64_t value) const {
  if (value > 1) fail(ErrorCode::kCorrupt, "{}: expected a flag of 0 or 1, got {}", name_, value);
}

}  // namespace vta::rpc
