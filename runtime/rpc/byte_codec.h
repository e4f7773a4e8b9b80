// SPDX-License-Identifier: Apache-2.0
//
// Encodes and decodes the fields of messages: little-endian, without padding. Both classes are
// called with one field after the other, so that a message lists its fields once for both
// directions (messages.h).
#ifndef VTA_RUNTIME_RPC_BYTE_CODEC_H_
#define VTA_RUNTIME_RPC_BYTE_CODEC_H_

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vta::rpc {

inline constexpr uint32_t kMaxTextBytes = 4096;  // the writer truncates longer texts
inline constexpr uint32_t kMaxSamples = 4096;    // in a list of numbers

class ByteWriter {
 public:
  // Reserves `skipped` zero bytes at the start, for example for a frame header.
  explicit ByteWriter(size_t skipped = 0) : bytes_(skipped) {}

  template <std::unsigned_integral T>
  void operator()(T value) {
    for (size_t i = 0; i < sizeof(T); ++i) {
      bytes_.push_back(static_cast<uint8_t>(static_cast<uint64_t>(value) >> 8 * i));
    }
  }
  void operator()(double value) { (*this)(std::bit_cast<uint64_t>(value)); }
  void operator()(const std::string& text);  // u16 length, bytes
  // u32 count, each number
  template <typename T>
  void operator()(const std::vector<T>& numbers) {
    write_count(numbers.size());
    for (const T number : numbers) (*this)(number);
  }
  void operator()(std::span<const uint8_t> rest);  // bytes up to the end of the message

  const std::vector<uint8_t>& bytes() const { return bytes_; }
  std::vector<uint8_t> take() { return std::move(bytes_); }

 private:
  void write_count(size_t count);

  std::vector<uint8_t> bytes_;
};

// Decodes what ByteWriter encodes. Checks that bytes are present before allocating memory for them.
// Errors of all reads: kCorrupt, naming the message and what is missing or out of range.
class ByteReader {
 public:
  // `name`: the message, for errors. It and the bytes must outlive the reader.
  ByteReader(const char* name, std::span<const uint8_t> bytes) : name_(name), bytes_(bytes) {}

  template <std::unsigned_integral T>
  void operator()(T& value) {
    uint64_t wide = 0;
    const std::span<const uint8_t> bytes = take(sizeof(T));
    for (size_t i = 0; i < sizeof(T); ++i) wide |= uint64_t{bytes[i]} << 8 * i;
    if constexpr (std::same_as<T, bool>) require_flag(wide);
    value = static_cast<T>(wide);
  }
  void operator()(double& value);
  void operator()(std::string& text);
  template <typename T>
  void operator()(std::vector<T>& numbers) {
    numbers.resize(read_count(sizeof(T)));
    for (T& number : numbers) (*this)(number);
  }
  // All remaining bytes, as a view.
  void operator()(std::span<const uint8_t>& rest);

  // Errors: kCorrupt if bytes are left.
  void expect_end() const;

 private:
  std::span<const uint8_t> take(uint64_t size_bytes);
  void require_flag(uint64_t value) const;
  uint32_t read_count(size_t number_bytes);

  const char* name_;
  std::span<const uint8_t> bytes_;
};

}  // namespace vta::rpc

#endif  // VTA_RUNTIME_RPC_BYTE_CODEC_H_
