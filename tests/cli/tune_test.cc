// SPDX-License-Identifier: Apache-2.0
//
// vta-sim tune as documented: its log, what takes it, and errors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

using nlohmann::json;

TEST(VtaSimTune, WritesALogThatMakesTheNetworkFasterWithTheSameResults) {
  const ScratchFolder folder;
  const std::string log = folder / "log.jsonl", program = folder / "digits.vta";
  const std::vector<std::string> tune = {"vta-sim", "tune", "digits.json", "--trials", "12",
                                         "--log",   log,    "--schedules", "none",     "--json"};
  const auto tuned = run_json(tune);
  EXPECT_LT(tuned.at("cycles_after"), tuned.at("cycles_before"));
  EXPECT_GT(tuned.at("measured"), 0);
  const auto plain = run_json({"vta-sim", "run", "digits.json", "--schedules", "none"});
  const auto faster = run_json({"vta-sim", "run", "digits.json", "--schedules", log});
  EXPECT_EQ(plain.at("counters").at("cycles"), tuned.at("cycles_before"));
  EXPECT_EQ(faster.at("counters").at("cycles"), tuned.at("cycles_after"));
  EXPECT_EQ(plain.at("outputs"), faster.at("outputs"));

  const auto compiled =
      run_json({"vta-compile", "digits.json", "--schedules", log, "-o", program, "--json"});
  EXPECT_GT(compiled.at("schedules").at("layers_tuned"), 0);
  EXPECT_GT(compiled.at("schedules").at("tilings"), 0);
  const auto untuned = run_json({"vta-compile", "digits.json", "--schedules", "none", "--json"});
  EXPECT_EQ(untuned.at("schedules").at("layers_tuned"), 0);
  EXPECT_EQ(untuned.at("schedules").at("layers"), compiled.at("schedules").at("layers"));
  EXPECT_EQ(run_json({"vta-sim", "run", program}).at("counters"), faster.at("counters"));

  const auto resumed = run_json(tune);
  EXPECT_EQ(resumed.at("measured"), 0);
  EXPECT_GT(tuned.at("passes").at(0).at("measured"), 0);
  EXPECT_EQ(tuned.at("passes").back().at("cycles_after"), tuned.at("cycles_after"));
  EXPECT_EQ(tuned.at("cycles_of_log"), tuned.at("cycles_after"));
  EXPECT_EQ(resumed.at("passes").at(0).at("measured"), 0);
  EXPECT_EQ(resumed.at("passes").at(0).at("kept"), tuned.at("passes").at(0).at("kept"));
  EXPECT_EQ(resumed.at("tasks"), tuned.at("tasks"));
  EXPECT_EQ(resumed.at("cycles_after"), tuned.at("cycles_after"));
}

// scripts/zoo_schedules does so for all networks.
TEST(VtaSimTune, ShipsSchedulesThatMakeNetworksFasterWithTheSameResults) {
  for (const std::string network : {"digits.json", "resnet20_cifar.json"}) {
    const auto run = [&](std::vector<std::string> options) {
      options.insert(options.begin(), {"vta-sim", "run", network});
      return run_json(options);
    };
    const auto plain = run({"--schedules", "none"}), zoo = run({"--schedules", "zoo"});
    EXPECT_EQ(run({}).at("counters"), zoo.at("counters")) << network << ": the default";
    EXPECT_LT(zoo.at("counters").at("cycles"), plain.at("counters").at("cycles")) << network;
    EXPECT_EQ(zoo.at("outputs"), plain.at("outputs")) << network;
    EXPECT_EQ(run({"--schedules", "zoo", "--mode", "compatible"}).at("counters"),
              run({"--mode", "compatible"}).at("counters"))
        << network;
  }
}

// Also of what the search started from, the schedules that ship.
TEST(VtaSimTune, WritesALogThatReplaysToTheCycle) {
  std::vector<std::string> networks = {"digits.json", "resnet20_cifar.json"};
  if (std::getenv("VTA_NIGHTLY") != nullptr)
    networks.insert(networks.end(), {"mobilenet_v2.json", "resnet18.json", "squeezenet1.1.json"});
  for (const std::string& network : networks) {
    const ScratchFolder folder;
    const std::string log = folder / "log.jsonl";
    const auto cycles = [&](std::vector<std::string> options) {
      options.insert(options.begin(), {"vta-sim", "run", network, "--device", "timing"});
      return run_json(options).at("counters").at("cycles").get<uint64_t>();
    };
    const auto tuned =
        run_json({"vta-sim", "tune", network, "--trials", "8", "--log", log, "--json"});
    EXPECT_EQ(tuned.at("cycles_before"), cycles({})) << network;
    EXPECT_EQ(tuned.at("cycles_of_log"), tuned.at("cycles_after")) << network;
    EXPECT_EQ(cycles({"--schedules", log}), tuned.at("cycles_after")) << network;
    EXPECT_LE(tuned.at("cycles_after"), tuned.at("cycles_before")) << network;
    EXPECT_EQ(cycles({"--schedules", "zoo", "--schedules", log}), tuned.at("cycles_after"))
        << network;
  }
}

