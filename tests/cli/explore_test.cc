// SPDX-License-Identifier: Apache-2.0
//
// vta-sim explore as documented: cycles, resumption, the files it writes, and errors. Each core
// takes some seconds of compiler, so the cores are few and small.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

// A file that was being written at a kill keeps its temporary name.
size_t results_in(const fs::path& folder) {
  return static_cast<size_t>(std::ranges::count_if(
      files_in(folder), [](const fs::path& file) { return file.extension() == ".json"; }));
}

// Without what the call computed and what it found.
json result_of(json explored) {
  for (const char* key : {"measured", "found", "models_built", "models_found"}) explored.erase(key);
  return explored;
}

TEST(VtaSimExplore, CountsTheCyclesOfOtherDevicesAndContinues) {
  const ScratchFolder folder;
  const std::string cache = folder / "cache", core = folder / "core.json",
                    page = folder / "cores.html";
  const std::vector<std::string> explore = {
      "vta-sim", "explore",  "digits.json",     "--core",  "tiny_1x8", "--inp-buffer",
      "256,512", "--memory", "ideal64,pynq-z1", "--cache", cache,      "--workers",
      "2"};
  const json first = run_json(explore);
  EXPECT_EQ(first.at("measured"), 4);
  EXPECT_EQ(first.at("models_built"), 2);
  const json& tiny = first.at("cores").at(0);
  for (const json& run : tiny.at("runs")) {
    const json device = run_json({"vta-sim", "run", "digits.json", "--core", "tiny_1x8", "--device",
                                  "timing", "--memory", run.at("memory")});
    EXPECT_EQ(run.at("cycles"), device.at("counters").at("cycles")) << run;
  }

  // What says whether a routed clock is the core's: as the tables of hw/fpga/boards/timing have it.
  const ToolRun hash = run({"/usr/bin/env", "python3", "-c",
                            "from hw.fpga.flow import synthesis\n"
                            "print(synthesis.verilog_sha256('tiny_1x8'), end='')"});
  if (hash.status == 0) EXPECT_EQ(tiny.at("verilog_sha256"), hash.out);

  const json second = run_json(explore);
  EXPECT_EQ(second.at("found"), 4);
  EXPECT_EQ(second.at("models_built"), 0);
  EXPECT_EQ(result_of(second), result_of(first));

  // As after a kill: one result is missing, another damaged.
  const std::vector<fs::path> results = files_in(fs::path(cache) / "runs");
  ASSERT_EQ(results.size(), 4u);
  fs::remove(results[0]);
  write_file(results[1], std::string("{\"cyc"));
  std::vector<std::string> writing = explore;
  writing.insert(writing.end(), {"-o", core, "--page", page});
  const json third = run_json(writing);
  EXPECT_EQ(third.at("measured"), 2);
  EXPECT_EQ(result_of(third), result_of(first));

  const json& fastest = third.at("cores").at(third.at("front").at(0).get<size_t>());
  EXPECT_EQ(json::parse(read_text_file(core)), fastest.at("core"));
  EXPECT_PRED2(contains, read_text_file(page), fastest.at("name").get<std::string>());
  run_ok({"vta-compile", "digits.json", "--core", core});
  EXPECT_PRED2(contains, run_ok(explore), "* " + fastest.at("name").get<std::string>());
  EXPECT_PRED2(contains, run_ok(explore), "tilings: the tuned ones that ship");
}

