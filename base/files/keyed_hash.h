// SPDX-License-Identifier: Apache-2.0
//
// KeyedHash: SipHash-2-4 (Aumasson and Bernstein, 2012), a hash of bytes with a secret key. Two
// inputs with the same hash cannot be constructed without the key, so a hash can replace untrusted
// bytes in a cache. Do not store or send hashes: keys differ from process to process.
#ifndef VTA_BASE_FILES_KEYED_HASH_H_
#define VTA_BASE_FILES_KEYED_HASH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace vta {

class KeyedHash {
 public:
  using Key = std::array<uint64_t, 2>;

  explicit KeyedHash(const Key& key);
  // The key of this process, from the system's random numbers.
  static const Key& process_key();

  KeyedHash& add(std::span<const uint8_t> bytes);
  // The hash of all bytes added. Call it once, at the end.
  uint64_t value();

 private:
  void add_word(uint64_t word);
  void round();

  std::array<uint64_t, 4> state_;
  uint64_t pending_ = 0;  // the bytes of the word that is not complete yet
  uint64_t num_bytes_ = 0;
};

}  // namespace vta

#endif  // VTA_BASE_FILES_KEYED_HASH_H_
