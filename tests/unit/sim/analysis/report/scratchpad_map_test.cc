// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/scratchpad_map.h"

#include <gtest/gtest.h>

#include <cstring>

namespace vta::sim {
namespace {

// A run of one layer in which instruction i takes the cycles [10 i, 10 i + 10).
RecordedDeviceRun run_of(const std::string& text, const CoreConfig& core) {
  RecordedDeviceRun run;
  for (const isa::InstructionBits& bits : isa::assemble(text, "test", core)) {
    const auto index = static_cast<uint32_t>(run.instructions.size());
    run.instructions.push_back(isa::decode(bits, core));
    run.spans[0].push_back({10u * index, 10u * index + 10, 0, 0, index});
  }
  run.parts.push_back({"layer",
                       0,
                       static_cast<uint32_t>(run.instructions.size()),
                       0,
                       10 * run.instructions.size(),
                       {}});
  return run;
}

// DRAM whose first micro-ops are `uops`.
std::vector<uint8_t> image_of(const std::vector<isa::Uop>& uops, const CoreConfig& core) {
  std::vector<uint8_t> image(64);
  for (size_t i = 0; i < uops.size(); ++i) {
    const uint32_t word = isa::encode(uops[i], core);
    std::memcpy(&image[4 * i], &word, sizeof word);
  }
  return image;
}

using Regions = std::vector<ScratchpadRegion>;

class Map : public testing::Test {
 protected:
  Regions regions(const std::string& text, Scratchpad scratchpad) {
    const auto image = image_of({{40, 4, 2}}, core_);
    return scratchpad_map(run_of(text, core_), core_, image)
        .regions[static_cast<size_t>(scratchpad)];
  }
  const CoreConfig core_ = load_core_config("vta_1x16");
};

constexpr const char* kProgram = R"(
load.uop sram=0 dram=0 size=[1,1] stride=1
load.inp sram=4 dram=16 size=[2,3] stride=3
load.wgt sram=2 dram=4 size=[1,1] stride=1
gemm.reset uop=[0,1) iter=[1,6] dst=[0,1] src=[0,1] wgt=[0,0]
gemm uop=[0,1) iter=[1,6] dst=[0,1] src=[0,1] wgt=[0,0]
alu.add uop=[0,1) iter=[1,6] dst=[0,1] imm=1
alu.max uop=[0,1) iter=[1,6] dst=[0,1] imm=0
store.out sram=40 dram=100 size=[1,6] stride=6
)";

TEST_F(Map, ShowsDataFromTheirLoadToTheirLastReader) {
  EXPECT_EQ(regions(kProgram, Scratchpad::kInp), (Regions{{10, 50, 4, 6, 0}}));
  EXPECT_EQ(regions(kProgram, Scratchpad::kWgt), (Regions{{20, 50, 2, 1, 0}}));
  EXPECT_EQ(regions(kProgram, Scratchpad::kUop), (Regions{{0, 70, 0, 1, 0}}));
}

TEST_F(Map, ShowsAccumulatorsFromTheResetToTheLastPass) {
  EXPECT_EQ(regions(kProgram, Scratchpad::kAcc), (Regions{{30, 70, 40, 6, 0}}));
}

TEST_F(Map, ShowsOutputsOfTheLastPassUntilTheyAreStored) {
  EXPECT_EQ(regions(kProgram, Scratchpad::kOut), (Regions{{50, 60, 40, 6, 0}, {60, 80, 40, 6, 0}}));
}

TEST_F(Map, EndsWhatIsOverwrittenAndKeepsTheRest) {
  const std::string text =
      "load.inp sram=0 dram=16 size=[1,10] stride=10\n"
      "load.inp sram=4 dram=16 size=[1,2] stride=2\n";
  EXPECT_EQ(regions(text, Scratchpad::kInp),
            (Regions{{0, 10, 0, 4, 0}, {0, 10, 4, 2, 0}, {0, 10, 6, 4, 0}, {10, 20, 4, 2, 0}}));
}

TEST_F(Map, CountsPaddingAsLoaded) {
  EXPECT_EQ(
      regions("load.inp sram=0 dram=16 size=[2,3] stride=3 pad=[1,1,2,0]\n", Scratchpad::kInp),
      (Regions{{0, 10, 0, 20, 0}}));
}

}  // namespace
}  // namespace vta::sim
