// SPDX-License-Identifier: Apache-2.0
//
// Reads a file of --trace according to the trace event format.
#ifndef VTA_TESTS_CLI_TIMELINE_FILE_H_
#define VTA_TESTS_CLI_TIMELINE_FILE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace vta::cli_test {

struct CompleteEvent {
  std::string name, category;
  uint64_t begin, end;
  const nlohmann::json* arguments;  // an object, empty if the event has none
};

struct FlowEvent {
  std::string name, from_track, to_track;
  uint64_t from, to;
};

struct CounterEvent {
  uint64_t at;
  const nlohmann::json* values;
};

struct TimelineFile {
  std::shared_ptr<const nlohmann::json> text;  // the other members point into it
  const nlohmann::json* metadata;
  std::map<std::string, std::vector<CompleteEvent>> tracks;  // by name; in order, outer ones first
  std::vector<FlowEvent> flows;
  std::map<std::string, std::vector<CounterEvent>> counters;  // by name
};

// Fails the calling test if the file violates a rule. An event lacks a field, events of a track
// overlap without nesting, a flow has only one end or no event at an end, or times of a counter
// decrease.
TimelineFile read_timeline(const std::filesystem::path& path);

}  // namespace vta::cli_test

#endif  // VTA_TESTS_CLI_TIMELINE_FILE_H_
