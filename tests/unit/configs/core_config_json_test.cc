// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "configs/core_config.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

using Json = nlohmann::ordered_json;

Json own_form() { return Json::parse(to_json(load_core_config("vta_1x16"))); }

Json vta_form() {
  return Json::parse(R"({
    "TARGET": "sim", "HW_VER": "0.0.2",
    "LOG_INP_WIDTH": 3, "LOG_WGT_WIDTH": 3, "LOG_ACC_WIDTH": 5,
    "LOG_BATCH": 0, "LOG_BLOCK": 4,
    "LOG_UOP_BUFF_SIZE": 15, "LOG_INP_BUFF_SIZE": 15,
    "LOG_WGT_BUFF_SIZE": 18, "LOG_ACC_BUFF_SIZE": 17})");
}

Error failure_of(const std::string& text) {
  return expect_error([&] { parse_core_config(text, "core.json"); });
}

// The message for the own form with `key` set to the JSON text `value`.
std::string message_with(const std::string& key, const std::string& value) {
  Json object = own_form();
  object[key] = Json::parse(value);
  const Error failure = failure_of(object.dump());
  EXPECT_EQ(failure.code(), ErrorCode::kInvalidArgument);
  return failure.what();
}

Error vta_failure_with(const std::string& key, const std::string& value) {
  Json object = vta_form();
  object[key] = Json::parse(value);
  return failure_of(object.dump());
}

// The message of a field.
std::string refused(const std::string& key, const std::string& shown, const std::string& expected) {
  return "field '" + key + "': expected " + expected + ", got " + shown;
}

TEST(CoreJson, ReadsBackWhatItWrites) {
  for (const std::string& name : installed_core_names()) {
    const CoreConfig core = load_core_config(name);
    const CoreConfig again = parse_core_config(to_json(core), "again");
    EXPECT_TRUE(core.same_hardware(again)) << name;
    EXPECT_EQ(core.name, again.name);
  }
}

TEST(CoreJson, RefusesValuesOfWrongTypeOrRange) {
  const std::string range_256 = "an integer from 1 to 256";
  const std::string range_16m = "an integer from 1 to 16777216";
  const struct {
    const char* key;
    const char* value;
    std::string message;
  } cases[] = {
      {"batch", "\"one\"", refused("batch", "\"one\"", range_256)},
      {"batch", "-1", refused("batch", "-1", range_256)},
      {"batch", "0", refused("batch", "0", range_256)},
      {"batch", "1.5", refused("batch", "1.5", range_256)},
      {"batch", "1.0", refused("batch", "1.0", range_256)},
      {"batch", "true", refused("batch", "true", range_256)},
      {"batch", "null", refused("batch", "null", range_256)},
      {"batch", "[1]", refused("batch", "[1]", range_256)},
      {"batch", "{}", refused("batch", "{}", range_256)},
      {"batch", "257", refused("batch", "257", range_256)},
      {"batch", "4294967297", refused("batch", "4294967297", range_256)},
      {"batch", "18446744073709551615", refused("batch", "18446744073709551615", range_256)},
      {"batch", "99999999999999999999", refused("batch", "1e+20", range_256)},
      {"block_in", "-9223372036854775808", refused("block_in", "-9223372036854775808", range_256)},
      {"block_out", "1e3", refused("block_out", "1000.0", range_256)},
      {"uop_buffer_bytes", "33554432", refused("uop_buffer_bytes", "33554432", range_16m)},
      {"inp_buffer_bytes", "\"32 KiB\"", refused("inp_buffer_bytes", "\"32 KiB\"", range_16m)},
      {"command_queue_depth", "0",
       refused("command_queue_depth", "0", "an integer from 1 to 65536")},
      {"token_queue_depth", "65537",
       refused("token_queue_depth", "65537", "an integer from 1 to 65536")},
      {"alu_folding", "0", refused("alu_folding", "0", "an integer from 1 to 65536")},
      {"alu_folding", "3", "core vta_1x16: alu_folding is 3, must be a power of two"},
      {"pixels", "3", refused("pixels", "3", "an integer from 1 to 2")},
      {"extension", "1", refused("extension", "1", "true or false")},
      {"extension", "\"true\"", refused("extension", "\"true\"", "true or false")},
      {"name", "7", refused("name", "7", "1 to 64 letters, digits, '_', '-', '.' or '+'")},
      {"name", "\"\"", refused("name", "\"\"", "1 to 64 letters, digits, '_', '-', '.' or '+'")},
      {"name", "\"a\\nb\"",
       refused("name", "\"a\\nb\"", "1 to 64 letters, digits, '_', '-', '.' or '+'")},
      {"clock_mhz", "100", "unknown field \"clock_mhz\""},
      {"Batch", "1", "unknown field \"Batch\""},
      {"batch", "3", "core vta_1x16: batch is 3, must be a power of two"},
      {"inp_buffer_bytes", "100", "core vta_1x16: inp_buffer_bytes is 100, must be a power of two"},
      {"block_in", "4",
       "core vta_1x16: an element of INP has 4 bytes, must have at least 8 (one 64-bit beat)"},
      {"acc_buffer_bytes", "262144",
       "core vta_1x16: micro-op: field wgt has 10 bits, but of 32 only 8 are left"},
  };
  for (const auto& c : cases) {
    const std::string expected = "core.json: " + c.message;
    EXPECT_EQ(message_with(c.key, c.value).substr(0, expected.size()), expected) << c.key;
  }
}

