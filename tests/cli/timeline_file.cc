// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/timeline_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files/file.h"

namespace vta::cli_test {
namespace {

using nlohmann::json;

const json kNoArguments = json::object();
constexpr uint64_t kLimitBytes = uint64_t{1} << 28;

class Reader {
 public:
  explicit Reader(std::shared_ptr<const json> text) : text_(*text) { file_.text = text; }

  TimelineFile read() {
    file_.metadata = &text_.at("otherData");
    for (const json& event : text_.at("traceEvents")) {
      if (event.at("ph") == "M" && event.at("name") == "thread_name")
        names_[event.at("tid")] = event.at("args").at("name");
    }
    for (const json& event : text_.at("traceEvents")) add(event);
    EXPECT_TRUE(starts_.empty()) << starts_.size() << " flows without an end";
    for (auto& [name, events] : file_.tracks) check_nesting(name, events);
    for (const FlowEvent& flow : file_.flows) check_flow(flow);
    return std::move(file_);
  }

 private:
  void add(const json& event) {
    EXPECT_EQ(event.at("pid"), 1);
    EXPECT_TRUE(event.at("tid").is_number_unsigned() && event.at("ts").is_number_unsigned() &&
                event.at("name").is_string())
        << event;
    const std::string phase = event.at("ph");
    if (phase == "X") {
      add_complete(event);
    } else if (phase == "s") {
      EXPECT_TRUE(starts_.emplace(event.at("id").get<uint64_t>(), event).second) << event;
    } else if (phase == "f") {
      add_flow(event);
    } else if (phase == "C") {
      add_counter(event);
    } else {
      EXPECT_EQ(phase, "M") << event;
      EXPECT_TRUE(event.at("args").is_object()) << event;
    }
  }

  void add_complete(const json& event) {
    EXPECT_TRUE(event.at("dur").is_number_unsigned() && event.at("cat").is_string()) << event;
    const uint64_t begin = event.at("ts");
    file_.tracks[names_.at(event.at("tid"))].push_back(
        {event.at("name"), event.at("cat"), begin, begin + event.at("dur").get<uint64_t>(),
         event.contains("args") ? &event.at("args") : &kNoArguments});
  }

  void add_flow(const json& event) {
    EXPECT_EQ(event.at("bp"), "e") << "else it binds to the next event";
    const auto start = starts_.find(event.at("id"));
    ASSERT_TRUE(start != starts_.end()) << event;
    const json& from = start->second;
    EXPECT_EQ(from.at("name"), event.at("name"));
    EXPECT_EQ(from.at("cat"), event.at("cat"));
    file_.flows.push_back({event.at("name"), names_.at(from.at("tid")), names_.at(event.at("tid")),
                           from.at("ts"), event.at("ts")});
    starts_.erase(start);
  }

  void add_counter(const json& event) {
    std::vector<CounterEvent>& counter = file_.counters[event.at("name")];
    for (const json& value : event.at("args")) EXPECT_TRUE(value.is_number()) << event;
    if (!counter.empty()) EXPECT_LE(counter.back().at, event.at("ts").get<uint64_t>());
    counter.push_back({event.at("ts"), &event.at("args")});
  }

  static void check_nesting(const std::string& track, std::vector<CompleteEvent>& events) {
    std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<uint64_t> open;  // ends
    for (const CompleteEvent& event : events) {
      while (!open.empty() && open.back() <= event.begin) open.pop_back();
      if (!open.empty()) EXPECT_LE(event.end, open.back()) << track << " at " << event.begin;
      open.push_back(event.end);
    }
  }

  void check_flow(const FlowEvent& flow) {
    EXPECT_LT(flow.from, flow.to);
    expect_event(flow.from_track, flow.from);
    expect_event(flow.to_track, flow.to);
  }

  // Top-level events are sequential, so only the last one that starts before `at` may contain it.
  void expect_event(const std::string& track, uint64_t at) {
    const std::vector<CompleteEvent>& events = file_.tracks[track];
    auto place = std::upper_bound(events.begin(), events.end(), at,
                                  [](uint64_t time, const auto& e) { return time < e.begin; });
    while (place != events.begin() && std::prev(place)->category == "wait") --place;
    EXPECT_TRUE(place != events.begin() && at < std::prev(place)->end)
        << track << ": a flow, but no event at " << at;
  }

  const json& text_;
  TimelineFile file_;
  std::map<uint64_t, std::string> names_;  // of tracks
  std::map<uint64_t, json> starts_;        // of flows without an end yet
};

}  // namespace

TimelineFile read_timeline(const std::filesystem::path& path) {
  return Reader(std::make_shared<json>(json::parse(read_text_file(path, kLimitBytes)))).read();
}

}  // namespace vta::cli_test
