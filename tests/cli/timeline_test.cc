// SPDX-License-Identifier: Apache-2.0
//
// --trace: the file agrees with the counters, and is the same on every device that counts cycles.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/timeline_file.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::array<const char*, 6> kStates = {"busy",      "wait_token", "wait_memory",
                                                "wait_port", "wait_queue", "idle"};
constexpr uint8_t kBusy = 0, kIdle = 5;

uint8_t state_of(const CompleteEvent& event) {
  if (event.category != "wait") return kBusy;
  const std::string name = event.name.substr(0, event.name.find(' '));
  const auto state = std::find(kStates.begin(), kStates.end(), name);
  EXPECT_TRUE(state != kStates.end()) << event.name;
  return static_cast<uint8_t>(state - kStates.begin());
}

// The state of each cycle of `layer` according to the track; no cycle is idle.
std::vector<uint8_t> states_in(const TimelineFile& file, const std::string& track,
                               const CompleteEvent& layer) {
  std::vector<uint8_t> states(layer.end - layer.begin, kIdle);
  for (const CompleteEvent& event : file.tracks.at(track)) {
    if (event.begin < layer.begin || event.begin >= layer.end) continue;
    EXPECT_LE(event.end, layer.end) << event.name;
    std::fill(states.begin() + (event.begin - layer.begin),
              states.begin() + (event.end - layer.begin), state_of(event));
  }
  return states;
}

json sums_of(const std::vector<uint8_t>& states) {
  json sums = {};
  for (size_t state = 0; state < kStates.size(); ++state)
    sums[kStates[state]] = std::count(states.begin(), states.end(), state);
  return sums;
}

// The rule of sim/timed/run_clock.h.
json sums_of_both(std::vector<uint8_t> first, const std::vector<uint8_t>& mover) {
  for (size_t i = 0; i < first.size(); ++i) {
    if (first[i] != kBusy && mover[i] != kIdle) first[i] = mover[i];
  }
  return sums_of(first);
}

void expect_states(const TimelineFile& file, const CompleteEvent& run, const json& stages) {
  const auto states = [&](const char* track) { return states_in(file, track, run); };
  EXPECT_EQ(stages.at("load"), sums_of_both(states("load (requests)"), states("load")));
  EXPECT_EQ(stages.at("gemm"), sums_of(states("gemm")));
  EXPECT_EQ(stages.at("alu"), sums_of(states("alu")));
  EXPECT_EQ(stages.at("store"), sums_of_both(states("store (reads)"), states("store")));
}

// The bytes that instructions of the layer moved, by counter. Returns the number of instructions.
uint64_t expect_work_of_the_report(const TimelineFile& file, const json& layer) {
  std::map<std::string, uint64_t> bytes;
  uint64_t instructions = 0;
  for (const char* track : {"load", "gemm", "alu", "store"}) {
    for (const CompleteEvent& work : file.tracks.at(track)) {
      if (work.category != "instruction" || work.arguments->at("layer") != layer.at("name"))
        continue;
      ++instructions;
      EXPECT_TRUE(work.arguments->at("text").get<std::string>().starts_with(work.name));
      const std::string kind = work.name.substr(0, work.name.find(".split"));
      bytes[kind] += work.arguments->value("bytes", uint64_t{0});
    }
  }
  EXPECT_EQ(bytes["load.inp"], layer.at("inp_load_nbytes"));
  EXPECT_EQ(bytes["load.wgt"], layer.at("wgt_load_nbytes"));
  EXPECT_EQ(bytes["load.uop"], layer.at("uop_load_nbytes"));
  EXPECT_EQ(bytes["load.acc"] + bytes["load.acc8"], layer.at("acc_load_nbytes"));
  EXPECT_EQ(bytes["store.out"], layer.at("out_store_nbytes"));
  return instructions;
}

void add(json& sums, const json& more) {
  for (const auto& [key, value] : more.items()) {
    if (value.is_object()) {
      add(sums[key], value);
    } else if (value.is_number_unsigned()) {
      sums[key] = (sums.contains(key) ? sums[key].get<uint64_t>() : 0) + value.get<uint64_t>();
    }
  }
}