TEST(VtaSimExplore, DistrustsWhatItsCacheHolds) {
  const ScratchFolder folder;
  const std::string cache = folder / "cache";
  const std::vector<std::string> explore = {"vta-sim", "explore",  "digits.json",
                                            "--core",  "tiny_1x8", "--token-queue-depth",
                                            "15",      "--cache",  cache};
  const json first = run_json(explore);
  const fs::path models = fs::path(cache) / "models";
  EXPECT_EQ(fs::status(models).permissions(), fs::perms::owner_all);
  std::vector<fs::path> libraries;
  for (const fs::path& file : files_in(cache)) {
    if (file.extension() == ".so") libraries.push_back(file);
  }
  ASSERT_FALSE(libraries.empty());
  const fs::path& library = libraries[0];
  const std::vector<uint8_t> whole = read_file(library);
  const auto again = [&](const std::string& what) {
    SCOPED_TRACE(what);
    fs::remove_all(fs::path(cache) / "runs");
    const json repeated = run_json(explore);
    EXPECT_GE(repeated.at("models_built"), 1);
    EXPECT_EQ(result_of(repeated), result_of(first));
  };
  std::vector<uint8_t> damaged = whole;
  damaged.resize(damaged.size() / 2);  // a page of it that the loader maps is not there
  write_file(library, damaged);
  again("truncated");
  damaged = whole;
  damaged[damaged.size() / 2] ^= 1;
  write_file(library, damaged);
  again("one bit");
  fs::rename(library, folder.path() / "elsewhere.so");
  fs::create_symlink(folder.path() / "elsewhere.so", library);
  again("a link");

  const std::vector<fs::path> results = files_in(fs::path(cache) / "runs");
  ASSERT_EQ(results.size(), 1u);
  for (const char* nonsense : {R"({"run": "x", "cycles": 0})", R"({"run": "x", "cycles": -5})",
                               R"({"run": "x", "cycles": 1e300})", R"({"run": "x"})", "[]",
                               R"({"run": "x", "cycles": 4611686018427387904})"}) {
    write_file(results[0], std::string(nonsense));
    const json repeated = run_json(explore);
    EXPECT_EQ(repeated.at("measured"), 1) << nonsense;
    EXPECT_EQ(result_of(repeated), result_of(first)) << nonsense;
  }

  fs::permissions(models, fs::perms::all);
  const ToolRun refused = run(explore);
  EXPECT_EQ(refused.status, 1);
  EXPECT_PRED2(contains, refused.err, "chmod go-w it");
}

TEST(VtaSimExplore, NeedsNeitherSigchldNorTakesAFullFolderForARefusedCore) {
  const ScratchFolder folder;
  const std::vector<std::string> explore = {
      tool_path("vta-sim"),  "explore", "digits.json", "--core",  "tiny_1x8",
      "--token-queue-depth", "15",      "--json",      "--cache", folder / "cache"};
  std::vector<std::string> words = {"/bin/sh", "-c", "trap '' CHLD; exec \"$0\" \"$@\""};
  words.insert(words.end(), explore.begin(), explore.end());
  const json explored = json::parse(run_ok(words));
  EXPECT_EQ(explored.at("measured"), 1);

  fs::remove_all(folder / "cache");
  words[2] = "TMPDIR=/nonexistent; export TMPDIR; exec \"$0\" \"$@\"";
  const ToolRun failed = run(words);
  EXPECT_EQ(failed.status, 1) << failed.out;
  EXPECT_PRED2(contains, failed.err, "no folder for temporary files ($TMPDIR)");
}

TEST(VtaSimExplore, LeavesNoPartOfAFileOnCtrlC) {
  const ScratchFolder folder, temporary;
  ::setenv("TMPDIR", temporary.path().c_str(), 1);
  for (const int milliseconds : {300, 1500, 3000}) {
    const ToolRun stopped = run({"vta-sim", "explore", "digits.json", "--core", "tiny_1x8",
                                 "--token-queue-depth", "7,15", "--cache", folder.path()},
                                {.interrupt_after = std::chrono::milliseconds(milliseconds)});
    EXPECT_EQ(files_in(temporary.path()), std::vector<fs::path>{});
    EXPECT_TRUE(stopped.status == 130 || stopped.status == 0) << stopped.err;
    for (const fs::path& file : files_in(folder.path()))
      EXPECT_TRUE(file.extension() == ".so" || file.extension() == ".json") << file;
  }
}

