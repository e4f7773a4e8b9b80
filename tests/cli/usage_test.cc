// SPDX-License-Identifier: Apache-2.0
//
// What all commands share: help, limits of numbers, options that exclude each other, unknown names,
// installation.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

TEST(VtaSim, NamesTheNearestOptionAndNetwork) {
  expect_usage_error({"vta-sim", "run", "digits.json", "--inptu", "x.png"},
                     "unknown option --inptu (did you mean '--input'?)");
  expect_usage_error({"vta-sim", "rnu", "digits.json"}, "rnu (did you mean 'run'?)");
  const ToolRun network = run({"vta-sim", "run", "resnte18"});
  EXPECT_EQ(network.status, 1);
  EXPECT_PRED2(contains, network.err, "(did you mean 'resnet18'?)");
}

TEST(VtaSim, HelpListsTheSubcommands) {
  const std::string text = run_ok({"vta-sim", "--help"});
  for (const char* name : {"run", "eval", "disasm", "asm", "info", "export", "exec"}) {
    EXPECT_PRED2(matches, text, std::string("\n  ") + name + " ");
  }
}

TEST(VtaSim, EvalOffersWhatItTakes) {
  const std::string eval = run_ok({"vta-sim", "eval", "--help"});
  EXPECT_PRED2(contains, eval, "network NET REQUIRED");
  EXPECT_PRED2(lacks, eval, ".vta)");
  EXPECT_PRED2(lacks, eval, "--no-compute");
  EXPECT_PRED2(contains, run_ok({"vta-sim", "run", "--help"}), "--no-compute");
}

TEST(VtaSim, NumbersAreWholeAndWithinTheirLimits) {
  const std::vector<std::string> exec = {"vta-sim", "exec", "--insns", "x", "--arena", "x"};
  const auto refuse = [&](const std::string& name, const std::string& value,
                          const std::string& what) {
    std::vector<std::string> command = exec;
    command.insert(command.end(), {name, value});
    expect_usage_error(command, what);
  };
  refuse("--repeat", "0", "--repeat: 0 is less than 1");
  refuse("--repeat", "4097", "--repeat: 4097 is more than 4096");
  refuse("--repeat", "99999999999", "--repeat: 99999999999 is more than 4096");
  refuse("--number", "1000001", "--number: 1000001 is more than 1000000");
  refuse("--number", "99999999999999999999",
         "expected an unsigned integer of at most 64 bits, got '99999999999999999999'");
  refuse("--number", "-1", "expected an unsigned integer of at most 64 bits, got '-1'");
  refuse("--number", "2.5", "got '2.5'");
  EXPECT_PRED2(contains, run_ok({"vta-sim", "exec", "--help"}), "(at most 4096)");
}

TEST(VtaSim, OptionsThatWouldDoNothingAreRefused) {
  const ToolRun seed = run({"vta-sim", "run", "digits.json", "--seed", "4"});
  EXPECT_EQ(seed.status, 1);
  EXPECT_PRED2(contains, seed.err, "seed 4: the weights come from 'digits/digits.safetensors'");
  expect_usage_error({"vta-sim", "disasm", kDigitsProgram, "--core", "tiny_1x8"},
                     "--core applies to raw streams only");
  expect_usage_error({"vta-sim", "disasm", "stream.insns", "--layer", "conv1"},
                     "--layer applies to programs only");
  expect_usage_error({"vta-sim", "disasm", "digits.json"},
                     "expected a program or a raw stream, got a network");
  expect_usage_error({"vta-sim", "bench", "mlp.json", "--fp32", "--core", "tiny_1x8"},
                     "--fp32 compiles nothing; it excludes --core");
  expect_usage_error({"vta-sim", "bench", "mlp.json", "--fp32", "--scales", "free"},
                     "--fp32 compiles nothing");
  expect_usage_error(
      {"vta-sim", "run", "mlp.json", "--schedules", "none", "--tuned-for", "ideal64"},
      "--schedules none has no tilings; it excludes --tuned-for");
  expect_usage_error(
      {"vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz", "--std", "7"},
      "the data set holds the network's inputs, not pixels; it excludes --preprocess");
  const ToolRun memory = run({"vta-sim", "run", "mlp.json", "--tuned-for", "nosuch"});
  EXPECT_EQ(memory.status, 1);
  EXPECT_PRED2(contains, memory.err, "--tuned-for: memory 'nosuch' is neither a file nor one of");
}

