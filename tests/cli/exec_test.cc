// SPDX-License-Identifier: Apache-2.0
//
// vta-sim export and exec: raw streams, faults and races.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "runtime/program/program.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Copies four ACC elements of 8 int32 to int8 outputs after them.
constexpr const char* kCopyProgram =
    "load.acc push_next sram=0 dram=0 size=[1,4] stride=4\n"
    "store.out pop_prev push_prev sram=0 dram=16 size=[1,4] stride=4\n"
    "finish pop_next\n";

TEST(VtaSim, ExportDescribesEveryStreamAndTensor) {
  const ScratchFolder folder;
  const std::string text = run_ok({"vta-sim", "export", "digits.json", folder / "raw"});
  const json description = json::parse(read_text_file(folder / "raw/program.json"));
  EXPECT_EQ(description.at("arena").at("bytes"), fs::file_size(folder / "raw/arena.bin"));
  EXPECT_EQ(description.at("core").at("block_in"), 16);
  std::map<fs::path, uint64_t> ends;  // instructions of each file
  for (const json& step : description.at("steps")) {
    if (step.at("kind") != "core") continue;
    const fs::path file = folder.path() / "raw" / step.at("file").get<std::string>();
    ends[file] = std::max(ends[file], step.at("first_instruction").get<uint64_t>() +
                                          step.at("num_instructions").get<uint64_t>());
  }
  ASSERT_FALSE(ends.empty());
  EXPECT_PRED2(contains, text,
               fmt::format(", {} instruction streams, program.json\n", ends.size()));
  for (const auto& [file, end] : ends) EXPECT_EQ(fs::file_size(file), 16 * end) << file;
}

// The step of the first stream of an exported program.
json first_stream(const std::string& folder) {
  const json description = json::parse(read_text_file(folder + "/program.json"));
  for (const json& step : description.at("steps")) {
    if (step.at("kind") == "core") return step;
  }
  ADD_FAILURE() << "no stream";
  return {};
}

TEST(VtaSim, ExportIsForOtherImplementations) {
  const ScratchFolder folder;
  const ToolRun low = run({"vta-sim", "export", "digits.json", folder / "low"});
  const ToolRun high = run({"vta-sim", "export", "digits.json", folder / "high", "--base", "4096"});
  EXPECT_EQ(low.status, 0);
  EXPECT_EQ(json::parse(read_text_file(folder / "low/program.json")).at("mode"), "compatible");
  EXPECT_PRED2(contains, low.out,
               "instructions access bytes below 4096, which VTA's virtual memory does not map; "
               "--base 4096 moves the arena\n");
  EXPECT_EQ(high.status, 0);
  EXPECT_PRED2(lacks, high.out, "below 4096");
  EXPECT_EQ(json::parse(read_text_file(folder / "high/program.json")).at("arena").at("base_bytes"),
            4096);
  EXPECT_EQ(read_file(folder / "low/arena.bin"), read_file(folder / "high/arena.bin"));
  const std::string stream = first_stream(folder / "low").at("file");
  EXPECT_NE(read_file(folder / ("low/" + stream)), read_file(folder / ("high/" + stream)));
  const auto exec = [&](const std::string& raw, const std::vector<std::string>& base) {
    std::vector<std::string> words = {"vta-sim", "exec",
                                      "--insns", folder / (raw + "/" + stream),
                                      "--arena", folder / (raw + "/arena.bin"),
                                      "--out",   folder / (raw + ".bin")};
    words.insert(words.end(), base.begin(), base.end());
    run_ok(words);
    return read_file(folder / (raw + ".bin"));
  };
  EXPECT_EQ(exec("low", {}), exec("high", {"--base", "4096"}));
  const ToolRun odd = run({"vta-sim", "export", "digits.json", folder / "odd", "--base", "4100"});
  EXPECT_EQ(odd.status, 1);
  EXPECT_PRED2(contains, odd.err,
               "base 4100 is not a multiple of 256, the bytes of core vta_1x16's");
  EXPECT_FALSE(fs::exists(folder / "odd/arena.bin"));
}

