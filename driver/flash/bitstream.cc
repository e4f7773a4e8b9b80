// SPDX-License-Identifier: Apache-2.0
#include "driver/flash/bitstream.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/errors/counted.h"
#include "base/errors/error.h"

namespace vta::driver {
namespace {

// The start of every .bit file: an unnamed field of 9 bytes, and the number 1.
constexpr std::array<uint8_t, 13> kPreamble = {0x00, 0x09, 0x0F, 0xF0, 0x0F, 0xF0, 0x0F,
                                               0xF0, 0x0F, 0xF0, 0x00, 0x00, 0x01};
constexpr std::array<uint8_t, 4> kSyncWord = {0xAA, 0x99, 0x55, 0x66};
// The synchronization word follows dummy words and the bus width pattern.
constexpr size_t kMaxBytesBeforeSync = 1024;

class Reader {
 public:
  Reader(std::span<const uint8_t> bytes, const std::string& origin)
      : bytes_(bytes), origin_(origin) {}

  // Big-endian.
  uint64_t number(size_t num_bytes) {
    uint64_t value = 0;
    for (const uint8_t byte : take(num_bytes)) value = value << 8 | byte;
    return value;
  }

  std::span<const uint8_t> take(uint64_t num_bytes) {
    if (num_bytes > bytes_.size() - at_) {
      fail(ErrorCode::kCorrupt,
           "{}: truncated: expected {} at byte {}, the file has {}; copy it again", origin_,
           counted(num_bytes, "more byte"), at_, bytes_.size() - at_);
    }
    at_ += num_bytes;
    return bytes_.subspan(at_ - num_bytes, num_bytes);
  }

  // A field begins with a letter.
  void expect_field(char letter) {
    const uint64_t found = number(1);
    if (found == static_cast<uint8_t>(letter)) return;
    fail(ErrorCode::kCorrupt, "{}: byte {} is {:#04x}, expected field '{}' of a .bit file", origin_,
         at_ - 1, found, letter);
  }

  // A zero-terminated text.
  std::string text(char letter) {
    expect_field(letter);
    const std::span<const uint8_t> bytes = take(number(2));
    std::string text(bytes.begin(), std::find(bytes.begin(), bytes.end(), 0));
    const auto is_strange = [](char c) { return c < ' ' || c > '~'; };
    std::replace_if(text.begin(), text.end(), is_strange, '?');
    return text;
  }

 private:
  std::span<const uint8_t> bytes_;
  const std::string& origin_;
  size_t at_ = 0;
};

void check_words(std::span<const uint8_t> words, const std::string& origin) {
  if (words.size() % 4 != 0) {
    fail(ErrorCode::kCorrupt, "{}: expected a multiple of 4 bytes of configuration, got {}", origin,
         counted(words.size(), "byte"));
  }
  const std::span<const uint8_t> start = words.first(std::min(words.size(), kMaxBytesBeforeSync));
  if (std::ranges::search(start, kSyncWord).empty()) {
    fail(ErrorCode::kCorrupt, "{}: no synchronization word AA995566 among the first {}", origin,
         counted(start.size(), "byte"));
  }
}

// The project's own top has no pins but those of the processing system, which no bitstream sets.
bool has_no_pins(const Bitstream& bitstream) {
  return bitstream.design.starts_with("vta_zynq_top;");
}

// "7z020" of "7z020clg484": family and size, without the package.
std::string_view die_of(std::string_view part) {
  const size_t size = part.find_first_of("0123456789", part.find('z'));
  return part.substr(0, part.find_first_not_of("0123456789", size));
}

}  // namespace

Bitstream parse_bitstream(std::span<const uint8_t> file, const std::string& origin) {
  Reader reader(file, origin);
  const bool has_preamble = file.size() >= kPreamble.size() &&
                            std::equal(kPreamble.begin(), kPreamble.end(), file.begin());
  if (!has_preamble) {
    fail(ErrorCode::kCorrupt, "{}: not a .bit file: it does not start with a .bit header", origin);
  }
  reader.take(kPreamble.size());
  Bitstream bitstream;
  bitstream.design = reader.text('a');
  bitstream.part = reader.text('b');
  bitstream.date = reader.text('c');
  bitstream.time = reader.text('d');
  reader.expect_field('e');
  const std::span<const uint8_t> words = reader.take(reader.number(4));
  check_words(words, origin);
  bitstream.words.assign(words.begin(), words.end());
  return bitstream;
}

std::vector<uint8_t> byte_swapped(std::span<const uint8_t> words) {
  VTA_ASSERT(words.size() % 4 == 0, "configuration is a sequence of words");
  std::vector<uint8_t> swapped(words.begin(), words.end());
  for (size_t at = 0; at < swapped.size(); at += 4) {
    std::reverse(swapped.begin() + static_cast<ptrdiff_t>(at),
                 swapped.begin() + static_cast<ptrdiff_t>(at + 4));
  }
  return swapped;
}

bool is_for_part(const Bitstream& bitstream, const std::string& part) {
  std::string_view name = part;
  if (name.starts_with("xc")) name.remove_prefix(2);
  name = name.substr(0, name.find('-'));
  if (has_no_pins(bitstream)) return die_of(bitstream.part) == die_of(name);
  return bitstream.part == name;
}

}  // namespace vta::driver