// Compares the layers with the report, and each run with the sums of its layers. Views take no
// cycles, so that their place among the layers that begin in the same cycle is open.
void expect_layers_of_the_report(const TimelineFile& file, const json& report) {
  const auto takes_cycles = [](const json& layer) {
    return !layer.at("cycles").is_null() && layer.at("cycles") != 0;
  };
  std::vector<json> of_core;
  std::ranges::copy_if(report.at("layers"), std::back_inserter(of_core), takes_cycles);
  std::vector<CompleteEvent> layers = file.tracks.at("layers");
  std::erase_if(layers, [](const CompleteEvent& layer) { return layer.begin == layer.end; });
  ASSERT_EQ(layers.size(), of_core.size());
  size_t next = 0;
  for (const CompleteEvent& run : file.tracks.at("runs")) {
    SCOPED_TRACE(run.name);
    json sums = json::object();
    uint64_t instructions = 0;
    for (; next < layers.size() && layers[next].begin < run.end; ++next) {
      const json& layer = of_core[next];
      EXPECT_EQ(json(layers[next].name), layer.at("name"));
      EXPECT_EQ(layers[next].begin, layer.at("first_cycle"));
      EXPECT_EQ(layers[next].end - layers[next].begin, layer.at("cycles"));
      instructions += expect_work_of_the_report(file, layer);
      add(sums, layer);
    }
    EXPECT_EQ(run.end - run.begin, sums.at("cycles"));
    EXPECT_EQ(run.arguments->at("instructions"), instructions);
    for (const auto& [key, value] : run.arguments->items()) {
      if (key != "instructions") EXPECT_EQ(value, sums.at(key)) << key;
    }
    expect_states(file, run, sums.at("stages"));
  }
  EXPECT_EQ(next, layers.size());
}

// A value of 256 cycles lasts until the next one; the last one of a run, which is 0, until the next
// run.
uint64_t total(const TimelineFile& file, const std::string& counter, const std::string& master) {
  uint64_t bytes = 0;
  const std::vector<CounterEvent>& events = file.counters.at(counter);
  for (size_t i = 0; i + 1 < events.size(); ++i) {
    const uint64_t intervals = (events[i + 1].at - events[i].at + 255) / 256;
    bytes += intervals * events[i].values->at(master).get<uint64_t>();
  }
  return bytes;
}

uint64_t sum(const json& report, const std::string& counter) {
  return report.at("counters").at(counter);
}

void expect_traffic_of_the_report(const TimelineFile& file, const json& report) {
  EXPECT_EQ(total(file, "DRAM reads", "load"),
            sum(report, "inp_load_nbytes") + sum(report, "wgt_load_nbytes"));
  EXPECT_EQ(total(file, "DRAM reads", "acc"), sum(report, "acc_load_nbytes"));
  EXPECT_GE(total(file, "DRAM reads", "uop"), sum(report, "uop_load_nbytes"));  // whole beats
  EXPECT_EQ(total(file, "DRAM writes", "store"), sum(report, "out_store_nbytes"));
  uint64_t instructions = 0;
  for (const CompleteEvent& run : file.tracks.at("runs"))
    instructions += run.arguments->at("instructions").get<uint64_t>();
  EXPECT_EQ(total(file, "DRAM reads", "fetch"), 16 * instructions);
}

// Checks the arrows, and the tokens and waits in the arguments of instructions.
void expect_tokens_and_waits_that_agree(const TimelineFile& file) {
  std::map<std::string, int64_t> flows, pops, pushes;
  for (const FlowEvent& flow : file.flows) ++flows[flow.name];
  for (const auto& [track, events] : file.tracks) {
    std::map<std::string, int64_t> waits;  // of the instructions, minus the events
    for (const CompleteEvent& event : events) {
      if (event.category == "wait") waits[kStates[state_of(event)]] -= event.end - event.begin;
      const json own = event.arguments->value("waits", json::object());
      for (const auto& [state, cycles] : own.items()) waits[state] += cycles.get<int64_t>();
      for (const json& queue : event.arguments->value("pops", json::array())) ++pops[queue];
      for (const json& queue : event.arguments->value("pushes", json::array())) ++pushes[queue];
    }
    for (const auto& [state, cycles] : waits) EXPECT_EQ(cycles, 0) << track << ", " << state;
  }
  EXPECT_EQ(flows, pops);
  EXPECT_EQ(flows, pushes);
  EXPECT_FALSE(flows.empty());
}

ToolRun run_traced(const ScratchFolder& folder, const std::string& network,
                   const std::string& device, std::vector<std::string> more = {}) {
  std::vector<std::string> command = {"vta-sim", "run",    network,   "--device",
                                      device,    "--json", "--trace", "a.json"};
  command.insert(command.end(), more.begin(), more.end());
  return run(command, {folder.path(), {}});
}

void expect_timeline_of_the_report(const std::string& network, const std::string& device,
                                   const std::vector<std::string>& more = {}) {
  const ScratchFolder folder;
  const ToolRun result = run_traced(folder, network, device, more);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  const TimelineFile file = read_timeline(folder / "a.json");
  EXPECT_EQ(file.metadata->at("time"), "1 us is 1 cycle of the core");
  const json report = json::parse(result.out);
  expect_layers_of_the_report(file, report);
  expect_traffic_of_the_report(file, report);
  expect_tokens_and_waits_that_agree(file);
}

