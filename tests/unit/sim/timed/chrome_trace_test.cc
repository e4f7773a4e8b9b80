// SPDX-License-Identifier: Apache-2.0
#include "sim/timed/chrome_trace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/support/error_in.h"

namespace vta::sim {
namespace {

using nlohmann::json;

TEST(ChromeTrace, IsJsonOfEventsInTheirOrder) {
  const ScratchFolder folder;
  ChromeTrace trace(folder / "a.json");
  trace.begin("{\"core\":\"tiny\"}");
  trace.name_track(2, "gemm");
  trace.complete(2, "instruction", "a \"name\"\n", 10, 5, "{\"bytes\":64}");
  trace.flow("token", "gemm_to_alu", 2, 14, 3, 16);
  trace.flow("token", "gemm_to_alu", 2, 15, 3, 17);
  trace.counter("DRAM", 256, "{\"load\":8}");
  trace.finish();
  const json file = json::parse(read_text_file(folder / "a.json"));
  EXPECT_EQ(file.at("otherData"), json::parse("{\"core\":\"tiny\"}"));
  const json& events = file.at("traceEvents");
  ASSERT_EQ(events.size(), 8u);
  EXPECT_EQ(events[0].at("args"), json::parse("{\"name\":\"gemm\"}"));
  EXPECT_EQ(events[2], json::parse(R"({"ph":"X","pid":1,"tid":2,"ts":10,"dur":5,
      "cat":"instruction","name":"a \"name\"\n","args":{"bytes":64}})"));
  EXPECT_EQ(events[3], json::parse(R"({"ph":"s","pid":1,"tid":2,"ts":14,"id":1,"cat":"token",
      "name":"gemm_to_alu"})"));
  EXPECT_EQ(events[4], json::parse(R"({"ph":"f","bp":"e","pid":1,"tid":3,"ts":16,"id":1,
      "cat":"token","name":"gemm_to_alu"})"));
  EXPECT_EQ(events[5].at("id"), 2);
  EXPECT_EQ(events[7], json::parse(R"({"ph":"C","pid":1,"tid":0,"ts":256,"name":"DRAM",
      "args":{"load":8}})"));
}

TEST(ChromeTrace, IsEmptyUnlessItIsBegun) {
  const ScratchFolder folder;
  ChromeTrace(folder / "a.json").finish();
  EXPECT_EQ(std::filesystem::file_size(folder / "a.json"), 0u);
}

TEST(ChromeTrace, ReportsAFullDisk) {
  ChromeTrace trace("/dev/full");
  trace.begin("");
  const Error error = expect_error([&] { trace.finish(); });
  EXPECT_EQ(error.code(), ErrorCode::kIo);
  EXPECT_EQ(std::string(error.what()), "/dev/full: No space left on device");
}

TEST(ChromeTrace, ReportsAMissingFolder) {
  EXPECT_THROW(ChromeTrace("/no/such/folder/a.json"), Error);
}

}  // namespace
}  // namespace vta::sim
