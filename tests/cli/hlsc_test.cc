// SPDX-License-Identifier: Apache-2.0
//
// vta-hlsc: IR, passes, options, bad input.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

TEST(Hlsc, PrintsTheIrOfADesignAndReadsItBack) {
  const ScratchFolder folder;
  const std::string source = "tests/unit/hw/hlsc/front/designs/branches.cc";
  const std::string text = run_ok({"vta-hlsc", "ir", "-I", ".", source});
  EXPECT_PRED2(contains, text, "design Branches\nstream in : 32 x 4\n");
  EXPECT_EQ(run_ok({"vta-hlsc", "ir", "-I", ".", source, "-o", folder / "b.hlsir"}), "");
  EXPECT_EQ(run_ok({"vta-hlsc", "ir", folder / "b.hlsir"}), text);
  EXPECT_PRED2(contains, run_ok({"vta-hlsc", "ir", "--help"}), "Example:\n  vta-hlsc ir ");
}

TEST(Hlsc, ListsStopsAndDumpsPasses) {
  const std::string source = "hw/hlsc/examples/sums.cc";
  const std::string list = run_ok({"vta-hlsc", "ir", "--list-passes"});
  EXPECT_PRED2(contains, list, "\npipeline:\n  1 ");
  const std::string dump =
      run_ok({"vta-hlsc", "ir", "-I", ".", source, "--dump-after", "demote_phis"});
  EXPECT_PRED2(contains, dump, "demote_phis on process sum\ndesign Sums\n");
  EXPECT_PRED2(contains, dump, "register sum_total_0 : 16\n");
  const ToolRun stopped =
      run({"vta-hlsc", "ir", "-I", ".", source, "--stop-after", "rotate_loops"});
  EXPECT_EQ(stopped.status, 0);
  EXPECT_PRED2(matches, stopped.err, "last pass execution: [0-9]+ rotate_loops on process sum\n");
  const ToolRun limited = run({"vta-hlsc", "ir", "-I", ".", source, "--pass-limit", "0"});
  EXPECT_PRED2(contains, limited.err, "last pass execution: none\n");
  EXPECT_EQ(limited.out, run_ok({"vta-hlsc", "ir", "-I", ".", source}));
  EXPECT_EQ(run_ok({"vta-hlsc", "ir", "-I", ".", source, "--legalized"}),
            run({"vta-hlsc", "ir", "-I", ".", source, "--pass-limit", "1000"}).out);
}

TEST(Hlsc, RejectsPassOptionsWithoutEffect) {
  const std::string source = "hw/hlsc/examples/sums.cc";
  const auto error = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"vta-hlsc", "ir", "-I", "."});
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, 2);
    return result.err;
  };
  EXPECT_PRED2(contains, error({source, "--list-passes"}), "--list-passes excludes FILE");
  EXPECT_PRED2(contains, error({"--list-passes", "--legalized"}), "--list-passes excludes FILE");
  EXPECT_PRED2(contains, error({source, "--legalized", "--pass-limit", "1"}),
               "--legalized excludes --dump-after");
  EXPECT_PRED2(contains, error({source, "--dump-after", "flatten_sums", "--pass-limit", "0"}),
               "--dump-after flatten_sums: the last pass execution comes before this pass");
  EXPECT_PRED2(contains, error({"--list-passes"}), "--list-passes excludes FILE, -I, -D");
}

TEST(Hlsc, WritesTheListOfPassesToAFile) {
  const ScratchFolder folder;
  EXPECT_EQ(run_ok({"vta-hlsc", "ir", "--list-passes", "-o", folder / "passes.txt"}), "");
  EXPECT_EQ(read_text_file(folder / "passes.txt"), run_ok({"vta-hlsc", "ir", "--list-passes"}));
}

// Before the source is compiled: it does not exist.
TEST(Hlsc, RejectsValuesOfOptionsWithTheirLimits) {
  const auto error = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "vta-hlsc");
    options.push_back("missing.cc");
    const ToolRun result = run(options);
    EXPECT_EQ(result.status, 2) << result.err;
    return result.err;
  };
  EXPECT_PRED2(contains, error({"verilog", "--period", "1"}), "--period 1: expected 2 to 1000 ns");
  EXPECT_PRED2(contains, error({"report", "--margin", "61"}),
               "--margin 61: expected 0 to 60 percent");
  EXPECT_PRED2(contains, error({"model", "--struct", "1a"}),
               "--struct 1a: expected a C++ identifier");
}

TEST(Hlsc, RefusesAnUnknownPassByTheNamesOfAll) {
  const ToolRun result =
      run({"vta-hlsc", "ir", "hw/hlsc/examples/sums.cc", "--stop-after", "fold"});
  EXPECT_EQ(result.status, 2);
  EXPECT_PRED2(contains, result.err, "fold not in {");
  EXPECT_EQ(run({"vta-hlsc", "ir"}).status, 2);
}

TEST(Hlsc, RefusesBadInputInOneLine) {
  const ScratchFolder folder;
  write_file(folder / "bad.hlsir", std::string("design d\nrom x"));
  write_file(folder / "bad.cc", std::string("int f( {\n"));
  write_file(folder / "none.cc", std::string("int f;\n"));
  const std::pair<std::string, std::string> cases[] = {
      {"bad.hlsir", "bad.hlsir:2: expected an object or a process at 'rom'"},
      {"bad.cc", "bad.cc:1:9: error: "},
      {"none.cc", "no HLS_PROCESS found"},
      {"missing.cc", "no such file"}};
  for (const auto& [name, reason] : cases) {
    const ToolRun result = run({"vta-hlsc", "ir", folder / name});
    EXPECT_EQ(result.status, 1) << name;
    EXPECT_PRED2(contains, result.err, reason);
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

// Ten thousand copies of a body take longer than this, also on a fast machine.
TEST(Hlsc, IsEndedByCtrlCAtOnce) {
  const ScratchFolder folder;
  write_file(folder.path() / "unrolled.cc", std::string(R"(
#include <cstdint>
#include "hw/hls/pragma.h"
#include "hw/hls/stream.h"
template <int N = 4>
struct Unrolled {
  HLS_STREAM(int32_t, in, 2);
  HLS_STREAM(int32_t, out, 2);
  HLS_PROCESS run() {
    for (;;) {
      int32_t sum = 0;
      const int32_t x = in.read();
      HLS_UNROLL for (int i = 0; i < 100; ++i) {
        HLS_UNROLL for (int j = 0; j < 100; ++j) sum += (x * i) ^ j;
      }
      out.write(sum);
    }
  }
};
template struct Unrolled<>;
)"));
  const ToolRun ended =
      run({"vta-hlsc", "verilog", "-I", ".", folder / "unrolled.cc", "-o", folder / "unrolled.sv"},
          {.interrupt_after = std::chrono::milliseconds(400)});
  EXPECT_EQ(ended.status, 128 + SIGINT) << ended.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "unrolled.sv"));
}

TEST(Hlsc, CosimLeavesNoFilesWhenASignalEndsIt) {
  const ScratchFolder folder;
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  // Clang's folder first, then that of the simulation.
  const auto verilates = [&] {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (std::filesystem::exists(entry.path() / "pins.cc")) return true;
    return false;
  };
  const ToolRun ended = run({"vta-hlsc", "cosim", "-I", ".", "hw/hlsc/examples/average.cc"},
                            {.kill_when = verilates, .signal = SIGTERM});
  ::unsetenv("TMPDIR");
  EXPECT_EQ(ended.status, 128 + SIGTERM) << ended.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace vta::cli_test
