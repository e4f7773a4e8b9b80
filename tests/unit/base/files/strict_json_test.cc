// SPDX-License-Identifier: Apache-2.0
#include "base/files/strict_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/errors/error.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

std::string error_of(const std::string& text) {
  return error_in([&] { parse_strict_json(text); }, ErrorCode::kCorrupt);
}

TEST(StrictJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(parse_strict_json(R"({"b": 1, "a": [true, null]})").dump(),
            R"({"b":1,"a":[true,null]})");
}

TEST(StrictJson, RejectsDuplicateKeys) {
  EXPECT_EQ(error_of(R"({"a": 1, "a": 2})"), "duplicate key 'a'");
  EXPECT_EQ(error_of(R"({"a": {"b": 1}, "c": {"b": [{"b": 1}]}})"), "");
  EXPECT_NE(error_of(R"({"x": [{"b": 1, "b": 2}]})"), "");
}

TEST(StrictJson, RefusesDeepNesting) {
  EXPECT_EQ(error_of(std::string(1000000, '[')), "nested more than 16 levels deep");
  EXPECT_NE(error_of(std::string(18, '[') + std::string(18, ']')), "");
  EXPECT_EQ(error_of(std::string(16, '[') + std::string(16, ']')), "");
}

TEST(StrictJson, RejectsInvalidJson) {
  for (const char* text : {"", "{", "{]", "[1,]", "// x\n1", "1 2", "nul", "\"\xff\"", "1e999",
                           "{\"a\": 1,}", "{a: 1}", "'a'", "NaN", "\"\n\""}) {
    EXPECT_NE(error_of(text), "") << text;
    EXPECT_EQ(error_of(text).find('\n'), std::string::npos) << text;
  }
  EXPECT_LT(error_of("[\"" + std::string(100000, 'x')).size(), 300u);
}

}  // namespace
}  // namespace vta
