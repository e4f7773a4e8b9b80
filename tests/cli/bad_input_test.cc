// SPDX-License-Identifier: Apache-2.0
//
// The corpus of bad input: for every file there is one clear line on stderr, nothing on stdout and
// exit status 1, also under the sanitizers.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/bad_files.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;

const fs::path kConfigs = VTA_SOURCE_FOLDER "/configs";
const fs::path kDigits = kConfigs / "networks/digits";
constexpr const char* kBad = "BAD";  // placeholder of the bad file in a command

// A command in which "BAD" is replaced by a file with the contents make(seed).
struct BadInput {
  std::string name;
  std::string file;  // file name, if it matters
  std::function<Bytes(uint64_t seed)> make;
  std::vector<std::string> command;
  int seeds = 1;
};

struct BadCase {
  const BadInput* input;
  uint64_t seed;
};

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

std::string digits_json() { return read_text_file(kConfigs / "networks/digits.json"); }
std::string tiny_core_json() { return read_text_file(kConfigs / "cores/tiny_1x8.json"); }

BadInput text_input(const std::string& name, const std::string& file, const std::string& text,
                    const std::vector<std::string>& command) {
  return {name, file, [text](uint64_t) { return bytes_of(text); }, command};
}

// Networks that are complete except for one error; file names in them are relative to the folder of
// digits.json.
std::vector<BadInput> bad_networks() {
  const std::vector<std::string> command = {"vta-compile", kBad};
  const auto digits = [](auto&& change) {
    return [change](uint64_t seed) { return bytes_of(change(digits_json(), seed)); };
  };
  std::vector<BadInput> inputs = {
      {"TruncatedNetwork", "n.json",
       [](uint64_t seed) { return truncated(bytes_of(digits_json()), seed); }, command, 10},
      {"MistypedNetwork", "n.json", digits(with_wrong_type), command, 25},
      {"SurplusKeyInNetwork", "n.json", digits(with_extra_key), command, 8},
      {"RandomNetwork", "n.json", [](uint64_t seed) { return random_bytes(500, seed); }, command,
       2},
      text_input("EmptyNetwork", "n.json", "", command),
      text_input("EmptyObjectNetwork", "n.json", "{}", command),
      text_input("ArrayNetwork", "n.json", "[1, 2, 3]", command),
      text_input("NumberNetwork", "n.json", "1e999", command),
      text_input("DeepNetwork", "n.json", std::string(200000, '['), command),
      text_input("InvalidUtf8Network", "n.json", "{\"name\": \"\xff\xfe\"}", command),
  };
  return inputs;
}

std::vector<BadInput> bad_weights() {
  const std::vector<std::string> command = {"vta-sim", "run", "digits.json", "--weights", kBad};
  const auto weights = [](uint64_t) { return read_file(kDigits / "digits.safetensors"); };
  return {
      {"TruncatedWeights", "w.safetensors",
       [=](uint64_t seed) { return truncated(weights(0), seed); }, command, 10},
      {"HugeHeaderWeights", "w.safetensors",
       [](uint64_t) { return Bytes{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, '{', '}'}; },
       command},
      {"RandomWeights", "w.safetensors", [](uint64_t seed) { return random_bytes(3000, seed); },
       command, 2},
      text_input("EmptyWeights", "w.safetensors", "", command),
      text_input("NoTensors", "w.safetensors", std::string("\x02\0\0\0\0\0\0\0{}", 10), command),
      {"TruncatedNpzWeights", "w.npz",
       [](uint64_t seed) { return truncated(read_file(kDigits / "test.npz"), seed); }, command, 6},
      {"NpzWithOtherArrays", "w.npz", [](uint64_t) { return read_file(kDigits / "test.npz"); },
       command},
      {"NpzWithHugeShape", "w.npz",
       [](uint64_t) {
         return npz_with(
             "x", "{'descr': '<f4', 'fortran_order': False, 'shape': (4000000000, 4000000000), }",
             {});
       },
       command},
      {"NpzWithObjects", "w.npz",
       [](uint64_t) {
         return npz_with("x", "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", {1});
       },
       command},
  };
}

std::vector<BadInput> bad_images() {
  const std::vector<std::string> command = {"vta-sim", "run", kDigitsProgram, "--input", kBad};
  const auto sample = [] { return read_file(kDigits / "sample.png"); };
  return {
      {"TruncatedPng", "i.png", [=](uint64_t seed) { return truncated(sample(), seed); }, command,
       8},
      {"FlippedBitInPng", "i.png",
       [=](uint64_t seed) {  // inside the signature or the header chunk, which its checksum guards
         Bytes png = sample();
         png.at(seed % 29) ^= 1 << (seed % 8);
         return png;
       },
       command, 6},
      {"RandomImage", "i.jpg", [](uint64_t seed) { return random_bytes(2000, seed); }, command, 2},
      {"JpegWithoutImage", "i.jpg", [](uint64_t) { return Bytes{0xff, 0xd8, 0xff, 0xd9}; },
       command},
      {"JpegOfGarbage", "i.jpg",
       [](uint64_t seed) {
         Bytes bytes = {0xff, 0xd8, 0xff, 0xe0};
         const Bytes garbage = random_bytes(600, seed);
         bytes.insert(bytes.end(), garbage.begin(), garbage.end());
         return bytes;
       },
       command, 4},
      {"HugePng", "i.png", [](uint64_t) { return png_claiming(0x7fffffff, 0x7fffffff); }, command},
      {"PngWithoutWidth", "i.png", [](uint64_t) { return png_claiming(0, 1); }, command},
      text_input("EmptyImage", "i.png", "", command),
      text_input("TextImage", "i.png", "a thousand words", command),
  };
}

