// SPDX-License-Identifier: Apache-2.0
#include "base/files/keyed_hash.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace vta {
namespace {

constexpr KeyedHash::Key kPaperKey{0x0706050403020100, 0x0f0e0d0c0b0a0908};

TEST(KeyedHash, IsThatOfThePapersExample) {
  std::vector<uint8_t> bytes(15);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  EXPECT_EQ(KeyedHash(kPaperKey).add(bytes).value(), 0xa129ca6149be45e5);
}

TEST(KeyedHash, DoesNotDependOnHowTheBytesAreSplit) {
  std::vector<uint8_t> bytes(100);
  std::iota(bytes.begin(), bytes.end(), uint8_t{1});
  const uint64_t whole = KeyedHash(kPaperKey).add(bytes).value();
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    KeyedHash hash(kPaperKey);
    hash.add(std::span(bytes).first(cut)).add(std::span(bytes).subspan(cut));
    EXPECT_EQ(hash.value(), whole) << "cut after " << cut;
  }
}

TEST(KeyedHash, DependsOnTheKeyAndOnEachByte) {
  std::vector<uint8_t> bytes(20);
  const uint64_t before = KeyedHash(kPaperKey).add(bytes).value();
  EXPECT_NE(KeyedHash({kPaperKey[0] + 1, kPaperKey[1]}).add(bytes).value(), before);
  for (uint8_t& byte : bytes) {
    byte ^= 1;
    EXPECT_NE(KeyedHash(kPaperKey).add(bytes).value(), before);
    byte ^= 1;
  }
}

}  // namespace
}  // namespace vta
