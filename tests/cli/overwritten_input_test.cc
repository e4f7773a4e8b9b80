// SPDX-License-Identifier: Apache-2.0
//
// No command overwrites what it reads: each output option of each command is given the name of each
// of its inputs, also of those that other files name, through a link.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;

// A command that reads all of `inputs`, without its outputs.
struct Reader {
  std::string name;
  std::vector<std::string> words;
  std::vector<std::string> outputs;  // options, each with the suffix that its files have: "-o x"
  std::vector<std::string> inputs;   // paths in the folder
};

// A folder with a copy of everything that commands read, which they may damage.
class Inputs {
 public:
  Inputs() {
    fs::copy("configs/networks/digits", at("digits"));
    fs::copy_file("configs/networks/digits.json", at("digits.json"));
    fs::copy_file("configs/cores/tiny_1x8.json", at("core.json"));
    fs::copy_file("configs/memories/pynq-z1.json", at("memory.json"));
    fs::copy_file(VTA_DIGITS_PROGRAM, at("digits.vta"));
    write_file(at("sums.cc"),
               "#include \"types.h\"\n" + read_text_file("hw/hlsc/examples/sums.cc"));
    write_file(at("types.h"), std::string("using Word = int;  // no code\n"));
    for (const char* name : {"weights.safetensors", "test.npz", "calibration.npz", "labels.txt"}) {
      const std::string original =
          name == std::string("weights.safetensors") ? "digits.safetensors" : name;
      fs::copy_file("configs/networks/digits/" + original, at(name));
    }
    write_file(at("log.jsonl"), std::string());
    run_ok({"vta-sim", "export", at("digits.vta"), at("raw")});
    write_file(at("text.asm"), run_ok({"vta-sim", "disasm", at("raw/001_conv1.insns")}));
  }

  std::string at(const std::string& name) const { return folder_ / name; }

  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (entry.is_regular_file() && !entry.is_symlink())
        files[entry.path().string()] = read_text_file(entry.path());
    }
    return files;
  }

 private:
  const ScratchFolder folder_;
};

std::vector<Reader> readers(const Inputs& in) {
  const std::vector<std::string> of_network = {"digits.json", "digits/digits.safetensors",
                                               "digits/sample.png", "digits/labels.txt",
                                               "digits/calibration.npz"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), of_network.begin(), of_network.end());
    return more;
  };
  const std::string digits = in.at("digits.json"), core = in.at("core.json"),
                    memory = in.at("memory.json"), log = in.at("log.jsonl"),
                    calibration = "npz:" + in.at("calibration.npz") + ":20",
                    test = "npz:" + in.at("test.npz") + ":5";
  const std::vector<std::string> recorded = {"--trace x.json", "--wave x.fst"};
  return {
      {"compile",
       {"vta-compile", digits, "--core", core, "--schedules", log, "--calibrate", calibration},
       {"-o x.vta", "--save-quantized x.vtaq"},
       with({"core.json", "log.jsonl", "calibration.npz"})},
      {"compile with weights",
       {"vta-compile", digits, "--weights", in.at("weights.safetensors")},
       {"-o x.vta", "--save-quantized x.vtaq"},
       {"digits.json", "weights.safetensors"}},
      {"run",
       {"vta-sim", "run", digits, "--device", "rtl", "--core", core, "--memory", memory, "--input",
        in.at("digits/sample.png"), "--labels", in.at("labels.txt")},
       {"--output x.npz", "--draw x.png", "--trace x.json", "--wave x.fst"},
       with({"core.json", "memory.json", "labels.txt"})},
      {"run of a program", {"vta-sim", "run", in.at("digits.vta")}, recorded, {"digits.vta"}},
      {"eval",
       {"vta-sim", "eval", digits, "--dataset", test, "--device", "functional"},
       {"--output x.csv", "--trace x.json"},
       with({"test.npz"})},
      {"report",
       {"vta-sim", "report", digits, "--memory", memory},
       {"-o x.html"},
       with({"memory.json"})},
      {"tune",
       {"vta-sim", "tune", digits, "--core", core, "--memory", memory, "--trials", "1"},
       {"--log x.jsonl"},
       with({"core.json", "memory.json"})},
      {"explore",
       {"vta-sim", "explore", digits, "--core", core, "--memory", memory, "--cache",
        in.at("cache")},
       {"-o x.json", "--page x.html"},
       with({"core.json", "memory.json"})},
      {"exec",
       {"vta-sim", "exec", "--insns", in.at("raw/001_conv1.insns"), "--arena",
        in.at("raw/arena.bin")},
       {"--out x.bin", "--trace x.json"},
       {"raw/001_conv1.insns", "raw/arena.bin"}},
      {"asm", {"vta-sim", "asm", in.at("text.asm")}, {"-o x.insns"}, {"text.asm"}},
      {"hlsc",
       {"vta-hlsc", "verilog", "-I", ".", in.at("sums.cc")},
       {"-o x.sv"},
       {"sums.cc", "types.h"}},
  };
}