std::vector<BadInput> bad_programs() {
  const std::vector<std::string> run_command = {"vta-sim", "run", kBad};
  const std::vector<std::string> disasm_command = {"vta-sim", "disasm", kBad};
  const auto program = [] { return read_file(kDigitsProgram); };
  return {
      {"TruncatedProgram", "p.vta", [=](uint64_t seed) { return truncated(program(), seed); },
       run_command, 8},
      {"FlippedBitInProgram", "p.vta",
       [=](uint64_t seed) { return with_flipped_bit(program(), seed); }, run_command, 12},
      {"MistypedProgram", "p.vta",
       [=](uint64_t seed) { return program_with_wrong_type(program(), seed); }, run_command, 15},
      {"RandomProgram", "p.vta", [](uint64_t seed) { return random_bytes(4000, seed); },
       run_command, 2},
      {"LongerProgram", "p.vta",
       [=](uint64_t) {
         Bytes bytes = program();
         bytes.push_back(0);
         return bytes;
       },
       run_command},
      {"DisassembledTruncatedProgram", "p.vta",
       [=](uint64_t seed) { return truncated(program(), seed); }, disasm_command, 2},
      text_input("EmptyProgram", "p.vta", "", run_command),
      text_input("TextProgram", "p.vta", "{\"program\": true}", run_command),
  };
}

std::vector<BadInput> bad_cores() {
  const std::vector<std::string> command = {"vta-compile", "digits.json", "--core", kBad};
  const auto tiny_with = [](const std::string& key, const nlohmann::json& value) {
    return [=](uint64_t) {
      auto core = nlohmann::json::parse(tiny_core_json());
      core[key] = value;
      return bytes_of(core.dump());
    };
  };
  return {
      {"TruncatedCore", "c.json",
       [](uint64_t seed) { return truncated(bytes_of(tiny_core_json()), seed); }, command, 6},
      {"MistypedCore", "c.json",
       [](uint64_t seed) { return bytes_of(with_wrong_type(tiny_core_json(), seed)); }, command, 8},
      {"SurplusKeyInCore", "c.json", tiny_with("turbo", 1), command},
      {"CoreOfNoBlock", "c.json", tiny_with("block_in", 0), command},
      {"CoreOfOddBlock", "c.json", tiny_with("block_out", 12), command},
      {"CoreOfNegativeBatch", "c.json", tiny_with("batch", -1), command},
      {"CoreOfHugeBuffer", "c.json", tiny_with("acc_buffer_bytes", 1ull << 40), command},
      {"CoreOfFractionalBuffer", "c.json", tiny_with("wgt_buffer_bytes", 1024.5), command},
      text_input("EmptyCore", "c.json", "", command),
      text_input(
          "VtaConfigWithHugeBlock", "c.json",
          R"({"TARGET": "sim", "HW_VER": "0.0.2", "LOG_INP_WIDTH": 3, "LOG_WGT_WIDTH": 3, "LOG_ACC_WIDTH": 5,
                     "LOG_BATCH": 0, "LOG_BLOCK": 40, "LOG_UOP_BUFF_SIZE": 15, "LOG_INP_BUFF_SIZE": 15,
                     "LOG_WGT_BUFF_SIZE": 18, "LOG_ACC_BUFF_SIZE": 17})",
          command),
      text_input("VtaConfigWithoutBuffers", "c.json", R"({"LOG_BLOCK": 4, "LOG_BATCH": 0})",
                 command),
  };
}

std::vector<BadInput> bad_raw_files() {
  const std::vector<std::string> exec_command = {"vta-sim", "exec",    "--insns",
                                                 kBad,      "--arena", kDigitsProgram};
  const std::vector<std::string> asm_command = {"vta-sim", "asm", kBad, "-o", "out.insns"};
  return {
      {"RandomInstructions", "x.insns", [](uint64_t seed) { return random_bytes(64, seed); },
       exec_command, 6},
      {"PartOfAnInstruction", "x.insns", [](uint64_t) { return Bytes(15); }, exec_command},
      text_input("NoInstructions", "x.insns", "", exec_command),
      {"PartOfAnInstructionToDisassemble",
       "x.insns",
       [](uint64_t) { return Bytes(17); },
       {"vta-sim", "disasm", kBad}},
      text_input("UnknownMnemonic", "x.s", "finish\nfly me=[1]\n", asm_command),
      text_input("OperandTooLarge", "x.s", "load.inp sram=70000 dram=0 size=[1,1] stride=1\n",
                 asm_command),
      text_input("UnfinishedOperand", "x.s", "gemm uop=[0,1\n", asm_command),
  };
}

