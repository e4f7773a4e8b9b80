// SPDX-License-Identifier: Apache-2.0
//
// For any bytes parse_core_config() returns a legal core or throws one Error.
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "configs/core_config.h"

namespace vta {
namespace {

constexpr int kNumTexts = 3000;

void parse_anything(const std::string& text) {
  try {
    check(parse_core_config(text, "fuzz"));
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("fuzz: ")) << error.what();
  }
}

std::string random_text(Random& random, std::string_view alphabet) {
  std::string text(static_cast<size_t>(random.between(0, 200)), ' ');
  for (char& c : text) {
    c = alphabet.empty() ? static_cast<char>(random.between(0, 255))
                         : alphabet[static_cast<size_t>(
                               random.between(0, static_cast<int64_t>(alphabet.size()) - 1))];
  }
  return text;
}

// Overwrites, removes or duplicates a few bytes.
std::string mutated(std::string text, Random& random) {
  for (int64_t n = random.between(1, 6); n > 0 && !text.empty(); --n) {
    const auto at = static_cast<size_t>(random.between(0, static_cast<int64_t>(text.size()) - 1));
    switch (random.between(0, 3)) {
      case 0:
        text[at] = static_cast<char>(random.between(0, 255));
        break;
      case 1:
        text.erase(at, static_cast<size_t>(random.between(1, 20)));
        break;
      case 2:
        text.insert(at, text.substr(at, 10));
        break;
      default:
        text[at] = "0123456789-.e[]{}\":,"[random.between(0, 19)];
        break;
    }
  }
  return text;
}

TEST(CoreConfigFuzz, RandomBytesGiveAnError) {
  const uint64_t seed = 20240501;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (int i = 0; i < kNumTexts; ++i) {
    parse_anything(random_text(random, ""));
    parse_anything(random_text(random, "{}[]\",:0123456789.eE+- \nLOG_batchnulltrue\\u"));
  }
}

TEST(CoreConfigFuzz, MutatedFilesGiveACoreOrAnError) {
  const uint64_t seed = 20240502;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  const std::string own = to_json(load_core_config("vta_4x8"));
  const std::string vta =
      R"({"LOG_INP_WIDTH":3,"LOG_WGT_WIDTH":3,"LOG_ACC_WIDTH":5,"LOG_BATCH":0,"LOG_BLOCK":4,)"
      R"("LOG_UOP_BUFF_SIZE":15,"LOG_INP_BUFF_SIZE":15,"LOG_WGT_BUFF_SIZE":18,"LOG_ACC_BUFF_SIZE":17})";
  for (int i = 0; i < kNumTexts; ++i) {
    parse_anything(mutated(own, random));
    parse_anything(mutated(vta, random));
  }
}

}  // namespace
}  // namespace vta
