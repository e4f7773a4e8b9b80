// SPDX-License-Identifier: Apache-2.0
//
// Reports of two kernels against the files of golden/. A change of the scheduler changes them:
// check the difference, then rewrite them with
//   VTA_UPDATE_GOLDEN=1 build/release/tests/hlsc_report_test
#include "hw/hlsc/report/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "base/files/file.h"
#include "hw/hlsc/emit/verilog.h"
#include "hw/hlsc/report/resources.h"
#include "hw/hlsc/schedule/scheduler.h"
#include "tests/unit/hw/hlsc/schedule/compiled.h"

namespace vta::hlsc::report {
namespace {

Report report_of(const ir::Design& design) {
  const schedule::Schedule schedule = schedule::schedule(design, {});
  return report(design, schedule, bind::bind(design, schedule));
}

class GoldenReport : public testing::TestWithParam<const char*> {};

TEST_P(GoldenReport, IsThatOfTheFile) {
  const std::string text = text_of(report_of(compile_kernel(GetParam())), true);
  const std::string file = fmt::format("tests/unit/hw/hlsc/report/golden/{}.txt", GetParam());
  if (std::getenv("VTA_UPDATE_GOLDEN") != nullptr) write_file(file, text);
  EXPECT_EQ(text, read_text_file(file));
}

INSTANTIATE_TEST_SUITE_P(Kernels, GoldenReport, testing::Values("histogram", "token_ring"),
                         [](const auto& info) { return info.param; });

TEST(Report, HasTheSameInJson) {
  const Report report = report_of(compile_kernel("histogram"));
  const auto json = nlohmann::json::parse(json_of(report, true));
  EXPECT_EQ(json["design"], "Histogram");
  const auto& process = json["processes"][0];
  EXPECT_EQ(process["states"], report.processes[0].states);
  EXPECT_EQ(process["nests"].size(), report.processes[0].nests.size());
  EXPECT_EQ(process["nests"][1]["stalls"][0]["reason"], "an item");
  EXPECT_EQ(process["nests"][1]["rams"][0]["distance"], 1);
  EXPECT_EQ(process["operations"].size(), report.processes[0].operations);
  EXPECT_EQ(process["operations"].back()["value"], report.processes[0].schedule.back().value);
  EXPECT_EQ(json["memories"][0]["kind"], "ram");
  EXPECT_FALSE(
      nlohmann::json::parse(json_of(report, false))["processes"][0].contains("operations"));
}

TEST(Report, ShowsReadsThroughOutputRegisters) {
  const ir::Design design = compile_kernel("table_product");
  schedule::Options options;
  options.ram_output_registers = true;
  const schedule::Schedule schedule = schedule::schedule(design, options);
  const Report report = report::report(design, schedule, bind::bind(design, schedule));
  const std::string text = text_of(report, false);
  for (const char* line : {"RAM order: read in stage 0 through its output register,",
                           "RAM weights: read in stage 2 through its output register,",
                           "RAM counts: read in stage 3, written in stage 4;"})
    EXPECT_NE(text.find(line), std::string::npos) << line;
  const auto rams =
      nlohmann::json::parse(json_of(report, false))["processes"][0]["nests"][2]["rams"];
  EXPECT_EQ(rams[0]["output_register"], true);
  EXPECT_FALSE(rams[2].contains("output_register"));
  EXPECT_EQ(text_of(report_of(design), false).find("output register"), std::string::npos);
}

// Reasons for which stages of a kernel's nests may stall.
std::set<std::string> stall_reasons(const std::string& kernel) {
  std::set<std::string> reasons;
  for (const ProcessReport& process : report_of(compile_kernel(kernel)).processes) {
    for (const NestReport& nest : process.nests) {
      for (const Stall& stall : nest.stalls) reasons.insert(stall.reason);
    }
  }
  return reasons;
}

using Reasons = std::set<std::string>;

TEST(Report, NamesTheReasonsOfStalls) {
  EXPECT_EQ(stall_reasons("sums"), Reasons{"an item"});
  EXPECT_EQ(stall_reasons("slow_update"),
            (Reasons{"an item", "an older iteration's write", "space"}));
  EXPECT_EQ(stall_reasons("two_reads"), (Reasons{"an item", "an older iteration's read", "space"}));
  EXPECT_TRUE(stall_reasons("banked_ram").contains("a port grant"));
}

TEST(Report, LeavesTheOperationsOutUnlessTheyAreWanted) {
  const Report report = report_of(compile_kernel("histogram"));
  EXPECT_LT(text_of(report, false).size(), text_of(report, true).size() / 2);
  EXPECT_NE(text_of(report, true).find("tests/hls/kernels/histogram.cc:22"), std::string::npos);
}

// The emitter numbers the states that it writes; the one after a halt is none of the source's.
// Of the text for synthesis; some processes have another one for simulators.
size_t states_in_verilog(const ir::Design& design) {
  const schedule::Schedule schedule = schedule::schedule(design, {});
  std::istringstream text(emit::verilog(design, schedule, bind::bind(design, schedule)));
  const std::regex state(" *localparam \\[\\d+:0\\] S\\d+ =.*");
  size_t states = 0;
  int depth = 0;
  bool for_simulators = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("`if")) {
      ++depth;
    } else if (line.starts_with("`else")) {
      for_simulators |= depth == 1;
    } else if (line.starts_with("`endif")) {
      for_simulators &= depth-- != 1;
    } else if (!for_simulators && std::regex_match(line, state)) {
      ++states;
    }
  }
  return states;
}