TEST(CoreJson, ShortensLongValuesInMessages) {
  const std::string message = message_with("batch", "\"" + std::string(100000, 'x') + "\"");
  EXPECT_LT(message.size(), 200u);
  EXPECT_NE(message.find("..."), std::string::npos);
}

TEST(CoreJson, RequiresEveryKey) {
  const Json complete = own_form();
  for (const auto& [key, value] : complete.items()) {
    Json object = complete;
    object.erase(key);
    EXPECT_EQ(failure_of(object.dump()).what(), "core.json: field '" + key + "' is missing");
  }
}

TEST(CoreJson, LeavesOutOptionsOfOne) {
  const std::pair<const char*, uint32_t CoreConfig::*> options[] = {
      {"alu_folding", &CoreConfig::alu_folding}, {"pixels", &CoreConfig::pixels}};
  for (const auto& [key, member] : options) {
    EXPECT_FALSE(own_form().contains(key));
    Json object = own_form();
    object[key] = 1;
    EXPECT_EQ(parse_core_config(object.dump(), "core.json").*member, 1u);
    object[key] = 2;
    const CoreConfig core = parse_core_config(object.dump(), "core.json");
    EXPECT_EQ(core.*member, 2u);
    EXPECT_EQ(Json::parse(to_json(core)).at(key), 2);
  }
}

TEST(CoreJson, RefusesTextThatIsNotAnObject) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "core.json: not valid JSON: parse error at line 1, column 1"},
      {"{", "core.json: not valid JSON: parse error at line 1, column 2"},
      {"{\"name\": ", "core.json: not valid JSON: parse error"},
      {"{\"name\": \"a\",}", "core.json: not valid JSON: parse error"},
      {"{\"name\": \"\xff\"}", "core.json: not valid JSON: parse error"},
      {"{\"name\": 1e999}", "core.json: not valid JSON: number overflow"},
      {"[]", "core.json: expected an object {...}, got []"},
      {"7", "core.json: expected an object {...}, got 7"},
      {"null", "core.json: expected an object {...}, got null"},
      {"{} {}", "core.json: not valid JSON: parse error"},
      {"{\"batch\": 1, \"batch\": 2}", "core.json: duplicate key 'batch'"},
  };
  for (const auto& [text, message] : cases) {
    const Error failure = failure_of(text);
    EXPECT_EQ(failure.code(), ErrorCode::kCorrupt) << text;
    EXPECT_EQ(std::string(failure.what()).substr(0, std::string(message).size()), message);
  }
}

TEST(CoreJson, RefusesOversizedAndDeeplyNestedText) {
  const std::string oversized(2 << 20, ' ');
  EXPECT_STREQ(failure_of(oversized).what(),
               "core.json: 2097152 bytes, more than the limit of 1048576 for a core configuration");
  EXPECT_EQ(failure_of(std::string(500000, '[')).code(), ErrorCode::kCorrupt);
  const std::string deep = std::string(400000, '[') + std::string(400000, ']');
  EXPECT_STREQ(failure_of("{\"batch\": " + deep + "}").what(),
               "core.json: nested more than 16 levels deep");
}

TEST(CoreJson, ReadsEveryTruncationOfAFileAsAnError) {
  const std::string text = to_json(load_core_config("tiny_1x8"));
  for (size_t length = 0; length + 2 < text.size(); ++length) {
    EXPECT_EQ(failure_of(text.substr(0, length)).code(), ErrorCode::kCorrupt) << length;
  }
}

TEST(VtaJson, GivesTheDefaultCoreWithoutTheExtension) {
  std::vector<std::string> notes;
  const CoreConfig core = parse_core_config(vta_form().dump(), "some/vta_config.json", &notes);
  CoreConfig expected = load_core_config("vta_1x16");
  expected.extension = false;
  EXPECT_TRUE(core.same_hardware(expected));
  EXPECT_EQ(core.name, "vta_config");
  EXPECT_EQ(notes,
            (std::vector<std::string>{"TARGET \"sim\" is ignored", "HW_VER \"0.0.2\" is ignored"}));
}