TEST(VtaSim, ExportSaysWhatOnlyThisCoreRuns) {
  const ScratchFolder folder;
  for (const std::vector<std::string>& source :
       {std::vector<std::string>{kDigitsProgram}, {"digits.json", "--mode", "fused"}}) {
    std::vector<std::string> words = {"vta-sim", "export"};
    words.insert(words.end(), source.begin(), source.end());
    words.push_back(folder / "raw");
    const ToolRun exported = run(words);
    EXPECT_EQ(exported.status, 0);
    EXPECT_PRED2(
        matches, exported.out,
        "\nnote: [0-9]+ of [0-9]+ instructions need this core's extension .* --mode compatible");
  }
}

TEST(VtaSim, NotesWhatItIgnoresInVtasConfiguration) {
  const ScratchFolder folder;
  const std::string file = folder / "vta_config.json";
  write_file(file, std::string(R"({"TARGET": "pynq", "HW_VER": "0.0.2", "LOG_INP_WIDTH": 3,
      "LOG_WGT_WIDTH": 3, "LOG_ACC_WIDTH": 5, "LOG_BATCH": 0, "LOG_BLOCK": 4, "LOG_UOP_BUFF_SIZE": 15,
      "LOG_INP_BUFF_SIZE": 15, "LOG_WGT_BUFF_SIZE": 18, "LOG_ACC_BUFF_SIZE": 16,
      "LOG_BLOCK_IN": 4, "LOG_BLOCK_OUT": 4, "LOG_OUT_WIDTH": 3, "LOG_OUT_BUFF_SIZE": 14})"));
  const std::vector<std::string> command = {"vta-sim", "run",      "digits.json", "--core",
                                            file,      "--device", "functional"};
  const ToolRun ran = run(command);
  EXPECT_PRED2(contains, ran.err, "note: core " + file + ": TARGET \"pynq\" is ignored\n");
  EXPECT_PRED2(contains, ran.err, "note: core " + file + ": HW_VER \"0.0.2\" is ignored\n");
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 3) << ran.err;
  // A core that is not in the build.
  EXPECT_EQ(ran.status, 1);
  EXPECT_PRED2(contains, ran.err,
               "vta-sim --device cycle compiles such a core when it is first used");
}

TEST(VtaSim, ExecRunsAnExportedStreamWithTheCountersOfItsLayers) {
  const ScratchFolder folder;
  run_ok({"vta-sim", "export", kDigitsProgram, folder / "raw"});
  const json description = json::parse(read_text_file(folder / "raw/program.json"));
  const json run_report = run_json({"vta-sim", "run", kDigitsProgram});
  size_t step_index = 0;
  while (description.at("steps")[step_index].at("kind") != "core") ++step_index;
  const json& step = description.at("steps")[step_index];
  const json report = run_json({"vta-sim", "exec", "--insns",
                                folder / ("raw/" + step.at("file").get<std::string>()), "--arena",
                                folder / "raw/arena.bin", "--out", folder / "after.bin"});
  EXPECT_EQ(report.at("counters"), [&] {
    json counters = json::object();
    for (size_t i = step_index; i < description.at("steps").size(); ++i) {
      const json& other = description.at("steps")[i];
      if (!other.contains("file") || other.at("file") != step.at("file")) continue;
      const json& layer = run_report.at("layers")[i];
      for (const std::string& name : kCounters)
        counters[name] = counters.value(name, uint64_t{0}) + layer.at(name).get<uint64_t>();
    }
    counters["cycles"] = counters["stages"] = nullptr;
    return counters;
  }());
  EXPECT_EQ(fs::file_size(folder / "after.bin"), fs::file_size(folder / "raw/arena.bin"));
}

TEST(VtaSim, ExecRunsAHandWrittenProgramAndWritesTheArena) {
  const ScratchFolder folder;
  write_file(folder / "copy.s", std::string(kCopyProgram));
  std::vector<uint8_t> arena(128 + 32, 0);
  for (int i = 0; i < 32; ++i) arena[4 * i] = static_cast<uint8_t>(3 * i);
  write_file(folder / "arena.bin", arena);
  run_ok({"vta-sim", "asm", folder / "copy.s", "-o", folder / "copy.insns", "--core", "tiny_1x8"});
  const json report =
      run_json({"vta-sim", "exec", "--insns", folder / "copy.insns", "--arena",
                folder / "arena.bin", "--out", folder / "after.bin", "--core", "tiny_1x8"});
  EXPECT_EQ(report.at("counters").at("acc_load_nbytes"), 128);
  EXPECT_EQ(report.at("counters").at("out_store_nbytes"), 32);
  for (int i = 0; i < 32; ++i) arena[128 + i] = static_cast<uint8_t>(3 * i);
  EXPECT_EQ(read_file(folder / "after.bin"), arena);
}

