// SPDX-License-Identifier: Apache-2.0
#include "base/files/keyed_hash.h"

#include <bit>
#include <cstring>
#include <random>

namespace vta {

static_assert(std::endian::native == std::endian::little, "words are little-endian");

KeyedHash::KeyedHash(const Key& key)
    : state_{key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261,
             key[1] ^ 0x7465646279746573} {}

const KeyedHash::Key& KeyedHash::process_key() {
  static const Key key = [] {
    std::random_device random;
    const auto word = [&] { return uint64_t{random()} << 32 | random(); };
    return Key{word(), word()};
  }();
  return key;
}

KeyedHash& KeyedHash::add(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    if (num_bytes_ % sizeof(uint64_t) == 0 && bytes.size() >= sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, bytes.data(), sizeof word);
      add_word(word);
      num_bytes_ += sizeof word;
      bytes = bytes.subspan(sizeof word);
      continue;
    }
    pending_ |= uint64_t{bytes[0]} << 8 * (num_bytes_ % sizeof(uint64_t));
    bytes = bytes.subspan(1);
    if (++num_bytes_ % sizeof(uint64_t) != 0) continue;
    add_word(pending_);
    pending_ = 0;
  }
  return *this;
}

uint64_t KeyedHash::value() {
  add_word(pending_ | num_bytes_ << 56);
  state_[2] ^= 0xff;
  for (int i = 0; i < 4; ++i) round();
  return state_[0] ^ state_[1] ^ state_[2] ^ state_[3];
}

void KeyedHash::add_word(uint64_t word) {
  state_[3] ^= word;
  round();
  round();
  state_[0] ^= word;
}

void KeyedHash::round() {
  auto& [a, b, c, d] = state_;
  a += b;
  b = std::rotl(b, 13) ^ a;
  a = std::rotl(a, 32);
  c += d;
  d = std::rotl(d, 16) ^ c;
  a += d;
  d = std::rotl(d, 21) ^ a;
  c += b;
  b = std::rotl(b, 17) ^ c;
  c = std::rotl(c, 32);
}

}  // namespace vta