TEST(VtaJson, ReadsTheOlderFormWithTwoBlocks) {
  Json object = vta_form();
  object.erase("LOG_BLOCK");
  object["LOG_BLOCK_IN"] = 3;
  object["LOG_BLOCK_OUT"] = 4;
  object["LOG_OUT_WIDTH"] = 3;
  object["HW_FREQ"] = 100;
  object["HW_CLK_TARGET"] = 8;
  object["LOG_INP_BUFF_SIZE"] = 14;
  object["LOG_WGT_BUFF_SIZE"] = 17;
  std::vector<std::string> notes;
  const CoreConfig core = parse_core_config(object.dump(), "old.json", &notes);
  EXPECT_EQ(core.block_in, 8u);
  EXPECT_EQ(core.block_out, 16u);
  EXPECT_EQ(core.name, "old");
  EXPECT_EQ(notes.size(), 4u);
}

// What `vta_config.py --cfg-json` prints: the configuration with the keys that follow from it.
TEST(VtaJson, ReadsVtasDerivedForm) {
  Json object = vta_form();
  object["LOG_BLOCK_IN"] = object["LOG_BLOCK_OUT"] = object["LOG_BLOCK"];
  object["LOG_OUT_WIDTH"] = 3;
  object["LOG_OUT_BUFF_SIZE"] = 15;
  EXPECT_TRUE(parse_core_config(object.dump(), "derived.json")
                  .same_hardware(parse_core_config(vta_form().dump(), "plain.json")));
  object["LOG_BLOCK_OUT"] = 5;
  EXPECT_EQ(error_in([&] { parse_core_config(object.dump(), "derived.json"); }),
            "derived.json: LOG_BLOCK is 4, but LOG_BLOCK_IN is 4 and LOG_BLOCK_OUT 5; must be "
            "equal, or leave LOG_BLOCK out");
}

TEST(VtaJson, RefusesWidthsThatTheCoreDoesNotHave) {
  const std::pair<const char*, const char*> cases[] = {
      {"LOG_INP_WIDTH", "core.json: LOG_INP_WIDTH is 4 (16 bits), only 3 (8 bits) is supported"},
      {"LOG_WGT_WIDTH", "core.json: LOG_WGT_WIDTH is 4 (16 bits), only 3 (8 bits) is supported"},
      {"LOG_ACC_WIDTH", "core.json: LOG_ACC_WIDTH is 4 (16 bits), only 5 (32 bits) is supported"},
      {"LOG_OUT_WIDTH", "core.json: LOG_OUT_WIDTH is 4 (16 bits), only 3 (8 bits) is supported"},
  };
  for (const auto& [key, message] : cases) {
    const Error failure = vta_failure_with(key, "4");
    EXPECT_EQ(failure.code(), ErrorCode::kUnsupported);
    EXPECT_EQ(std::string(failure.what()), message);
  }
}

TEST(VtaJson, RefusesWrongValues) {
  const struct {
    const char* key;
    const char* value;
    std::string message;
  } cases[] = {
      {"LOG_BATCH", "-1", refused("LOG_BATCH", "-1", "an integer from 0 to 8")},
      {"LOG_BATCH", "9", refused("LOG_BATCH", "9", "an integer from 0 to 8")},
      {"LOG_BLOCK", "\"4\"", refused("LOG_BLOCK", "\"4\"", "an integer from 0 to 8")},
      {"LOG_BLOCK", "40", refused("LOG_BLOCK", "40", "an integer from 0 to 8")},
      {"LOG_BLOCK", "2",
       "core core: an element of INP has 4 bytes, must have at least 8 (one 64-bit beat)"},
      {"LOG_BLOCK_IN", "4", "field 'LOG_BLOCK_OUT' is missing"},
      {"LOG_ACC_BUFF_SIZE", "64", refused("LOG_ACC_BUFF_SIZE", "64", "an integer from 0 to 24")},
      {"LOG_UOP_BUFF_SIZE", "16",
       "core core: GEMM, bits 64-127: field wgt_factor_out has 10 bits, but of 64 only 6 are left"},
      {"LOG_INP_WIDTH", "3.0", refused("LOG_INP_WIDTH", "3.0", "an integer from 0 to 31")},
      {"LOG_OUT_BUFF_SIZE", "16",
       "LOG_OUT_BUFF_SIZE is 16, must be 15: OUT is as deep as ACC (LOG_ACC_BUFF_SIZE - 2)"},
      {"extension", "true", "unknown field \"extension\""},
  };
  for (const auto& c : cases) {
    const std::string expected = "core.json: " + c.message;
    EXPECT_EQ(std::string(vta_failure_with(c.key, c.value).what()).substr(0, expected.size()),
              expected);
  }
}

TEST(VtaJson, RequiresEveryKeyExceptTheIgnoredOnes) {
  const Json complete = vta_form();
  for (const auto& [key, value] : complete.items()) {
    Json object = complete;
    object.erase(key);
    if (key == "TARGET" || key == "HW_VER") {
      EXPECT_NO_THROW(parse_core_config(object.dump(), "core.json"));
    } else {
      EXPECT_EQ(failure_of(object.dump()).what(), "core.json: field '" + key + "' is missing");
    }
  }
}

}  // namespace
}  // namespace vta