TEST(VtaSimExplore, ContinuesAfterKills) {
  const ScratchFolder folder;
  const auto explore = [&](const std::string& cache) {
    return std::vector<std::string>{"vta-sim", "explore",      "digits.json",
                                    "--core",  "tiny_1x8",     "--token-queue-depth",
                                    "7,15",    "--memory",     "ideal64,pynq-z1,random",
                                    "--cache", folder / cache, "--workers",
                                    "2"};
  };
  const json undisturbed = run_json(explore("undisturbed"));
  ASSERT_EQ(undisturbed.at("measured"), 6);

  const fs::path runs = folder.path() / "killed/runs";
  for (const size_t enough : {1, 4}) {
    const ToolRun killed =
        run(explore("killed"),
            {.kill_when = [&] { return fs::exists(runs) && results_in(runs) >= enough; }});
    EXPECT_EQ(killed.status, 128 + SIGKILL) << killed.err;
  }
  const size_t kept = results_in(runs);
  const json resumed = run_json(explore("killed"));
  EXPECT_EQ(resumed.at("found"), kept);
  EXPECT_EQ(resumed.at("measured"), 6 - kept);
  EXPECT_EQ(result_of(resumed), result_of(undisturbed));
  EXPECT_EQ(results_in(runs), 6u);
}

// At another clock: memories in bytes per second follow it, and a core that vta-hlsc refuses for it
// has the schedule of 100 MHz.
TEST(VtaSimExplore, MeasuresCoresAtOtherClocks) {
  const ScratchFolder folder;
  const json at = run_json({"vta-sim", "explore", "digits.json", "--core", "tiny_1x8", "--clock",
                            "100,400", "--memory", "ideal64,pynq-z1", "--cache", folder.path()});
  const json &slow = at.at("cores").at(0), &fast = at.at("cores").at(1);
  const auto cycles = [](const json& core, size_t run) {
    return core.at("runs").at(run).at("cycles").get<uint64_t>();
  };
  EXPECT_EQ(fast.at("clock_mhz"), 400);
  EXPECT_EQ(fast.at("scheduled_mhz"), 100);
  EXPECT_PRED2(contains, fast.at("schedule_refusal").get<std::string>(), "vta-hlsc report: ");
  EXPECT_EQ(at.at("front"), json::array({0}))
      << "no schedule shows that the other one meets its clock";
  EXPECT_EQ(slow.at("scheduled_mhz"), 100);
  EXPECT_FALSE(slow.contains("schedule_refusal"));
  EXPECT_EQ(cycles(fast, 0), cycles(slow, 0)) << "ideal64 is in cycles";
  EXPECT_GT(cycles(fast, 1), cycles(slow, 1)) << "pynq-z1 is in time";
  EXPECT_EQ(fast.at("runs").at(0).at("ms").get<double>(),
            slow.at("runs").at(0).at("ms").get<double>() / 4);
  const json run = run_json({"vta-sim", "run", "digits.json", "--core", "tiny_1x8", "--device",
                             "timing", "--memory", "pynq-z1", "--clock", "400"});
  EXPECT_EQ(run.at("counters").at("cycles"), cycles(fast, 1));
}

// A core that differs from vta_1x16 only in the depths of its queues has its tasks.
TEST(VtaSimExplore, UsesTheTilingsThatShipForTheSameTasks) {
  const ScratchFolder folder;
  const auto cycles = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-sim", "explore", "digits.json", "--token-queue-depth",
                                     "511", "--cache", folder.path()});
    return run_json(options).at("cores").at(0).at("runs").at(0).at("cycles").get<uint64_t>();
  };
  EXPECT_LT(cycles({}), cycles({"--schedules", "none"}));
}