TEST(VtaSim, ExecReportsAFaultWithItsInstruction) {
  const ScratchFolder folder;
  write_file(folder / "bad.s",
             std::string("load.acc sram=0 dram=9999 size=[1,4] stride=4\nfinish\n"));
  write_file(folder / "arena.bin", std::vector<uint8_t>(64));
  run_ok({"vta-sim", "asm", folder / "bad.s", "-o", folder / "bad.insns"});
  const ToolRun result = run({"vta-sim", "exec", "--insns", folder / "bad.insns", "--arena",
                              folder / "arena.bin", "--out", folder / "x"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(matches, result.err, "^vta-sim: error: [^\n]*load.acc[^\n]*\n$");
  EXPECT_FALSE(fs::exists(folder / "x"));
  const ToolRun as_json = run({"vta-sim", "exec", "--insns", folder / "bad.insns", "--arena",
                               folder / "arena.bin", "--json"});
  EXPECT_EQ(as_json.status, 1);
  const json error = json::parse(as_json.out).at("error");
  EXPECT_EQ(error.at("fault"), "DRAM range");
  EXPECT_EQ(error.at("instruction"), 0);
  EXPECT_EQ(error.at("value"), 64 * (9999 + 4));
  EXPECT_PRED2(contains, error.at("message").get<std::string>(), "DRAM range: ends at byte");
}

// Writes `text` as NAME.insns and an arena of zeros; the command that executes them.
std::vector<std::string> assembled(const ScratchFolder& folder, const std::string& name,
                                   const std::string& text, size_t arena_bytes) {
  const std::string source = folder / (name + ".s"), stream = folder / (name + ".insns");
  write_file(source, text);
  write_file(folder / "arena.bin", std::vector<uint8_t>(arena_bytes));
  run_ok({"vta-sim", "asm", source, "-o", stream});
  return {"vta-sim", "exec", "--insns", stream, "--arena", folder / "arena.bin"};
}

// VTA's runtime leaves them undefined.
TEST(VtaSim, ExecNamesVtasConfigurationForAReservedBit) {
  const ScratchFolder folder;
  std::vector<std::string> command =
      assembled(folder, "dirty", "load.acc sram=0 dram=0 size=[1,1] stride=1\nfinish\n", 64);
  std::vector<uint8_t> stream = read_file(folder / "dirty.insns");
  stream.at(7) |= 0x08;
  write_file(folder / "dirty.insns", stream);
  command.push_back("--json");
  const ToolRun refused = run(command);
  EXPECT_EQ(refused.status, 1);
  const std::string cure =
      "reserved bit: bit 59 must be zero; a core without the extension ignores it: programs of VTA "
      "run with VTA's own configuration, --core vta_config.json";
  EXPECT_PRED2(contains, refused.err, cure);
  const json error = json::parse(refused.out).at("error");
  EXPECT_PRED2(contains, error.at("message").get<std::string>(), cure);
  EXPECT_EQ(error.at("fault"), "reserved bit");
}

// Two stages access INP without a token: other devices may give other bytes.
TEST(VtaSim, ExecChecksForRacesFirst) {
  const ScratchFolder folder;
  std::vector<std::string> command =
      assembled(folder, "racy",
                "load.acc push_next sram=0 dram=0 size=[1,1] stride=1\n"
                "store.out sram=0 dram=5 size=[1,1] stride=1\n"
                "store.out pop_prev sram=0 dram=5 size=[1,1] stride=1\nfinish\n",
                1024);
  command.push_back("--json");
  const ToolRun checked = run(command);
  EXPECT_EQ(checked.status, 1);
  EXPECT_PRED2(contains, checked.err,
               "racy.insns: race: instructions 0 (load.acc push_next sram=0 dram=0 size=[1,1] "
               "stride=1) and 1 (store.out sram=0 dram=5 size=[1,1] stride=1) access element 0 of "
               "OUT without a token between them: the result depends on the device's timing "
               "(--unchecked runs it anyway)\n");
  EXPECT_PRED2(contains, json::parse(checked.out).at("error").at("message").get<std::string>(),
               "race: ");
  command.push_back("--unchecked");
  const ToolRun unchecked = run(command);
  EXPECT_EQ(unchecked.status, 1) << "the simulator reports it, too";
  EXPECT_PRED2(contains, unchecked.err, "of OUT without a token between them\n");
}

// Another core, or the same one after another program, would give other bytes.
TEST(VtaSim, ExecRefusesMicroOpsThatNothingHasLoaded) {
  const ScratchFolder folder;
  std::vector<std::string> command =
      assembled(folder, "text",
                "load.acc sram=0 dram=0 size=[1,2] stride=2\n"
                "load.uop sram=0 dram=0 size=[1,2] stride=2\n"
                "alu.add uop=[1,3) iter=[1,1] dst=[0,0] src=[0,0] imm=8\nfinish\n",
                1024);
  const std::string message =
      "text.insns: instruction 2 (alu.add uop=[1,3) iter=[1,1] dst=[0,0] imm=8) uses "
      "micro-op 2, which no earlier LOAD of the program writes";
  const ToolRun checked = run(command);
  EXPECT_EQ(checked.status, 1);
  EXPECT_PRED2(
      contains, checked.err,
      message + ": the result depends on what the core ran before (--unchecked runs it anyway)\n");
  command.push_back("--unchecked");
  EXPECT_PRED2(contains, run(command).err, message + "\n");
}

// The first micro-op has a value that only the memory knows, the second one none.
TEST(VtaSim, ExecRefusesMicroOpsThatNothingHasLoadedAfterUnknownOnes) {
  const ScratchFolder folder;
  const ToolRun checked =
      run(assembled(folder, "text",
                    "load.acc sram=0 dram=0 size=[1,2] stride=2\n"
                    "load.uop sram=0 dram=256 size=[1,1] stride=1 push_next\n"
                    "alu.add uop=[0,2) iter=[1,1] dst=[0,0] src=[0,0] imm=8 push_next\n"
                    "store.out sram=0 dram=64 size=[1,1] stride=1 pop_prev\nfinish\n",
                    2048));
  EXPECT_EQ(checked.status, 1);
  EXPECT_PRED2(contains, checked.err,
               "uses micro-op 1, which no earlier LOAD of the program writes");
}

TEST(VtaSim, RunChecksAProgramFileForRaces) {
  const ScratchFolder folder;
  Program program = read_program(kDigitsProgram);
  const auto core = std::ranges::find(program.steps, ProgramStep::Kind::kCore, &ProgramStep::kind);
  // Without the pop of the first instruction that has one, two stages are not ordered.
  for (uint32_t i = 0; i < core->num_instructions; ++i) {
    uint8_t& flags = program.arena_image[core->stream_offset_bytes + 16 * i];
    const bool pops = (flags & 0x18) != 0;  // pop_prev, pop_next
    flags &= 0xe7;
    if (pops) break;
  }
  write_program(program, folder / "racy.vta");
  for (const char* option : {"", "--unchecked"}) {
    std::vector<std::string> command = {"vta-sim", "run", folder / "racy.vta"};
    if (*option != 0) command.push_back(option);
    const ToolRun result = run(command);
    EXPECT_EQ(result.status, 1);
    EXPECT_PRED2(contains, result.err, "race: instructions ");
    EXPECT_EQ(result.err.find("--unchecked runs it anyway") == std::string::npos, *option != 0);
  }
  expect_usage_error({"vta-sim", "run", "digits.json", "--unchecked"},
                     "--unchecked applies to programs");
}

TEST(VtaSim, ExecRefusesAnArenaThatEndsBeforeTheDataOfTheProgram) {
  const ScratchFolder folder;
  write_file(folder / "copy.s", std::string(kCopyProgram));
  write_file(folder / "arena.bin", std::string(128 + 31, 0));
  run_ok({"vta-sim", "asm", folder / "copy.s", "-o", folder / "copy.insns", "--core", "tiny_1x8"});
  const ToolRun result =
      run({"vta-sim", "exec", "--insns", folder / "copy.insns", "--arena", folder / "arena.bin",
           "--out", folder / "after.bin", "--core", "tiny_1x8"});
  EXPECT_EQ(result.status, 1);
  EXPECT_PRED2(contains, result.err, "accesses DRAM up to byte 160; the arena ends at byte 159");
  EXPECT_FALSE(fs::exists(folder / "after.bin"));
}

}  // namespace
}  // namespace vta::cli_test