TEST(Report, CountsTheStatesThatTheVerilogHas) {
  std::vector<std::string> names = kernel_names();
  for (const std::string& name : names) {
    const ir::Design design = compile_kernel(name);
    size_t states = 0;
    for (const ProcessReport& process : report_of(design).processes) states += process.states;
    EXPECT_EQ(states, states_in_verilog(design)) << name;
  }
}

TEST(Resources, AreBlockRamsByWidthAndDepth) {
  const auto ram = [](uint32_t width, uint32_t depth, uint32_t lane, uint32_t banks) {
    return ramb36({ir::ObjectKind::kRam, "m", width, depth, lane, banks, {}}, {{0}, {0}, false});
  };
  EXPECT_EQ(ram(36, 512, 36, 1), 0.5);
  EXPECT_EQ(ram(36, 512, 9, 1), 1);
  EXPECT_EQ(ram(32, 1024, 32, 1), 1);
  EXPECT_EQ(ram(72, 512, 72, 1), 1);
  EXPECT_EQ(ram(1, 32768, 1, 1), 1);
  EXPECT_EQ(ram(8, 129 * 4, 8, 4), 2);
  EXPECT_EQ(ram(8, 128 * 4, 8, 4), 0);
  EXPECT_EQ(ram(2048, 1024, 64, 1), 64);
}

TEST(Resources, OfARamDependOnItsPorts) {
  const ir::Object ram{ir::ObjectKind::kRam, "m", 36, 512, 36, 1, {}};
  EXPECT_EQ(ramb36(ram, {{0, 1}, {0}, true}), 1);
  EXPECT_EQ(ramb36(ram, {{}, {0}, false}), 0);
  EXPECT_EQ(ramb36(ram, {{0}, {}, false}), 0);
  ir::Object rom = ram;
  rom.initial.assign(512, llvm::APInt(36, 1));
  EXPECT_EQ(ramb36(rom, {{0}, {}, false}), 0.5);
}

TEST(Estimates, GoToOperationsByTheirFirstRegisterAndTheSlowestToItsProcess) {
  Report report;
  report.processes.resize(2);
  report.processes[0].name = "load";
  report.processes[1].name = "loads";
  report.processes[0].schedule = {{.step = 1, .value = 7},
                                  {.in_nest = true, .step = 2, .value = 7}};
  add_estimates(report, {{{"load", "sum_7_c"}, {2.0004, 8}},
                         {{"load", "sum_7_p2"}, {9, 8}},
                         {{"load", "sum_7_p3"}, {3, 8}},
                         {{"load", "hls_state"}, {4.5, 2}}});
  const ProcessReport& load = report.processes[0];
  EXPECT_EQ(load.schedule[0].estimated_ns, 2);
  EXPECT_EQ(load.schedule[1].estimated_ns, 3);
  EXPECT_EQ(load.estimated_ns, 9);
  EXPECT_EQ(load.register_bits, 26U);
  EXPECT_FALSE(report.processes[1].estimated_ns.has_value());
  EXPECT_NE(text_of(report, false).find("0 DSP48E1, 9.0 ns by estimate\n"), std::string::npos);
  EXPECT_NE(json_of(report, false).find("\"estimated_ns\": 9"), std::string::npos);
}

TEST(Resources, AreBlockRamsForLongFifosOnly) {
  const auto fifo = [](uint32_t width, uint32_t depth) {
    return ramb36_of_fifo({ir::ObjectKind::kStream, "s", width, depth, 0, 1, {}});
  };
  EXPECT_EQ(fifo(64, 64), 0);
  EXPECT_EQ(fifo(64, 65), 1);
  EXPECT_EQ(fifo(0, 1000), 0);
}

// The product of a row of inputs and a block of weights: two of its products in each DSP48E1.
TEST(Resources, OfTheCoreFitTheDevice) {
  const ir::Design design = compile_core("vta_1x16");
  const Report all = report_of(design);
  const auto gemm = std::find_if(all.processes.begin(), all.processes.end(),
                                 [](const ProcessReport& p) { return p.name == "gemm"; });
  ASSERT_NE(gemm, all.processes.end());
  EXPECT_GE(gemm->dsp48e1, 128u);
  EXPECT_LT(gemm->dsp48e1, 140u);
  double blocks = 0;
  for (const MemoryReport& memory : all.memories) blocks += memory.ramb36;
  EXPECT_LE(blocks, 140);  // of the XC7Z020
}

}  // namespace
}  // namespace vta::hlsc::report