TEST(OverwrittenInput, IsRefusedByEveryCommandForEveryInput) {
  const Inputs in;
  const std::map<std::string, std::string> before = in.contents();
  size_t count = 0;
  for (const Reader& reader : readers(in)) {
    for (const std::string& output : reader.outputs) {
      const size_t space = output.find(' ');
      const std::string option = output.substr(0, space), file = output.substr(space + 1);
      for (const std::string& input : reader.inputs) {
        SCOPED_TRACE(reader.name + ": " + option + " over " + input);
        const std::string link = in.at(file);
        fs::create_symlink(in.at(input), link);
        std::vector<std::string> words = reader.words;
        words.insert(words.end(), {option, link});
        const ToolRun refused = run(words);
        EXPECT_TRUE(refused.status == 1 || refused.status == 2) << refused.status;
        EXPECT_PRED2(contains, refused.err, "would be overwritten");
        fs::remove(link);
        ++count;
      }
    }
  }
  EXPECT_EQ(in.contents(), before) << "also nothing new";
  EXPECT_GT(count, 60);
}

TEST(OverwrittenInput, IsRefusedWhereAFolderHoldsIt) {
  const Inputs in;
  fs::create_directory(in.at("out"));
  for (const char* name : {"arena.bin", "program.json"}) {
    fs::create_hard_link(in.at("digits.vta"), in.at("out") + "/" + name);
    const ToolRun refused = run({"vta-sim", "export", in.at("digits.vta"), in.at("out")});
    EXPECT_EQ(refused.status, 1);
    EXPECT_PRED2(contains, refused.err, "would be overwritten");
    fs::remove(in.at("out") + "/" + name);
    EXPECT_TRUE(fs::is_empty(in.at("out")));
  }
}

TEST(OverwrittenInput, IsNotWhatLooksLikeOne) {
  const Inputs in;
  // A log is continued, also if the tilings are read from it.
  const std::vector<std::string> tune = {"vta-sim",          "tune",  in.at("digits.json"),
                                         "--trials",         "1",     "--schedules",
                                         in.at("log.jsonl"), "--log", in.at("log.jsonl")};
  EXPECT_EQ(run(tune).status, 0);  // with progress on stderr
  EXPECT_NE(read_text_file(in.at("log.jsonl")), "");
  EXPECT_EQ(run(tune).status, 0);
  // An output of an earlier call, whose name is also a value of another option.
  const ScratchFolder folder;
  for (int i = 0; i < 2; ++i) {
    run_ok({"vta-compile", "digits.json", "--mode", "fused", "-o", "fused"},
           {folder.path(), {}, {}});
    run_ok({"vta-compile", "digits.json", "-o", "/dev/null", "--save-quantized", "/dev/null"});
    run_ok({"vta-hlsc", "model", "--struct", "Model", "-o", "Model", "-I", in.at("."),
            in.at("sums.cc")},
           {folder.path(), {}, {}});
  }
}

}  // namespace
}  // namespace vta::cli_test
