// SPDX-License-Identifier: Apache-2.0
#include "base/files/content_key.h"

#include <gtest/gtest.h>

namespace vta {
namespace {

TEST(ContentKey, IsOfThePartsAndTheirLimits) {
  const std::string key = ContentKey().add("ab").add("c").text();
  EXPECT_EQ(key.size(), 64u);
  EXPECT_EQ(key, ContentKey().add("ab").add("c").text());
  EXPECT_NE(key, ContentKey().add("a").add("bc").text());
  EXPECT_NE(key, ContentKey().add("abc").text());
}

// The hash of eight zero bytes, the length of the empty part, as sha256sum prints it.
TEST(ContentKey, IsSha256) {
  EXPECT_EQ(ContentKey().add("").text(),
            "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc");
}

TEST(Sha256, IsThatOfTheTextAlone) {
  EXPECT_EQ(sha256_text("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace vta
