// SPDX-License-Identifier: Apache-2.0
#include "configs/memory_config.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "configs/config_files.h"
#include "configs/memory_clock.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

using Json = nlohmann::ordered_json;

std::string shipped_text(const std::string& name) {
  return read_text_file(find_config_file("memories", "memory", name), kMaxConfigFileBytes);
}

Error failure_of(const std::string& text) {
  return expect_error([&] { parse_memory_config(text, "m.json"); });
}

std::string message_with(const std::string& key, const std::string& value,
                         const std::string& memory = "random") {
  Json object = Json::parse(shipped_text(memory));
  object[key] = Json::parse(value);
  const Error failure = failure_of(object.dump());
  EXPECT_EQ(failure.code(), ErrorCode::kInvalidArgument);
  return failure.what();
}

// The message of a field.
std::string refused(const std::string& key, const std::string& shown, const std::string& expected) {
  return "field '" + key + "': expected " + expected + ", got " + shown;
}

TEST(MemoryConfig, ShipsMemoriesUnderTheirOwnNames) {
  for (const std::string& name : installed_config_names("memories")) {
    EXPECT_EQ(load_memory_config(name).name, name);
    EXPECT_EQ(load_memory_config(name + ".json").name, name);
  }
}

TEST(MemoryConfig, Ideal64IsOnePortOfOneBeatACycleAnd16CyclesLatency) {
  const MemoryConfig memory = load_memory_config("ideal64");
  EXPECT_EQ(memory.num_ports(), 1u);
  EXPECT_EQ(memory.read_latency_cycles, 16u);
  EXPECT_GE(memory.bytes_per_100_cycles, 1600u) << "a beat read and a beat written";
}

TEST(MemoryConfig, PynqZ1HasThePortsOfTheZynqTopAndThreeQuartersOf2100MegabytesASecond) {
  const MemoryConfig memory = load_memory_config("pynq-z1");
  EXPECT_EQ(memory.num_ports(), 4u);
  EXPECT_EQ(memory.port, (std::array<uint32_t, kNumMemoryMasters>{3, 0, 2, 1, 1}))
      << "fetch, load, uop, acc, store";
  EXPECT_EQ(memory.bytes_per_100_cycles, 2100u * 3 / 4) << "at 100 MHz";
  EXPECT_EQ(memory.read_latency_cycles, 40u);
}

TEST(MemoryConfig, InTimeIsFewerBytesAndMoreCyclesOfLatencyAtAFasterClock) {
  for (const std::string name : {"pynq-z1", "pynq-z1@100"})
    EXPECT_EQ(load_memory_config(name), load_memory_config("pynq-z1", 100));
  for (const auto& [mhz, bytes, latency] : {std::tuple{50.0, 3150u, 20u},
                                            {100.0, 1575u, 40u},
                                            {101.74, 1548u, 41u},
                                            {125.0, 1260u, 50u},
                                            {500.0, 315u, 200u},
                                            {1.0, 8000u, 1u}}) {
    const MemoryConfig memory = load_memory_config("pynq-z1", mhz);
    EXPECT_EQ(memory.bytes_per_100_cycles, bytes) << mhz;
    EXPECT_EQ(memory.read_latency_cycles, latency) << mhz;
    EXPECT_EQ(memory.write_latency_cycles, latency) << mhz;
    EXPECT_EQ(load_memory_config(fmt::format("pynq-z1@{}", mhz)), memory) << mhz;
    EXPECT_EQ(parse_memory_config(to_json(memory), "again"), memory) << mhz;
  }
  EXPECT_EQ(load_memory_config("pynq-z1-2gb", 125).bytes_per_100_cycles, 1600u);
}

TEST(MemoryConfig, InCyclesIsTheSameAtEveryClock) {
  for (const std::string name : {"ideal64", "random"})
    EXPECT_EQ(load_memory_config(name, 125), load_memory_config(name));
}

TEST(MemoryConfig, IsNamedWithAClockThatMatters) {
  EXPECT_EQ(name_at_clock("pynq-z1", 125), "pynq-z1@125");
  EXPECT_EQ(name_at_clock("pynq-z1", 100), "pynq-z1");
  EXPECT_EQ(name_at_clock("ideal64", 125), "ideal64");
  for (const std::string name :
       {"pynq-z1@", "pynq-z1@0", "pynq-z1@501", "pynq-z1@125MHz", "@@nan"}) {
    const Error error = expect_error([&] { load_memory_config(name); });
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(error.what(),
              fmt::format("memory '{}': expected a clock from 1 to 500 MHz after '@'", name));
  }
}

TEST(MemoryConfig, IsInTimeOrInCycles) {
  EXPECT_EQ(message_with("bytes_per_100_cycles", "8", "pynq-z1"),
            "m.json: megabytes_per_second and bytes_per_100_cycles exclude each other: a memory is "
            "in time, with read_latency_ns and write_latency_ns, or in cycles");
  EXPECT_EQ(message_with("megabytes_per_second", "0", "pynq-z1"),
            "m.json: " + refused("megabytes_per_second", "0", "an integer from 1 to 1000000"));
  EXPECT_EQ(message_with("read_latency_ns", "0", "pynq-z1"),
            "m.json: " + refused("read_latency_ns", "0", "an integer from 1 to 100000"));
  EXPECT_EQ(
      message_with("megabytes_per_second", "5", "pynq-z1"),
      "m.json: megabytes_per_second 5 are 5.0 bytes per 100 cycles at 100 MHz; the least is 8");
  EXPECT_TRUE(message_with("read_latency_ns", "40")
                  .starts_with("m.json: unknown field \"read_latency_ns\""));
}

