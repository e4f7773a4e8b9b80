// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/stream_checker.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

constexpr uint64_t kArenaBytes = 4096;

// The error of check_stream() for a stream in assembly on `core`; "" if it is legal. All micro-ops
// are {0, 0, 0}.
std::string verdict(const std::string& assembly, uint32_t token_queue_depth = 1023) {
  CoreConfig core = load_core_config("tiny_1x8");
  core.token_queue_depth = token_queue_depth;
  const std::vector<uint8_t> image(1024, 0);
  return error_in(
      [&] { check_stream(isa::assemble(assembly, "test", core), core, image, kArenaBytes); },
      ErrorCode::kCorrupt);
}

constexpr char kLegal[] = R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
load.inp sram=0 dram=16 size=[1,1] stride=1
load.wgt push_next sram=0 dram=4 size=[1,1] stride=1
gemm.reset pop_prev uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
gemm uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
alu.add push_next uop=[0,1) iter=[1,1] dst=[0,0] imm=1
store.out pop_prev push_prev sram=0 dram=128 size=[1,1] stride=1
finish pop_next
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_says(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST(StreamChecker, AcceptsALegalStream) { EXPECT_EQ(verdict(kLegal), ""); }

TEST(StreamChecker, ReportsAReadBeforeTheLoadEnds) {
  std::string text = with(kLegal, "load.wgt push_next", "load.wgt");
  text = with(text, "gemm.reset pop_prev", "gemm.reset");
  expect_says(verdict(text), "access element 0 of INP without a token between them");
}

TEST(StreamChecker, ReportsAStoreBeforeTheComputationEnds) {
  std::string text = with(kLegal, "alu.add push_next", "alu.add");
  text = with(text, "store.out pop_prev", "store.out");
  expect_says(verdict(text), "access element 0 of OUT without a token");
}

TEST(StreamChecker, ReportsALoadBeforeTheReadEnds) {
  const std::string text =
      with(kLegal, "finish", "load.inp sram=0 dram=16 size=[1,1] stride=1\nfinish");
  expect_says(verdict(text), "access element 0 of INP without a token");
}

TEST(StreamChecker, ReportsStagesThatRaceForDram) {
  const std::string text =
      with(kLegal, "finish", "load.inp sram=1 dram=128 size=[1,1] stride=1\nfinish");
  expect_says(verdict(text), "access byte 1024 of DRAM without a token");
}

TEST(StreamChecker, ReportsLeftoverTokens) {
  expect_says(verdict(with(kLegal, "alu.add push_next", "alu.add push_prev push_next")),
              "1 token left");
}

TEST(StreamChecker, ReportsADeadlockWithTheWaitingInstructions) {
  expect_says(verdict(with(kLegal, "load.wgt push_next", "load.wgt")),
              "deadlock, waiting: 3 (gemm.reset");
}

TEST(StreamChecker, ReportsTokensBeyondTheQueue) {
  const std::string text = with(kLegal, "load.inp sram", "load.inp push_next sram");
  EXPECT_EQ(verdict(with(text, "gemm uop", "gemm pop_prev uop"), 2), "");
  // The store, first in its queue, pops what the second alu pushes only after the first has space.
  expect_says(verdict(R"(
alu.add push_next uop=[0,0) iter=[1,1] dst=[0,0] imm=1
alu.add push_next uop=[0,0) iter=[1,1] dst=[0,0] imm=1
load.uop pop_prev sram=0 dram=0 size=[0,0] stride=0
store.out pop_prev sram=0 dram=0 size=[0,0] stride=0
store.out pop_prev push_prev sram=0 dram=0 size=[0,0] stride=0
load.inp push_next sram=0 dram=0 size=[0,0] stride=0
load.uop pop_next sram=0 dram=0 size=[0,0] stride=0
load.inp pop_next sram=0 dram=0 size=[0,0] stride=0
finish
)",
                      1),
              "deadlock");
}

TEST(StreamChecker, ReportsIndicesAndRowsBeyondTheirMemories) {
  expect_says(verdict(with(kLegal, "gemm uop=[0,1) iter=[1,1] dst=[0,0]",
                           "gemm uop=[0,1) iter=[1,9] dst=[0,8]")),
              "an index of ACC is out of range: the limit is 32");
  expect_says(verdict(with(kLegal, "dram=128 size=[1,1]", "dram=511 size=[1,2]")),
              "out of the arena");
  expect_says(verdict(with(kLegal, "load.inp sram=0", "load.inp sram=32")), "out of range");
  expect_says(verdict(with(kLegal, "load.uop sram=0 dram=0", "load.uop sram=0 dram=256")),
              "outside the constant image");
}

TEST(StreamChecker, ReportsAMissingOrEarlyFinish) {
  expect_says(verdict(with(kLegal, "finish pop_next", "")), "FINISH");
  expect_says(verdict(with(kLegal, "finish", "finish\nfinish")), "FINISH");
}

TEST(StreamChecker, ReportsAFinishThatDoesNotWaitForTheLastStore) {
  std::string text = with(kLegal, "store.out pop_prev push_prev", "store.out pop_prev");
  text = with(text, "finish pop_next", "finish");
  expect_says(verdict(text), "instruction 6 (store.out");
  expect_says(verdict(text), "FINISH does not wait for this STORE");
  // It may be a later instruction of the same queue that pushes the token.
  text = with(text, "finish",
              "store.out push_prev sram=0 dram=0 size=[0,0] stride=0\nfinish pop_next");
  EXPECT_EQ(verdict(text), "");
}

TEST(StreamChecker, ReportsAnImmediateOperationWithAnotherSource) {
  const char* const kReads = "has an immediate, but its src is not its dst";
  expect_says(verdict(with(kLegal, "iter=[1,1] dst=[0,0] imm", "iter=[1,2] dst=[0,1] imm")),
              kReads);
  EXPECT_EQ(verdict(with(kLegal, "iter=[1,1] dst=[0,0] imm", "iter=[1,2] dst=[0,1] src=[0,1] imm")),
            "");
}

TEST(StreamChecker, HoldsGemmAndAluApartInSplitStreams) {
  const std::string split = R"(
load.uop.split sram=0 dram=0 size=[1,1] stride=1
gemm.reset.split push_next uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
alu.add.split pop_prev uop=[0,1) iter=[1,1] dst=[0,0] imm=1
finish
)";
  EXPECT_EQ(verdict(split), "");
  const std::string race = with(with(split, "gemm.reset.split push_next", "gemm.reset.split"),
                                "alu.add.split pop_prev", "alu.add.split");
  expect_says(verdict(race),
              "race: instructions 0 (load.uop.split sram=0 dram=0 size=[1,1] stride=1) and 2 "
              "(alu.add.split uop=[0,1) iter=[1,1] dst=[0,0] imm=1) access "
              "element 0 of UOP");
}

}  // namespace
}  // namespace vta
