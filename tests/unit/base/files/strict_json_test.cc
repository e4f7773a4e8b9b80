// SPDX-License-Identifier: Apache-2.0
#include "base/files/strict_json.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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

TEST(StrictJson, RefusesWhatTakesMuchMoreMemoryOrTimeThanItsText) {
  std::string lists = "[", texts = "[", keys = "{";
  for (int i = 0; i < 40'000; ++i) lists += "[],";
  for (int i = 0; i < 1'000'000; ++i) texts += "\"\",";
  for (int i = 0; i < 20'000; ++i) keys += fmt::format("\"{}\":0,", i);
  lists.back() = texts.back() = ']';
  keys.back() = '}';
  EXPECT_EQ(error_of(lists), "a list of more than 32768 lists and objects");
  EXPECT_EQ(error_of(texts), "a list of more than 506072 elements");
  EXPECT_EQ(error_of(keys), "an object with more than 16384 keys");
  EXPECT_EQ(error_of("[" + std::string(200'000, '1') + "]").find("more than"), std::string::npos);
  std::string numbers = "[";
  for (int i = 0; i < 200'000; ++i) numbers += "12345,";
  numbers.back() = ']';
  EXPECT_EQ(error_of(numbers), "");
}

TEST(StrictJson, RejectsInvalidJson) {
  for (const char* text : {"", "{", "{]", "[1,]", "// x\n1", "1 2", "nul", "\"\xff\"", "1e999",
                           "{\"a\": 1,}", "{a: 1}", "'a'", "NaN", "\"\n\""}) {
    EXPECT_NE(error_of(text), "") << text;
    EXPECT_EQ(error_of(text).find('\n'), std::string::npos) << text;
  }
  EXPECT_LT(error_of("[\"" + std::string(100000, 'x')).size(), 300u);
}

TEST(StrictJson, ErrorsOfAccessorsNameNoFunctions) {
  using Json = nlohmann::json;
  const std::vector<std::function<void(const Json&)>> accessors = {
      [](const Json& json) { json.at("nets"); },
      [](const Json& json) { json.at(3); },
      [](const Json& json) { json.value("nets", 1); },
      [](const Json& json) { json.get<std::string>(); },
      [](const Json& json) { json.get<int>(); },
      [](const Json& json) { json.get<bool>(); },
      [](const Json& json) { json.get<std::vector<double>>(); },
      [](const Json& json) { json.get_ref<const std::string&>(); },
      [](const Json& json) { (void)Json::parse(json.dump() + "]"); }};
  const std::vector<Json> values = {
      nullptr, true, 1, 2.5, "text", Json::array({1}), Json::object({{"key", 1}})};
  size_t count = 0;
  for (const auto& access : accessors) {
    for (const Json& value : values) {
      const std::string error =
          error_in([&] { with_json_errors("file", [&] { access(value); }); }, ErrorCode::kCorrupt);
      if (error.empty()) continue;
      EXPECT_TRUE(error.starts_with("file: ")) << error;
      for (const char* raw : {"json.exception", "()", "operator", "ReferenceType"})
        EXPECT_EQ(error.find(raw), std::string::npos) << error;
      ++count;
    }
  }
  EXPECT_GT(count, 40u);
  EXPECT_EQ(error_in([] { with_json_errors("file", [] { Json::object().at("nets"); }); }),
            "file: key 'nets' is missing");
  EXPECT_EQ(error_in([] { with_json_errors("file", [] { Json(1).get<std::string>(); }); }),
            "file: expected string, got number");
  EXPECT_EQ(error_in([] { with_json_errors("file", [] { Json(1).at("nets"); }); }),
            "file: expected an object or a list, got number");
}

}  // namespace
}  // namespace vta
