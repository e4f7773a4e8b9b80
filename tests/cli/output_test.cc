// SPDX-License-Identifier: Apache-2.0
//
// Outputs that cannot be written, and signals: an error in one line and status 1, and no file that
// is not complete.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;

// A shell's command; it starts tools as "$tools/NAME".
ToolRun run_shell(const std::string& line, const fs::path& folder = ".") {
  const std::string tools = "tools='" + fs::path(VTA_TOOL_FOLDER).string() + "'; ";
  return run({"/bin/bash", "-c", tools + line}, {folder, {}, {}});
}

TEST(Output, AnErrorNeedsNoStandardError) {
  EXPECT_EQ(run_shell("\"$tools\"/vta-sim run nosuch.json 2>&-").status, 1);
  EXPECT_EQ(run_shell("\"$tools\"/vta-sim run nosuch.json 2>/dev/full").status, 1);
  EXPECT_EQ(run_shell("\"$tools\"/vta-compile --nosuch 2>/dev/full").status, 2);
}

TEST(Output, ThatCannotBeWrittenIsAnError) {
  for (const std::string command :
       {"vta-sim run digits.json --json", "vta-sim --version", "vta-sim run --help",
        "vta-run " VTA_DIGITS_PROGRAM " --device functional --json",
        "vta-run " VTA_DIGITS_PROGRAM " --device functional --count 20"}) {
    for (const std::string to : {" >/dev/full", " >&-"}) {
      const ToolRun result = run_shell("\"$tools\"/" + command + to);
      EXPECT_EQ(result.status, 1) << command << to;
      EXPECT_PRED2(contains, result.err, "error: standard output: ") << command << to;
    }
  }
}

// The next file that is opened would get the number of a closed stream.
TEST(Output, OfClosedStreamsIsNotInAFile) {
  const ScratchFolder folder;
  const ToolRun whole = run({"vta-sim", "run", "digits.json", "--trace", folder / "whole.json"});
  ASSERT_EQ(whole.status, 0);
  run_shell("\"$tools\"/vta-sim run digits.json --trace closed.json >&- 2>&-", folder.path());
  EXPECT_EQ(read_text_file(folder / "closed.json"), read_text_file(folder / "whole.json"));
  // More than the C library buffers.
  const ToolRun large = run_shell("\"$tools\"/vta-sim disasm " VTA_DIGITS_PROGRAM " >/dev/full");
  EXPECT_EQ(large.status, 1);
  EXPECT_EQ(large.err, "vta-sim: error: standard output: No space left on device\n");
}

TEST(Output, BeyondALimitOfFileSizesIsAnErrorAndLeavesNoFile) {
  const ScratchFolder folder;
  const ToolRun result =
      run_shell("ulimit -f 1; exec \"$tools\"/vta-compile digits.json -o a.vta", folder.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "a.vta: cannot write: File too large");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Output, OfATimelineBeyondALimitNamesItsOptionAndFile) {
  const ScratchFolder folder;
  const ToolRun result =
      run_shell("ulimit -f 1; exec \"$tools\"/vta-sim run " VTA_DIGITS_PROGRAM " --trace a.json",
                folder.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "--trace a.json: File too large\n");
  EXPECT_PRED2(lacks, result.err, "a.json.");  // the temporary file
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Output, ATerminatedToolLeavesNoFile) {
  for (const std::string signal : {"TERM", "HUP"}) {
    const ScratchFolder folder;
    const ToolRun result = run_shell(
        "\"$tools\"/vta-sim run resnet18.json --device rtl --wave a.fst --trace b.json & tool=$!; "
        "until compgen -G 'a.fst.part*' >parts; do kill -0 $tool || exit 99; sleep 0.02; done; "
        "sleep 0.1; kill -" +
            signal + " $tool; wait $tool 2>/dev/null",
        folder.path());
    EXPECT_EQ(result.status, signal == "TERM" ? 128 + 15 : 128 + 1);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(read_text_file(folder / "parts"), "");
    fs::remove(folder / "parts");
    EXPECT_TRUE(fs::is_empty(folder.path())) << signal;
  }
}

TEST(Output, LinksAreFollowedAlsoToFilesThatDoNotExistYet) {
  const ScratchFolder folder;
  fs::create_directory(folder.path() / "there");
  fs::create_symlink("there/second", folder.path() / "first");
  fs::create_symlink("program.vta", folder.path() / "there/second");
  run_ok({"vta-compile", "digits.json", "-o", folder / "first"});
  EXPECT_TRUE(fs::is_regular_file(folder.path() / "there/program.vta"));
  fs::create_symlink("trace.json", folder.path() / "link");
  run_ok({"vta-sim", "run", "digits.json", "--trace", folder / "link"});
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_TRUE(fs::is_regular_file(folder.path() / "trace.json"));

  fs::create_symlink("b", folder.path() / "a");
  fs::create_symlink("a", folder.path() / "b");
  const ToolRun loop = run({"vta-compile", "digits.json", "-o", folder / "a"});
  EXPECT_EQ(loop.status, 1);
  EXPECT_PRED2(contains, loop.err, "a: cannot write: Too many levels of symbolic links");

  fs::create_symlink("c.vtaq", folder.path() / "c.vta");
  const ToolRun same = run({"vta-compile", "digits.json", "-o", folder / "c.vta",
                            "--save-quantized", folder / "c.vtaq"});
  EXPECT_EQ(same.status, 2);
  EXPECT_PRED2(contains, same.err, "name the same file");
}

TEST(Output, OfADeviceThatComputesNothingIsRefused) {
  const ScratchFolder folder;
  run_ok({"vta-sim", "export", VTA_DIGITS_PROGRAM, folder / "digits"});
  const ToolRun result =
      run({"vta-sim", "exec", "--insns", folder / "digits/001_conv1.insns", "--arena",
           folder / "digits/arena.bin", "--device", "timing", "--out", folder / "after.bin"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "after.bin: device 'timing' computes no results");
  EXPECT_FALSE(fs::exists(folder / "after.bin"));
}

TEST(Output, OfTwoProgramsIsNotExportedIntoOneFolder) {
  const ScratchFolder folder;
  run_ok({"vta-sim", "export", VTA_DIGITS_PROGRAM, folder / "both"});
  run_ok({"vta-sim", "export", VTA_DIGITS_PROGRAM, folder / "both"});
  run_ok({"vta-compile", "mlp.json", "-o", folder / "mlp.vta"});
  const ToolRun result = run({"vta-sim", "export", folder / "mlp.vta", folder / "both"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err,
               "both: holds 001_conv1.insns, which this program does not have");
}

}  // namespace
}  // namespace vta::cli_test
