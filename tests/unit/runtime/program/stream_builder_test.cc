// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/stream_builder.h"

#include <gtest/gtest.h>

namespace vta::program {
namespace {

constexpr auto kImage = DramAddress::Area::kImage;
constexpr auto kActivations = DramAddress::Area::kActivations;

isa::Instruction transfer(uint32_t opcode, uint32_t memory) {
  isa::Instruction i;
  i.opcode = opcode;
  i.memory = memory;
  i.y_size = i.x_size = i.x_stride = 1;
  return i;
}
isa::Instruction load(uint32_t memory) { return transfer(isa::kLoad, memory); }
isa::Instruction store() { return transfer(isa::kStore, isa::kOut); }
isa::Instruction compute(uint32_t opcode) {
  isa::Instruction i;
  i.opcode = opcode;
  i.uop_end = i.iter_out = i.iter_in = 1;
  i.use_imm = opcode == isa::kAlu;
  return i;
}

std::vector<isa::Instruction> decoded(const StreamBuilder& builder) {
  std::vector<isa::Instruction> result;
  for (const auto& bits : builder.finish(1 << 16))
    result.push_back(isa::decode(bits, builder.core()));
  return result;
}

// "pop_prev push_next" and so on.
std::string flags(const isa::Instruction& i) {
  std::string text;
  if (i.pop_prev) text += "pop_prev ";
  if (i.pop_next) text += "pop_next ";
  if (i.push_prev) text += "push_prev ";
  if (i.push_next) text += "push_next ";
  return text;
}

TEST(StreamBuilder, ConnectsAdjacentStagesWithOneTokenEachWay) {
  StreamBuilder builder(load_core_config("vta_1x16"), true);
  const auto inp = builder.add(load(isa::kInp), {kImage, 0});
  const auto gemm = builder.add(compute(isa::kGemm), {inp});
  builder.add(load(isa::kInp), {kImage, 0}, {gemm});
  const auto stream = decoded(builder);
  ASSERT_EQ(stream.size(), 4u);
  EXPECT_EQ(flags(stream[0]), "push_next ");
  EXPECT_EQ(flags(stream[1]), "pop_prev push_prev ");
  EXPECT_EQ(flags(stream[2]), "pop_next ");
  EXPECT_EQ(flags(stream[3]), "");
  EXPECT_EQ(stream[3].opcode, isa::kFinish);
}

TEST(StreamBuilder, OmitsWaitsThatQueueOrderOrAnEarlierWaitImplies) {
  StreamBuilder builder(load_core_config("vta_1x16"), true);
  const auto first = builder.add(load(isa::kInp), {kImage, 0});
  const auto second = builder.add(load(isa::kWgt), {kImage, 0}, {first});
  const auto gemm = builder.add(compute(isa::kGemm), {first, second});
  builder.add(compute(isa::kGemm), {first, gemm});
  const auto stream = decoded(builder);
  EXPECT_EQ(flags(stream[0]), "");
  EXPECT_EQ(flags(stream[1]), "push_next ");
  EXPECT_EQ(flags(stream[2]), "pop_prev ");
  EXPECT_EQ(flags(stream[3]), "");
}

TEST(StreamBuilder, CarriesTokensThroughTheStagesBetween) {
  StreamBuilder builder(load_core_config("vta_1x16"), true);
  const auto inp = builder.add(load(isa::kInp), {kImage, 0});
  builder.add(store(), {kActivations, 0}, {inp});
  const auto stream = decoded(builder);
  ASSERT_EQ(stream.size(), 5u);  // load, carrier in gemm, carrier in alu, store, finish
  EXPECT_EQ(isa::stage_of(stream[1]), isa::Stage::kGemm);
  EXPECT_EQ(isa::stage_of(stream[2]), isa::Stage::kAlu);
  EXPECT_EQ(flags(stream[1]), "pop_prev push_next ");
  EXPECT_EQ(flags(stream[2]), "pop_prev push_next ");
  EXPECT_EQ(flags(stream[3]), "pop_prev ");
  EXPECT_EQ(stream[1].x_size, 0u);
}

TEST(StreamBuilder, HasOneComputeStageInPlainStreams) {
  StreamBuilder builder(load_core_config("vta_1x16"), false);
  const auto inp = builder.add(load(isa::kInp), {kImage, 0});
  const auto gemm = builder.add(compute(isa::kGemm), {inp});
  const auto alu = builder.add(compute(isa::kAlu), {gemm, inp});
  const auto stored = builder.add(store(), {kActivations, 0}, {alu});
  builder.add(compute(isa::kGemm), {stored});
  const auto stream = decoded(builder);
  EXPECT_EQ(flags(stream[1]), "pop_prev ");
  EXPECT_EQ(flags(stream[2]), "push_next ");
  EXPECT_EQ(flags(stream[3]), "pop_prev push_prev ");
  EXPECT_EQ(flags(stream[4]), "pop_next ");
  for (const auto& i : stream) EXPECT_FALSE(i.split);
}

TEST(StreamBuilder, PlacesActivationsAfterTheImage) {
  StreamBuilder builder(load_core_config("vta_1x16"), false);
  builder.add(load(isa::kInp), {kImage, 32});
  builder.add(load(isa::kInp), {kActivations, 32});
  const auto stream = decoded(builder);
  EXPECT_EQ(stream[0].dram_base, 2u);
  EXPECT_EQ(stream[1].dram_base, (65536u + 32) / 16);
}

TEST(StreamBuilder, PredictsTheDevicesCounters) {
  StreamBuilder builder(load_core_config("vta_1x16"), true);
  builder.add(load(isa::kWgt), {kImage, 0});
  isa::Instruction gemm = compute(isa::kGemm);
  gemm.iter_in = 5;
  gemm.reset = 1;  // overwrites, hence counts
  builder.add(gemm);
  builder.add(compute(isa::kAlu));
  builder.add(store(), {kActivations, 0});
  const StreamCounts counts = builder.counts();
  EXPECT_EQ(counts.load_bytes, 256u);
  EXPECT_EQ(counts.store_bytes, 16u);
  EXPECT_EQ(counts.gemm_counter, 5u);
  EXPECT_EQ(counts.alu_counter, 1u);
}

}  // namespace
}  // namespace vta::program