TEST(VtaSim, RefusesDecimalNumbersThatAreNoneOrBeyondTheirLimits) {
  for (const char* value : {"inf", "1e999", "nan", "0x10", " 5", "5x", ""}) {
    expect_usage_error({"vta-sim", "report", "mlp.json", "--clock", value},
                       std::string("--clock: expected a finite number, got '") + value + "'");
    expect_usage_error({"vta-sim", "compare", "a", "b", "--tolerance", value},
                       std::string("--tolerance: expected a finite number, got '") + value + "'");
    expect_usage_error({"vta-hlsc", "report", "x.cc", "--period", value},
                       std::string("--period: expected a finite number, got '") + value + "'");
  }
  expect_usage_error({"vta-sim", "report", "mlp.json", "--clock", "-1"},
                     "--clock: expected a number from 1 to 500, got '-1'");
  const ToolRun port = run({"vta-sim", "run", "digits.json", "--device", "rpc://a:65536"});
  EXPECT_EQ(port.status, 1);
  EXPECT_PRED2(contains, port.err, "'a:65536': port 65536, the highest is 65535");
  const ToolRun levels = run({"vta-sim", "run", "digits.json", "--scale", "1e300"});
  EXPECT_EQ(levels.status, 1);
  EXPECT_PRED2(contains, levels.err, "make a pixel of 255 in channel 0 inf, expected a finite");
}

TEST(VtaSim, WrongUsageIsOneLineAndStatusTwo) {
  expect_usage_error({"vta-sim", "--json", "run", "digits.json"},
                     "--json is an option of run; write it after 'run'");
  expect_usage_error({"vta-sim", "run", "digits.json", "--device", "cycle", "--device", "rtl"},
                     "--device is given 2 times; it may be given once");
  expect_usage_error({"vta-sim"}, "subcommand");
  expect_usage_error({"vta-sim", "fly"}, "fly");
  expect_usage_error({"vta-sim", "run"}, "program");
  expect_usage_error({"vta-sim", "run", "digits.json", "--nonsense"}, "--nonsense");
  expect_usage_error({"vta-sim", "run", "digits.json", "--mode", "slow"}, "slow");
  expect_usage_error({"vta-sim", "run", "digits.json", "--repeat", "0"}, "--repeat");
  expect_usage_error({"vta-sim", "run", "digits.json", "--seed", "many"}, "--seed");
  expect_usage_error({"vta-sim", "run", kDigitsProgram, "--mode", "fused"}, "already compiled");
  expect_usage_error({"vta-sim", "eval", "digits.json", "--dataset", "npz:digits/test.npz",
                      "--threads", "2", "--device", "rtl", "--trace", "t.json"},
                     "--threads 1");
  expect_usage_error({"vta-sim", "eval", kDigitsProgram, "--dataset", "npz:digits/test.npz"},
                     "fp32");
  expect_usage_error({"vta-sim", "exec", "--insns", "x"}, "--arena");
  expect_usage_error({"vta-compile"}, "network");
  expect_usage_error({"vta-compile", "digits.json", "--stop-after", "lunch"}, "lunch");
}

TEST(VtaSim, UnknownNamesAreErrorsThatSayWhereItLooked) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"vta-sim", "run", "nothing.json"},
        {"vta-sim", "run", "nothing.vta"},
        {"vta-sim", "run", "digits.json", "--device", "warp:9"},
        {"vta-sim", "run", "digits.json", "--core", "vta_9x99"},
        {"vta-sim", "run", "digits.json", "--input", "nothing.png"},
        {"vta-sim", "disasm", kDigitsProgram, "--layer", "nothing"}}) {
    const ToolRun result = run(command);
    EXPECT_EQ(result.status, 1);
    EXPECT_PRED2(matches, result.err, "^vta-sim: error: [^\n]*(nothing|warp|vta_9x99)[^\n]*\n$");
  }
}

TEST(Tools, RunFromAnInstallationWithItsOwnData) {
  const ScratchFolder prefix;
  run_ok({VTA_CMAKE, "--install", VTA_BUILD_FOLDER, "--prefix", prefix.path().string()});
  const std::string text =
      run_ok({prefix / "bin/vta-sim", "run", "digits.json"}, {prefix.path(), {}});
  EXPECT_PRED2(contains, text,
               "Input " + (prefix / "share/vta/configs/networks/digits/sample.png"));
}

TEST(Tools, CtrlCEndsQuietlyAndLeavesNoFile) {
  const ScratchFolder folder;
  const RunPlace place = {folder.path(), std::chrono::milliseconds(300)};
  const ToolRun result = run({"vta-sim", "run", "digits.json", "--repeat", "1000000"}, place);
  EXPECT_EQ(result.status, 130);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace
}  // namespace vta::cli_test