TEST(VtaSimTune, TakesSchedulesOfOneMemoryOnly) {
  const ScratchFolder folder;
  const std::string log = folder / "log.jsonl";
  const auto tuned = run_json({"vta-sim", "tune", "digits.json", "--trials", "12", "--log", log,
                               "--memory", "pynq-z1", "--json"});
  const auto cycles = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-sim", "run", "digits.json", "--memory", "pynq-z1"});
    return run_json(options).at("counters").at("cycles");
  };
  EXPECT_EQ(cycles({"--schedules", log}), cycles({"--schedules", "none"}));
  const auto use =
      run_json({"vta-compile", "digits.json", "--schedules", log, "--json"}).at("schedules");
  EXPECT_EQ(use.at("tilings"), 0) << "of another memory: " << use;
  EXPECT_EQ(use.at("layers_tuned"), 0);
  EXPECT_EQ(cycles({"--schedules", log, "--tuned-for", "pynq-z1"}), tuned.at("cycles_after"));
}

// The log names the memory with its clock, where that matters.
TEST(VtaSimTune, MeasuresAtTheClock) {
  const ScratchFolder folder;
  for (const auto& [memory, named] :
       {std::pair{"pynq-z1", "pynq-z1@200"}, {"ideal64", "ideal64"}}) {
    const std::string log = folder / memory;
    const auto tuned = run_json({"vta-sim", "tune", "digits.json", "--trials", "4", "--log", log,
                                 "--memory", memory, "--clock", "200", "--json"});
    EXPECT_PRED2(contains, read_text_file(log), "\"memory\":\"" + std::string(named) + "\"");
    const auto run = run_json({"vta-sim", "run", "digits.json", "--memory", memory, "--clock",
                               "200", "--schedules", log, "--tuned-for", named});
    EXPECT_EQ(run.at("counters").at("cycles"), tuned.at("cycles_after")) << memory;
    const std::string text = cli_test::run({"vta-sim", "tune", "digits.json", "--trials", "4",
                                            "--log", log, "--memory", memory, "--clock", "200"})
                                 .out;
    const std::string cure =
        std::string(named) == memory ? "" : " and --tuned-for " + std::string(named);
    EXPECT_PRED2(contains, text, "read it with --schedules" + cure + ")");
  }
}

// A saved log has what a terminal shows: a line for each task and phase.
TEST(VtaSimTune, PrintsPhasesAndDoneTasksWithoutATerminal) {
  const ScratchFolder folder;
  const std::vector<std::string> command = {"vta-sim", "tune",  "digits.json", "--trials",
                                            "9",       "--log", folder / "log"};
  const ToolRun tuned = run(command);
  EXPECT_EQ(tuned.status, 0) << tuned.err;
  for (const char* part :
       {"^Stage 1 of 2: 8 trials of each of [0-9]+ tasks\n",
        "\n\\[Task  1/ *[0-9]+\\] Current/Best: +[0-9.]+/ *[0-9.]+ GOPS \\| Progress: "
        "\\(8/8\\) \\| [0-9.]+ s Done\\.\n",
        "\nPass over the network: the 4 fastest tilings of each task\n\\[Pass  1/",
        "\nStage 2 of 2: 9 trials ", "\nMeasuring the network with the log\n$"})
    EXPECT_PRED2(matches, tuned.err, part);
  EXPECT_FALSE(contains(tuned.err, "\r"));
  run_json(command);  // nothing on stderr
}

TEST(VtaSimTune, StopsATaskEarly) {
  const ScratchFolder folder;
  const auto measured = [&](const std::string& log, std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-sim", "tune", "digits.json", "--trials", "32", "--log",
                                     folder / log, "--candidates", "1"});
    return run_json(options);
  };
  const json all = measured("all", {}), some = measured("some", {"--early-stopping", "4"});
  EXPECT_LT(some.at("measured"), all.at("measured"));
  EXPECT_LE(some.at("cycles_after"), some.at("cycles_before"));
  const json workers = measured("workers", {"--early-stopping", "4", "--workers", "2"});
  EXPECT_EQ(workers.at("cycles_after"), some.at("cycles_after"));
  EXPECT_EQ(workers.at("measured"), some.at("measured"));
  EXPECT_EQ(measured("some", {"--early-stopping", "4"}).at("measured"), 0);  // all in the log
}

TEST(VtaSimTune, RefusesBadOptionsAndLogsInOneLine) {
  const ScratchFolder folder;
  const std::string log = folder / "log.jsonl";
  const auto error = [](std::vector<std::string> options, int status) {
    options.insert(options.begin(), {"vta-sim", "tune", "digits.json"});
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_PRED2(contains, error({"--mode", "compatible"}, 2), "excludes --mode compatible");
  EXPECT_PRED2(contains, error({"--tuned-for", "ideal64"}, 2), "excludes --tuned-for");
  EXPECT_PRED2(contains, error({"--trials", "0"}, 2), "--trials");
  EXPECT_PRED2(contains, error({"--candidates", "0"}, 2), "--candidates");
  EXPECT_PRED2(contains, error({"--tasks", "1"}, 2), "it needs --independent");
  EXPECT_PRED2(contains, error({"--independent", "--tasks", "x", "--log", log}, 1), "--tasks: 'x'");
  EXPECT_PRED2(contains, error({"--tuner", "guess"}, 2), "--tuner");
  write_file(log, std::string("{}\n"));
  EXPECT_PRED2(contains, error({"--log", log}, 1), "log.jsonl:1: not a line of a schedule log");
  write_file(log, std::string("notes"));
  EXPECT_PRED2(contains, error({"--log", log}, 1),
               "log.jsonl: its last line is not one of a schedule log");
  EXPECT_EQ(read_text_file(log), "notes");
}

}  // namespace
}  // namespace vta::cli_test