// As a user goes on with a core that explore has written: it is not one of the build.
TEST(VtaSimExplore, WritesCoresThatOtherCommandsRun) {
  const ScratchFolder folder;
  const std::string core = folder / "core.json", log = folder / "log.jsonl";
  ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const json explored = run_json({"vta-sim", "explore", "digits.json", "--core", "tiny_1x8",
                                  "--token-queue-depth", "15", "--inp-buffer", "512", "-o", core});
  const json& cycles = explored.at("cores").at(0).at("runs").at(0).at("cycles");

  const json run = run_json({"vta-sim", "run", "digits.json", "--core", core});
  EXPECT_EQ(run.at("counters").at("cycles"), cycles);
  EXPECT_EQ(run.at("outputs"), run_json({"vta-sim", "run", "digits.json"}).at("outputs"));
  const json timed = run_json({"vta-sim", "run", "digits.json", "--core", core, "--no-compute"});
  EXPECT_EQ(timed.at("counters"), run.at("counters"));
  const json tuned =
      run_json({"vta-sim", "tune", "digits.json", "--core", core, "--trials", "2", "--log", log});
  EXPECT_EQ(tuned.at("cycles_before"), cycles);

  ::setenv("PATH", "/nonexistent", 1);
  ::setenv("XDG_CACHE_HOME", (folder / "empty").c_str(), 1);
  const ToolRun failed = cli_test::run({"vta-sim", "run", "digits.json", "--core", core});
  EXPECT_EQ(failed.status, 1);
  EXPECT_PRED2(matches, failed.err, "^vta-sim: error: core .* is not built in: cannot run clang");
}

TEST(VtaSimExplore, ShowsCoresThatCannotRunTheNetwork) {
  const ScratchFolder folder;
  const json explored = run_json({"vta-sim", "explore", "digits.json", "--core", "tiny_1x8",
                                  "--block-in", "16", "--cache", folder.path()});
  const json& core = explored.at("cores").at(0);
  EXPECT_FALSE(core.at("fits"));
  EXPECT_TRUE(core.at("mean_ms").is_null());
  EXPECT_PRED2(
      contains, core.at("runs").at(0).at("error").get<std::string>(),
      "block_in 16 and block_out 8 differ; a layer's output is the next one's input, in the "
      "same blocks: take a core with block_in = block_out, such as 8 x 8");
  EXPECT_EQ(explored.at("front"), json::array());
}

TEST(VtaSimExplore, RefusesBadInputInOneLine) {
  const ScratchFolder folder;
  const auto error = [&](std::vector<std::string> options, int status) {
    options.insert(options.begin(), {"vta-sim", "explore", "digits.json", "--core", "tiny_1x8",
                                     "--cache", folder.path()});
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    return result.err;
  };
  EXPECT_PRED2(contains, error({"--block-in", "8,x"}, 1), "--block-in: '8,x': expected numbers");
  EXPECT_PRED2(contains, error({"--block-in", "12"}, 1), "no core is legal");
  EXPECT_PRED2(contains, error({"--clock", "0"}, 1), "--clock: '0': expected clocks");
  EXPECT_PRED2(contains, error({"--part", "xc7"}, 2), "--part");
  EXPECT_PRED2(contains, error({"--max-share", "0"}, 2), "--max-share must be more than 0");
  EXPECT_PRED2(contains, error({"--choose", "x"}, 2), "it needs -o");
  EXPECT_PRED2(contains, error({"--choose", "x", "-o", folder / "c.json"}, 1),
               "--choose x: 1 core explored, none with this name");
  EXPECT_PRED2(contains, error({"--memory", "none"}, 1), "memory 'none' is neither a file");
  EXPECT_PRED2(contains, error({"--memory", "pynq-z1@125"}, 1),
               "memory 'pynq-z1@125' names a clock; explore takes each memory at the clocks of");
  EXPECT_PRED2(contains, error({"--compiler", "no-clang"}, 1), "cannot run no-clang");
  EXPECT_PRED2(contains, error({"--compiler", "false"}, 1), "false --version fails");
  EXPECT_PRED2(contains, error({"missing.json"}, 1), "missing.json");
}

}  // namespace
}  // namespace vta::cli_test