TEST(MemoryConfig, OfTheShippedMemoriesOnlyRandomIsRandom) {
  for (const std::string name : {"ideal64", "pynq-z1", "pynq-z1-2gb", "random"}) {
    const MemoryConfig memory = load_memory_config(name);
    EXPECT_EQ(memory.max_extra_latency_cycles > 0, name == "random");
    EXPECT_EQ(memory.pause_percent > 0, name == "random");
  }
  EXPECT_EQ(load_memory_config("random").num_ports(), kNumMemoryMasters);
}

TEST(MemoryConfig, RequiresEveryKey) {
  for (const std::string name : {"random", "pynq-z1"}) {
    const Json complete = Json::parse(shipped_text(name));
    EXPECT_EQ(complete.size(), 13u);
    for (const auto& [key, value] : complete.items()) {
      if (key == "megabytes_per_second") continue;  // without it, the memory is in cycles
      Json object = complete;
      object.erase(key);
      const Error failure = failure_of(object.dump());
      EXPECT_EQ(failure.code(), ErrorCode::kInvalidArgument);
      EXPECT_EQ(failure.what(), "m.json: field '" + key + "' is missing");
    }
  }
}

TEST(MemoryConfig, RefusesValuesOfWrongTypeOrRange) {
  const std::string ports = "an integer from 0 to 4";
  const std::string latency = "an integer from 1 to 10000";
  const std::string extra = "an integer from 0 to 10000";
  const struct {
    const char* key;
    const char* value;
    std::string message;
  } cases[] = {
      {"fetch_port", "5", refused("fetch_port", "5", ports)},
      {"load_port", "-1", refused("load_port", "-1", ports)},
      {"uop_port", "\"HP0\"", refused("uop_port", "\"HP0\"", ports)},
      {"acc_port", "null", refused("acc_port", "null", ports)},
      {"store_port", "1.0", refused("store_port", "1.0", ports)},
      {"read_latency_cycles", "0", refused("read_latency_cycles", "0", latency)},
      {"read_latency_cycles", "10001", refused("read_latency_cycles", "10001", latency)},
      {"write_latency_cycles", "true", refused("write_latency_cycles", "true", latency)},
      {"write_latency_cycles", "0", refused("write_latency_cycles", "0", latency)},
      {"bytes_per_100_cycles", "7",
       refused("bytes_per_100_cycles", "7", "an integer from 8 to 8000")},
      {"bytes_per_100_cycles", "8001",
       refused("bytes_per_100_cycles", "8001", "an integer from 8 to 8000")},
      {"max_extra_latency_cycles", "10001", refused("max_extra_latency_cycles", "10001", extra)},
      {"max_request_gap_cycles", "[]", refused("max_request_gap_cycles", "[]", extra)},
      {"pause_percent", "101", refused("pause_percent", "101", "an integer from 0 to 100")},
      {"seed", "4294967296", refused("seed", "4294967296", "an integer from 0 to 4294967295")},
      {"name", "\"a b\"",
       refused("name", "\"a b\"", "1 to 64 letters, digits, '_', '-', '.' or '+'")},
      {"latency", "1", "unknown field \"latency\""},
      {"Seed", "1", "unknown field \"Seed\""},
  };
  for (const auto& c : cases) {
    const std::string expected = "m.json: " + c.message;
    EXPECT_EQ(message_with(c.key, c.value).substr(0, expected.size()), expected) << c.key;
  }
}

TEST(MemoryConfig, AcceptsItsLimits) {
  Json object = Json::parse(shipped_text("random"));
  object["read_latency_cycles"] = 10000;
  object["bytes_per_100_cycles"] = 8;
  object["pause_percent"] = 100;
  object["seed"] = UINT32_MAX;
  const MemoryConfig memory = parse_memory_config(object.dump(), "m.json");
  EXPECT_EQ(memory.read_latency_cycles, 10000u);
  EXPECT_EQ(memory.seed, UINT32_MAX);
}

TEST(MemoryConfig, RefusesTextThatIsNotAnObject) {
  EXPECT_STREQ(failure_of("[]").what(), "m.json: expected an object {...}, got []");
  EXPECT_STREQ(failure_of("{\"seed\": 1, \"seed\": 2}").what(), "m.json: duplicate key 'seed'");
  EXPECT_STREQ(failure_of(std::string(2 << 20, ' ')).what(),
               "m.json: 2097152 bytes, more than the limit of 1048576 for a memory configuration");
  const std::string text = shipped_text("ideal64");
  for (size_t length = 0; length + 2 < text.size(); ++length) {
    EXPECT_EQ(failure_of(text.substr(0, length)).code(), ErrorCode::kCorrupt) << length;
  }
}

TEST(MemoryConfig, IsReadFromAPathAndNamesTheFileInErrors) {
  const ScratchFolder scratch;
  const std::string path = (std::filesystem::path(scratch.path()) / "mine.json").string();
  write_file(path, shipped_text("random"));
  EXPECT_EQ(load_memory_config(path).name, "random");
  write_file(path, std::string("{}"));
  const Error error = expect_error([&] { load_memory_config(path); });
  EXPECT_EQ(error.what(), path + ": field 'name' is missing");
}

TEST(MemoryConfig, NamesTheInstalledMemoriesIfNoneIsFound) {
  const Error error = expect_error([&] { load_memory_config("ideal128"); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_EQ(error.what(),
            fmt::format("memory 'ideal128' is neither a file nor one of the installed memories: {}",
                        fmt::join(installed_config_names("memories"), ", ")));
}

}  // namespace
}  // namespace vta