TEST(Timeline, OfResNet18IsValidAndSumsToTheCounters) {
  expect_timeline_of_the_report("resnet18.json", "timing");
}

TEST(Timeline, OfPlainProgramsIsValidAndSumsToTheCounters) {
  expect_timeline_of_the_report("resnet18.json", "timing:pynq-z1", {"--mode", "compatible"});
  expect_timeline_of_the_report("digits.json", "rtl:random", {"--mode", "compatible"});
}

TEST(Timeline, IsTheSameOfEveryDeviceThatCountsCycles) {
  for (const char* memory : {"ideal64", "random"}) {
    std::vector<std::string> texts;
    for (const std::string device : {"rtl", "cycle", "timing"}) {
      const ScratchFolder folder;
      ASSERT_EQ(run_traced(folder, "digits.json", device, {"--memory", memory}).status, 0);
      std::string text = read_text_file(folder / "a.json");
      const std::string uri = device + ":" + memory;
      for (size_t at; (at = text.find(uri)) != std::string::npos;) text.erase(at, uri.size());
      texts.push_back(text);
    }
    EXPECT_TRUE(texts[0] == texts[1]) << "rtl and cycle under " << memory;
    EXPECT_TRUE(texts[0] == texts[2]) << "rtl and timing under " << memory;
  }
}

TEST(Timeline, NumbersCyclesOverAllInferences) {
  const ScratchFolder folder;
  const ToolRun result = run_traced(folder, "digits.json", "timing", {"--repeat", "2"});
  ASSERT_EQ(result.status, 0);
  const TimelineFile file = read_timeline(folder / "a.json");
  const json report = json::parse(result.out);
  std::vector<uint64_t> cycles;  // of the second inference
  for (const json& layer : report.at("layers"))
    if (!layer.at("cycles").is_null()) cycles.push_back(layer.at("first_cycle"));
  const std::vector<CompleteEvent>& layers = file.tracks.at("layers");
  ASSERT_EQ(layers.size(), 2 * cycles.size());
  for (size_t i = 0; i < cycles.size(); ++i) EXPECT_EQ(layers[cycles.size() + i].begin, cycles[i]);
}

TEST(Timeline, NeedsADeviceThatCountsCyclesAndAPlaceForTheFile) {
  const ScratchFolder folder;
  const ToolRun untimed = run_traced(folder, "digits.json", "functional");
  EXPECT_EQ(untimed.status, 1);
  EXPECT_PRED2(contains, untimed.err,
               "--trace a.json: device 'functional' counts no cycles; use 'cycle', 'timing' or "
               "'rtl'");
  EXPECT_EQ(run_traced(folder, "digits.json", "lockstep:functional,rtl").status, 1);
  EXPECT_TRUE(fs::is_empty(folder.path()));
  fs::create_directory(folder / "traces");
  const ToolRun taken = run({"vta-sim", "run", "digits.json", "--trace", folder / "traces"});
  EXPECT_EQ(taken.status, 1);
  EXPECT_PRED2(contains, taken.err, "exists and is not a regular file");
  const ToolRun result = run({"vta-sim", "run", "digits.json", "--trace", "no/such/a.json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "--trace no/such/a.json: ");
}

TEST(Timeline, OfAFailedRunEndsWithTheWaitOfEachStage) {
  const ScratchFolder folder;
  write_file(folder / "program.asm",
             "load.inp pop_next sram=0 dram=0 size=[1,1] stride=1\nfinish\n");
  write_file(folder / "arena.bin", std::string(4096, '\0'));
  const RunPlace place = {folder.path(), {}};
  ASSERT_EQ(run({"vta-sim", "asm", "program.asm", "-o", "program.insns"}, place).status, 0);
  for (const char* device : {"rtl", "cycle"}) {
    const ToolRun result = run({"vta-sim", "exec", "--insns", "program.insns", "--arena",
                                "arena.bin", "--device", device, "--trace", "a.json"},
                               place);
    EXPECT_EQ(result.status, 1);
    EXPECT_PRED2(contains, result.err, "deadlock");
    const TimelineFile file = read_timeline(folder / "a.json");
    const CompleteEvent& run = file.tracks.at("runs").at(0);
    EXPECT_EQ(run.name, "program");
    EXPECT_TRUE(run.arguments->contains("fault"));
    const CompleteEvent& wait = file.tracks.at("load (requests)").back();
    EXPECT_EQ(wait.name, "wait_token gemm_to_load");
    EXPECT_EQ(wait.end, run.end);
  }
}

TEST(Timeline, LeavesNothingAfterCtrlC) {
  const ScratchFolder folder;
  const ToolRun result =
      run({"vta-sim", "run", "resnet18.json", "--device", "rtl", "--trace", "a.json"},
          {folder.path(), std::chrono::milliseconds(2500)});
  EXPECT_EQ(result.status, 130);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace vta::cli_test