std::vector<BadInput> bad_data_sets() {
  const auto eval = [](const std::string& kind) {
    return std::vector<std::string>{"vta-sim", "eval", "digits.json", "--dataset",
                                    kind + ":" + kBad};
  };
  const std::string floats = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, 8, 8), }";
  return {
      {"TruncatedCifar", "d.bin", [](uint64_t) { return Bytes(3072); }, eval("cifar10")},
      text_input("EmptyCifar", "d.bin", "", eval("cifar10")),
      {"CifarLabelBeyondClasses", "d.bin", [](uint64_t) { return Bytes(3073, 77); },
       eval("cifar10")},
      {"TruncatedNpz", "d.npz",
       [](uint64_t seed) { return truncated(read_file(kDigits / "test.npz"), seed); }, eval("npz"),
       4},
      {"NpzWithoutLabels", "d.npz",
       [=](uint64_t) { return npz_with("images", floats, Bytes(2 * 64 * 4)); }, eval("npz")},
      {"NpzWithoutImages", "d.npz",
       [=](uint64_t) { return npz_with("frames", floats, Bytes(2 * 64 * 4)); }, eval("npz")},
      {"NpzShorterThanItsShape", "d.npz",
       [=](uint64_t) { return npz_with("images", floats, Bytes(64 * 4)); }, eval("npz")},
  };
}

const std::vector<BadInput>& corpus() {
  static const std::vector<BadInput> inputs = [] {
    std::vector<BadInput> all;
    for (const auto& part : {bad_networks(), bad_weights(), bad_images(), bad_programs(),
                             bad_cores(), bad_raw_files(), bad_data_sets()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return inputs;
}

std::vector<BadCase> cases() {
  std::vector<BadCase> all;
  for (const BadInput& input : corpus()) {
    for (int seed = 0; seed < input.seeds; ++seed)
      all.push_back({&input, static_cast<uint64_t>(seed)});
  }
  return all;
}

class BadInputFile : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadInputFile, IsOneErrorLineAndStatusOne) {
  const auto& [input, seed] = GetParam();
  const ScratchFolder folder;
  // Networks name files relative to their own folder; the link makes these valid, so that the error
  // of the case is the only one.
  fs::create_directory_symlink(kDigits, folder.path() / "digits");
  write_file(folder / input->file, input->make(seed));
  std::vector<std::string> command = input->command;
  for (std::string& argument : command) {
    const size_t at = argument.find(kBad);
    if (at != std::string::npos)
      argument.replace(at, std::string(kBad).size(), folder / input->file);
  }
  const ToolRun result = run(command, {folder.path(), {}});
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_PRED2(matches, result.err, "^vta-(sim|compile): error: [^\n]+\n$");
  EXPECT_LT(result.err.size(), 1000u) << "a line that a person can read";
}

INSTANTIATE_TEST_SUITE_P(Corpus, BadInputFile, ::testing::ValuesIn(cases()), [](const auto& info) {
  return info.param.input->name + "_" + std::to_string(info.param.seed);
});

TEST(BadInputCorpus, HasAtLeastAHundredCases) { EXPECT_GE(cases().size(), 100u); }

// Sparse files that are large only in their nominal size.
class OversizedFile : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(OversizedFile, IsRefusedByItsSize) {
  const ScratchFolder folder;
  std::vector<std::string> command = GetParam();
  for (std::string& argument : command) {
    if (!argument.starts_with(kBad)) continue;
    argument = folder / ("huge" + argument.substr(std::string(kBad).size()));
    write_file(argument, std::string());
    fs::resize_file(argument, uint64_t{3} << 30);
  }
  const ToolRun result = run(command);
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_PRED2(matches, result.err, "^vta-(sim|compile): error: [^\n]*3221225472 bytes[^\n]*\n$");
}

INSTANTIATE_TEST_SUITE_P(
    Corpus, OversizedFile,
    ::testing::Values(
        std::vector<std::string>{"vta-compile", "BAD.json"},
        std::vector<std::string>{"vta-sim", "run", "digits.json", "--weights", "BAD.npz"},
        std::vector<std::string>{"vta-sim", "run", "digits.json", "--weights", "BAD.safetensors"},
        std::vector<std::string>{"vta-sim", "run", "digits.json", "--input", "BAD.png"},
        std::vector<std::string>{"vta-sim", "run", "digits.json", "--core", "BAD.json"},
        std::vector<std::string>{"vta-sim", "run", "BAD.vta"},
        std::vector<std::string>{"vta-sim", "asm", "BAD.s", "-o", "never"},
        std::vector<std::string>{"vta-sim", "exec", "--insns", "BAD.bin", "--arena", "BAD.bin"}));

}  // namespace
}  // namespace vta::cli_test
