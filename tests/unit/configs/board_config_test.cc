// SPDX-License-Identifier: Apache-2.0
#include "configs/board_config.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "configs/config_files.h"
#include "configs/core_config.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

using Json = nlohmann::ordered_json;

Json shipped() {
  return Json::parse(read_text_file(find_config_file("boards", "board", "pynq-z1")));
}

std::string refusal_of(const std::string& text) {
  const Error error = expect_error([&] { parse_board_config(text, "b.json"); });
  EXPECT_TRUE(std::string(error.what()).starts_with("b.json: ")) << error.what();
  return error.what();
}

void expect_refused(const std::string& key, const Json& value, const std::string& part) {
  Json object = shipped();
  object[key] = value;
  const std::string message = refusal_of(object.dump());
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(BoardConfig, ShipsBoardsUnderTheirOwnNamesWithACoreThatExists) {
  for (const std::string& name : installed_config_names("boards")) {
    const BoardConfig board = load_board_config(name);
    EXPECT_EQ(board.name, name);
    EXPECT_NO_THROW(load_core_config(board.core));
  }
}

struct Facts {
  const char *name, *part;
  uint32_t crystal_hz, memory_mib;
};

// From the boards' manuals.
TEST(BoardConfig, HasTheFactsOfEachBoard) {
  const std::vector<Facts> boards = {{"arty-z7-20", "xc7z020clg400-1", 50'000'000, 512},
                                     {"pynq-z1", "xc7z020clg400-1", 50'000'000, 512},
                                     {"pynq-z2", "xc7z020clg400-1", 50'000'000, 512},
                                     {"zedboard", "xc7z020clg484-1", 33'333'333, 512},
                                     {"zybo-z7-20", "xc7z020clg400-1", 33'333'333, 1024}};
  for (const Facts& facts : boards) {
    const BoardConfig board = load_board_config(facts.name);
    EXPECT_EQ(board.part, facts.part);
    EXPECT_EQ(board.ps_clock_hz, facts.crystal_hz);
    EXPECT_EQ(board.memory_bytes, facts.memory_mib << 20);
    EXPECT_EQ(board.registers_base, 0x43c00000u);
  }
}

TEST(BoardConfig, NeedsEveryKeyAndRefusesOthers) {
  const Json complete = shipped();
  for (const auto& item : complete.items()) {
    Json object = complete;
    object.erase(item.key());
    const std::string message = refusal_of(object.dump());
    EXPECT_NE(message.find("'" + item.key() + "' is missing"), std::string::npos) << message;
  }
  expect_refused("fan", 1, "unknown field \"fan\"");
}

TEST(BoardConfig, RefusesValuesOutOfTheirRange) {
  expect_refused("clock_hz", 1000, "expected an integer from 1000000");
  expect_refused("fast_clock_hz", 99'000'000, "from 100000000");
  expect_refused("memory_bytes", 5000, "must be a multiple of 4096");
  expect_refused("arena_limit_bytes", 1 << 30, "more than memory_bytes");
  expect_refused("part", "xc7z020 clg400", "letters");
  for (const Json& value : {Json(0x43c00000), Json("43c00000"), Json("0x"), Json("0x143c00000"),
                            Json("0x43c0000g"), Json(nullptr)}) {
    expect_refused("registers_base", value, "expected an address");
  }
  expect_refused("registers_base", "0x43c00010", "must be a multiple of 4096");
  expect_refused("registers_base", "0x10000000", "beyond the memory");
}

}  // namespace
}  // namespace vta
