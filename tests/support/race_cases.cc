// SPDX-License-Identifier: Apache-2.0
#include "tests/support/race_cases.h"

#include <cstring>

#include "hw/isa/instruction.h"

namespace vta::support {
namespace {

const std::vector<RaceCase> kCases = {
    {"LoadThenGemmReadsInp",
     R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
load.inp sram=0 dram=0 size=[1,3] stride=3
load.wgt push_next sram=0 dram=0 size=[1,1] stride=1
load.acc pop_prev sram=0 dram=0 size=[1,1] stride=1
load.inp @push sram=3 dram=0 size=[1,1] stride=1
gemm @pop uop=[0,1) iter=[4,1] dst=[0,0] src=[1,0] wgt=[0,0]
finish
)",
     "push_next", "pop_prev", 4, 5, "INP", 3},
    {"GemmReadsThenLoadWritesInp",
     R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
load.inp sram=0 dram=0 size=[1,4] stride=4
load.wgt push_next sram=0 dram=0 size=[1,1] stride=1
gemm pop_prev @push uop=[0,1) iter=[4,1] dst=[0,0] src=[1,0] wgt=[0,0]
load.inp @pop sram=3 dram=0 size=[1,1] stride=1
finish
)",
     "push_prev", "pop_next", 3, 4, "INP", 3},
    {"LoadThenGemmReadsWgt",
     R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
load.inp push_next sram=0 dram=0 size=[1,1] stride=1
load.acc pop_prev sram=0 dram=0 size=[1,1] stride=1
load.wgt @push sram=0 dram=0 size=[1,2] stride=2
gemm @pop uop=[0,1) iter=[1,2] dst=[0,0] src=[0,0] wgt=[0,1]
finish
)",
     "push_next", "pop_prev", 3, 4, "WGT", 0},
    {"GemmReadsThenLoadWritesWgt",
     R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
load.inp sram=0 dram=0 size=[1,1] stride=1
load.wgt push_next sram=0 dram=0 size=[1,2] stride=2
gemm pop_prev @push uop=[0,1) iter=[1,2] dst=[0,0] src=[0,0] wgt=[0,1]
load.wgt @pop sram=1 dram=0 size=[1,1] stride=1
finish
)",
     "push_prev", "pop_next", 3, 4, "WGT", 1},
    {"GemmThenAluWritesAcc",
     R"(
load.uop.split push_next sram=0 dram=0 size=[1,2] stride=2
load.inp sram=0 dram=0 size=[1,1] stride=1
load.wgt push_next sram=0 dram=0 size=[1,1] stride=1
load.acc.split pop_prev sram=9 dram=0 size=[1,1] stride=1
gemm.reset.split pop_prev @push uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
alu.add.split @pop uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1
finish
)",
     "push_next", "pop_prev", 4, 5, "ACC", 0},
    {"GemmThenAluReadsAcc",
     R"(
load.uop.split push_next sram=0 dram=0 size=[1,2] stride=2
load.inp sram=0 dram=0 size=[1,1] stride=1
load.wgt push_next sram=0 dram=0 size=[1,1] stride=1
load.acc.split pop_prev sram=9 dram=0 size=[1,1] stride=1
gemm.reset.split pop_prev @push uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
alu.add.split @pop uop=[1,2) iter=[1,1] dst=[0,0] src=[0,0]
finish
)",
     "push_next", "pop_prev", 4, 5, "ACC", 0},
    {"GemmThenLoadWritesAcc",
     R"(
load.uop.split push_next sram=0 dram=0 size=[1,2] stride=2
load.inp sram=0 dram=0 size=[1,1] stride=1
load.wgt push_next sram=0 dram=0 size=[1,1] stride=1
load.acc.split pop_prev sram=9 dram=0 size=[1,1] stride=1
gemm.reset.split pop_prev @push uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
load.acc.split @pop sram=0 dram=0 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 4, 5, "ACC", 0},
    {"GemmThenLoad8WritesAcc",
     R"(
load.uop.split push_next sram=0 dram=0 size=[1,2] stride=2
load.inp sram=0 dram=0 size=[1,1] stride=1
load.wgt push_next sram=0 dram=0 size=[1,1] stride=1
load.acc.split pop_prev sram=9 dram=0 size=[1,1] stride=1
gemm.reset.split pop_prev @push uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
load.acc8.split @pop sram=0 dram=0 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 4, 5, "ACC", 0},
    {"AluThenGemmAccumulates",
     R"(
load.uop.split push_next sram=0 dram=0 size=[1,2] stride=2
load.inp sram=0 dram=0 size=[1,1] stride=1
load.wgt push_next sram=0 dram=0 size=[1,1] stride=1
load.acc.split pop_prev sram=9 dram=0 size=[1,1] stride=1
alu.add.split @push uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1
gemm.split pop_prev @pop uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
finish
)",
     "push_prev", "pop_next", 4, 5, "ACC", 0},
    {"AluThenGemmOverwritesAcc",
     R"(
load.uop.split push_next sram=0 dram=0 size=[1,2] stride=2
load.inp sram=0 dram=0 size=[1,1] stride=1
load.wgt push_next sram=0 dram=0 size=[1,1] stride=1
load.acc.split pop_prev sram=9 dram=0 size=[1,1] stride=1
alu.add.split @push uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1
gemm.reset.split pop_prev @pop uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
finish
)",
     "push_prev", "pop_next", 4, 5, "ACC", 0},
    {"LoadThenGemmAccumulates",
     R"(
load.uop.split push_next sram=0 dram=0 size=[1,2] stride=2
load.inp sram=0 dram=0 size=[1,1] stride=1
load.wgt push_next sram=0 dram=0 size=[1,1] stride=1
load.acc.split pop_prev sram=9 dram=0 size=[1,1] stride=1
load.acc.split @push sram=0 dram=0 size=[1,1] stride=1
gemm.split pop_prev @pop uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
finish
)",
     "push_prev", "pop_next", 4, 5, "ACC", 0},
    {"AluReadsThenGemmWritesAcc",
     R"(
load.uop.split push_next sram=0 dram=0 size=[1,2] stride=2
load.inp sram=0 dram=0 size=[1,1] stride=1
load.wgt push_next sram=0 dram=0 size=[1,1] stride=1
load.acc.split pop_prev sram=9 dram=0 size=[1,1] stride=1
alu.add.split @push uop=[1,2) iter=[1,1] dst=[0,0] src=[0,0]
gemm.reset.split pop_prev @pop uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
finish
)",
     "push_prev", "pop_next", 4, 5, "ACC", 0},
    {"LoadThenAluReadsUop",
     R"(
load.acc.split sram=0 dram=0 size=[1,1] stride=1
load.uop.split @push sram=7 dram=0 size=[1,1] stride=1
alu.add.split @pop uop=[7,8) iter=[1,1] dst=[0,0] src=[0,0] imm=1
finish
)",
     "push_next", "pop_prev", 1, 2, "UOP", 7},
    {"AluReadsThenLoadWritesUop",
     R"(
load.uop.split push_next sram=7 dram=0 size=[1,1] stride=1
alu.add.split pop_prev @push uop=[7,8) iter=[1,1] dst=[0,0] src=[0,0] imm=1
load.uop.split @pop sram=7 dram=0 size=[1,1] stride=1
finish
)",
     "push_prev", "pop_next", 1, 2, "UOP", 7},
    {"LoadAccThenStoreReadsOut",
     R"(
load.acc @push sram=0 dram=0 size=[1,4] stride=4
store.out @pop sram=3 dram=256 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 0, 1, "OUT", 3},
    {"LoadAcc8ThenStoreReadsOut",
     R"(
load.acc8 @push sram=0 dram=0 size=[1,4] stride=4
store.out @pop sram=3 dram=256 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 0, 1, "OUT", 3},
    {"GemmThenStoreReadsOut",
     R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
gemm.reset @push uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
store.out @pop sram=0 dram=256 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 1, 2, "OUT", 0},
    {"AluThenStoreReadsOut",
     R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
load.acc sram=0 dram=0 size=[1,1] stride=1
alu.add @push uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1
store.out @pop sram=0 dram=256 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 2, 3, "OUT", 0},
    {"SplitAluThenStoreReadsOut",
     R"(
load.uop.split push_next sram=0 dram=0 size=[1,1] stride=1
load.acc.split pop_prev sram=0 dram=0 size=[1,1] stride=1
alu.add.split @push uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1
store.out @pop sram=0 dram=256 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 2, 3, "OUT", 0},
    {"StoreReadsThenLoadWritesOut",
     R"(
load.acc push_next sram=0 dram=0 size=[1,1] stride=1
store.out pop_prev @push sram=0 dram=256 size=[1,1] stride=1
load.acc @pop sram=0 dram=0 size=[1,1] stride=1
finish
)",
     "push_prev", "pop_next", 1, 2, "OUT", 0},
    {"StoreReadsThenGemmWritesOut",
     R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
gemm.reset push_next uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
store.out pop_prev @push sram=0 dram=256 size=[1,1] stride=1
gemm.reset @pop uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
finish
)",
     "push_prev", "pop_next", 2, 3, "OUT", 0},
    {"StoreReadsThenAluWritesOut",
     R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
gemm.reset push_next uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] wgt=[0,0]
store.out pop_prev @push sram=0 dram=256 size=[1,1] stride=1
alu.add @pop uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1
finish
)",
     "push_prev", "pop_next", 2, 3, "OUT", 0},
    {"StoreReadsThenSplitAluWritesOut",
     R"(
load.uop.split push_next sram=0 dram=0 size=[1,1] stride=1
alu.add.split pop_prev push_next uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1
store.out pop_prev @push sram=0 dram=256 size=[1,1] stride=1
alu.add.split @pop uop=[0,1) iter=[1,1] dst=[0,0] src=[0,0] imm=1
finish
)",
     "push_prev", "pop_next", 2, 3, "OUT", 0},
    {"StoreThenLoadReadsInpFromDram",
     R"(
load.acc push_next sram=0 dram=0 size=[1,1] stride=1
store.out pop_prev push_prev sram=0 dram=256 size=[1,1] stride=1
load.acc pop_next @push sram=0 dram=0 size=[0,0] stride=0
load.inp @pop sram=0 dram=256 size=[1,1] stride=1
finish
)",
     "push_prev", "pop_next", 1, 3, "DRAM", 2048},
    {"StoreThenLoadReadsWgtFromDram",
     R"(
load.acc push_next sram=0 dram=0 size=[1,1] stride=1
store.out pop_prev push_prev sram=0 dram=256 size=[1,1] stride=1
load.acc pop_next @push sram=0 dram=0 size=[0,0] stride=0
load.wgt @pop sram=0 dram=32 size=[1,1] stride=1
finish
)",
     "push_prev", "pop_next", 1, 3, "DRAM", 2048},
    {"StoreThenLoadReadsAccFromDram",
     R"(
load.acc push_next sram=0 dram=0 size=[1,1] stride=1
store.out pop_prev @push sram=0 dram=257 size=[1,1] stride=1
load.acc @pop sram=1 dram=64 size=[1,1] stride=1
finish
)",
     "push_prev", "pop_next", 1, 2, "DRAM", 2056},
    {"StoreThenLoadReadsAcc8FromDram",
     R"(
load.acc push_next sram=0 dram=0 size=[1,1] stride=1
store.out pop_prev @push sram=0 dram=257 size=[1,1] stride=1
load.acc8 @pop sram=1 dram=257 size=[1,1] stride=1
finish
)",
     "push_prev", "pop_next", 1, 2, "DRAM", 2056},
    {"StoreThenLoadReadsUopFromDram",
     R"(
load.acc push_next sram=0 dram=0 size=[1,1] stride=1
store.out pop_prev @push sram=0 dram=257 size=[1,1] stride=1
load.uop @pop sram=0 dram=515 size=[1,1] stride=1
finish
)",
     "push_prev", "pop_next", 1, 2, "DRAM", 2056},
    {"StoreThenSplitLoadReadsUopFromDram",
     R"(
store.out push_prev sram=9 dram=256 size=[1,1] stride=1
load.acc.split pop_next @push sram=0 dram=0 size=[0,0] stride=0
load.uop.split @pop sram=0 dram=512 size=[1,1] stride=1
finish
)",
     "push_prev", "pop_next", 0, 2, "DRAM", 2048},
    {"LoadReadsInpThenStoreWritesDram",
     R"(
load.inp @push sram=0 dram=256 size=[1,1] stride=1
load.acc @pop push_next sram=0 dram=0 size=[1,1] stride=1
store.out pop_prev sram=0 dram=256 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 0, 2, "DRAM", 2048},
    {"LoadReadsWgtThenStoreWritesDram",
     R"(
load.wgt @push sram=0 dram=32 size=[1,1] stride=1
load.acc @pop push_next sram=0 dram=0 size=[1,1] stride=1
store.out pop_prev sram=0 dram=257 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 0, 2, "DRAM", 2056},
    {"LoadReadsAccThenStoreWritesDram",
     R"(
load.acc @push sram=0 dram=64 size=[1,1] stride=1
store.out @pop sram=9 dram=258 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 0, 1, "DRAM", 2064},
    {"LoadReadsAcc8ThenStoreWritesDram",
     R"(
load.acc8 @push sram=0 dram=256 size=[1,1] stride=1
store.out @pop sram=9 dram=256 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 0, 1, "DRAM", 2048},
    {"LoadReadsUopThenStoreWritesDram",
     R"(
load.uop @push sram=0 dram=513 size=[1,1] stride=1
store.out @pop sram=9 dram=256 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 0, 1, "DRAM", 2048},
    {"SplitLoadReadsUopThenStoreWritesDram",
     R"(
load.uop.split @push sram=0 dram=512 size=[1,1] stride=1
load.acc.split @pop push_next sram=0 dram=0 size=[0,0] stride=0
store.out pop_prev sram=9 dram=256 size=[1,1] stride=1
finish
)",
     "push_next", "pop_prev", 0, 2, "DRAM", 2048},
};

std::string with_token(std::string text, const std::string& push, const std::string& pop) {
  text.replace(text.find("@push"), 5, push);
  text.replace(text.find("@pop"), 4, pop);
  return text;
}

}  // namespace

const std::vector<RaceCase>& race_cases() { return kCases; }

std::string legal_text(const RaceCase& race) { return with_token(race.text, race.push, race.pop); }
std::string racy_text(const RaceCase& race) { return with_token(race.text, "", ""); }

std::vector<uint8_t> race_case_arena(const CoreConfig& tiny) {
  std::vector<uint8_t> arena(kRaceProgramOffset);
  const uint32_t bits = isa::encode(isa::Uop{5, 0, 0}, tiny);
  std::memcpy(&arena[4], &bits, sizeof bits);
  return arena;
}

}  // namespace vta::support
