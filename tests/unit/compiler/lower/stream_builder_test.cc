// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/stream_builder.h"

#include <gtest/gtest.h>

namespace vta::lower {
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
  for (const auto& bits : builder.finish(1 << 16).instructions)
    result.push_back(isa::decode(bits, builder.core()));
  return result;
}

// The same of a stream that ends here.
std::vector<isa::Instruction> ended(StreamBuilder& builder) {
  builder.end();
  return decoded(builder);
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
  const ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), true, image);
  builder.add(load(isa::kInp), {kImage, 0});
  builder.add(compute(isa::kGemm));
  builder.add(load(isa::kInp), {kImage, 0});
  const auto stream = ended(builder);
  ASSERT_EQ(stream.size(), 4u);
  EXPECT_EQ(flags(stream[0]), "push_next ");
  EXPECT_EQ(flags(stream[1]), "pop_prev push_prev ");
  EXPECT_EQ(flags(stream[2]), "pop_next ");
  EXPECT_EQ(flags(stream[3]), "");
  EXPECT_EQ(stream[3].opcode, isa::kFinish);
}

TEST(StreamBuilder, OmitsWaitsThatQueueOrderOrAnEarlierWaitImplies) {
  const ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), true, image);
  builder.add(load(isa::kInp), {kImage, 0});
  builder.add(load(isa::kWgt), {kImage, 0});
  builder.add(compute(isa::kGemm));
  builder.add(compute(isa::kGemm));
  const auto stream = ended(builder);
  EXPECT_EQ(flags(stream[0]), "");
  EXPECT_EQ(flags(stream[1]), "push_next ");
  EXPECT_EQ(flags(stream[2]), "pop_prev ");
  EXPECT_EQ(flags(stream[3]), "");
}

TEST(StreamBuilder, CarriesTokensThroughTheStagesBetween) {
  const ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), true, image);
  builder.add(load(isa::kInp), {kActivations, 0});
  builder.add(store(), {kActivations, 0});  // over what the load reads
  const auto stream = ended(builder);
  ASSERT_EQ(stream.size(), 5u);  // load, carrier in gemm, carrier in alu, store, finish
  EXPECT_EQ(isa::stage_of(stream[1]), isa::Stage::kGemm);
  EXPECT_EQ(isa::stage_of(stream[2]), isa::Stage::kAlu);
  EXPECT_EQ(flags(stream[1]), "pop_prev push_next ");
  EXPECT_EQ(flags(stream[2]), "pop_prev push_next ");
  EXPECT_EQ(flags(stream[3]), "pop_prev push_prev ");
  EXPECT_EQ(flags(stream[4]), "pop_next ");
  EXPECT_EQ(stream[1].x_size, 0u);
}

// A GEMM of `micro_ops` products that overwrites ACC elements from `dst` on.
isa::Instruction gemm_to(ArenaImage& image, StreamBuilder& builder, uint32_t dst,
                         uint32_t micro_ops) {
  const uint64_t offset = image.append_once({isa::encode(isa::Uop{dst, 0, 0}, builder.core())});
  builder.add(load(isa::kUop), {kImage, offset});
  isa::Instruction gemm = compute(isa::kGemm);
  gemm.reset = 1;
  gemm.iter_in = micro_ops;
  return gemm;
}

TEST(StreamBuilder, FindsTheWaitsThatAccessesRequire) {
  ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), true, image);
  isa::Instruction weights = load(isa::kWgt);
  weights.sram_base = 5;  // not read
  builder.add(load(isa::kInp), {kImage, 0});
  builder.add(weights, {kImage, 0});
  builder.add(gemm_to(image, builder, 0, 1));
  builder.add(compute(isa::kAlu));            // ACC element 0
  builder.add(store(), {kActivations, 0});    // OUT element 0
  builder.add(load(isa::kInp), {kImage, 0});  // over the input that the GEMM has read
  builder.add(weights, {kImage, 0});
  const auto stream = ended(builder);
  ASSERT_EQ(stream.size(), 9u);  // 7, a LOAD of UOP and FINISH
  EXPECT_EQ(flags(stream[0]), "push_next ");
  EXPECT_EQ(flags(stream[1]), "");
  EXPECT_EQ(flags(stream[2]), "");  // micro-ops, also for the ALU, which waits for the GEMM
  EXPECT_EQ(flags(stream[3]), "pop_prev push_prev push_next ");
  EXPECT_EQ(flags(stream[4]), "pop_prev push_next ");
  EXPECT_EQ(flags(stream[5]), "pop_prev push_prev ");
  EXPECT_EQ(flags(stream[6]), "pop_next ");
  EXPECT_EQ(flags(stream[7]), "");
  EXPECT_EQ(flags(stream[8]), "pop_next ") << "FINISH waits for the STORE";
}

TEST(StreamBuilder, LetsFinishWaitForTheLastStoreOnce) {
  for (const bool split : {true, false}) {
    const ArenaImage image;
    StreamBuilder builder(load_core_config("vta_1x16"), split, image);
    builder.add(compute(isa::kAlu));
    builder.add(store(), {kActivations, 0});
    builder.add(compute(isa::kAlu));  // writes what the STORE reads, so waits for it
    const auto stream = ended(builder);
    ASSERT_EQ(stream.size(), 4u);
    EXPECT_EQ(flags(stream[1]), "pop_prev push_prev ");
    EXPECT_EQ(flags(stream[2]), "pop_next ");
    EXPECT_EQ(flags(stream[3]), "") << "what precedes FINISH has waited";
  }
}

TEST(StreamBuilder, KeepsElementsOfAccUntilAnInstructionHasEnded) {
  for (bool keeps : {false, true}) {
    ArenaImage image;
    StreamBuilder builder(load_core_config("vta_1x16"), true, image);
    const isa::Instruction gemm = gemm_to(image, builder, 3, 1);
    isa::Instruction alu = compute(isa::kAlu);
    alu.uop_bgn = 1;  // of ACC element 0
    alu.uop_end = 2;
    builder.add(alu);
    if (keeps) builder.keep_acc(2, 2);
    builder.add(gemm);
    const auto stream = ended(builder);
    ASSERT_EQ(stream.size(), 4u);
    EXPECT_EQ(flags(stream[2]), keeps ? "pop_next " : "");
  }
}

// A load of what an earlier tile has stored does not wait for the GEMM of the next tile.
TEST(StreamBuilder, PlacesCarriersWhereTheirProducerHasEnded) {
  ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), true, image);
  builder.add(compute(isa::kAlu));
  builder.add(store(), {kActivations, 0});
  const auto add_gemm = [&] { builder.add(gemm_to(image, builder, 1000, 900)); };
  add_gemm();
  add_gemm();
  isa::Instruction next = load(isa::kInp);
  next.sram_base = 7;
  builder.add(next, {kActivations, 0});
  const auto stream = ended(builder);
  std::vector<size_t> gemms, carriers;
  for (size_t i = 0; i < stream.size(); ++i) {
    const bool is_carrier = stream[i].opcode == isa::kLoad && stream[i].x_size == 0;
    if (stream[i].opcode == isa::kGemm) gemms.push_back(i);
    if (is_carrier && isa::stage_of(stream[i]) == isa::Stage::kGemm) carriers.push_back(i);
  }
  ASSERT_EQ(gemms.size(), 2u);
  ASSERT_EQ(carriers.size(), 1u);
  EXPECT_GT(carriers[0], gemms[0]);  // the store has not ended when the first GEMM starts
  EXPECT_LT(carriers[0], gemms[1]);
}

TEST(StreamBuilder, EndsLayersWithTheirLastInstruction) {
  const ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), true, image);
  builder.begin_layer();
  builder.add(load(isa::kInp), {kImage, 0});
  builder.add(compute(isa::kGemm));
  builder.begin_layer();
  builder.add(compute(isa::kGemm));
  EXPECT_EQ(builder.counts(0).gemm_counter, 1u);
  builder.end();
  EXPECT_EQ(builder.finish(0).layer_ends, (std::vector<uint32_t>{2, 4}));
}

TEST(StreamBuilder, LoadsTheFirstMicroOpsByItsFirstInstruction) {
  ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), true, image);
  builder.load_uops_first();
  builder.begin_layer();
  builder.add_first_uops({1, 2, 3});
  builder.add(compute(isa::kGemm));
  builder.begin_layer();
  builder.add_first_uops({4});
  isa::Instruction alu = compute(isa::kAlu);
  alu.uop_bgn = 3;
  alu.uop_end = 4;
  builder.add(alu);
  EXPECT_EQ(builder.num_layers(), 2u);
  builder.end({kImage, image.append_once(builder.first_uops())});
  EXPECT_EQ(builder.counts(0).uop_load_nbytes, 16u) << "those of both layers";
  EXPECT_EQ(builder.counts(1).uop_load_nbytes, 0u);
  const auto stream = decoded(builder);
  ASSERT_EQ(stream.size(), 4u);
  EXPECT_EQ(stream[0].memory, isa::kUop);
  EXPECT_EQ(stream[0].sram_base, 0u);
  EXPECT_EQ(stream[0].x_size, 4u);
  EXPECT_EQ(stream[0].y_size, 1u);
  EXPECT_EQ(flags(stream[0]) + flags(stream[1]), "push_next ") << "for the ALU, which reads them";
  EXPECT_EQ(flags(stream[2]), "pop_prev ");
}

TEST(StreamBuilder, EstimatesTheWaitForStores) {
  const ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), true, image);
  EXPECT_EQ(builder.wait_for_stores(load(isa::kInp), {kActivations, 0}), 0u);
  isa::Instruction alu = compute(isa::kAlu);
  alu.iter_in = 100;
  builder.add(alu);
  builder.add(store(), {kActivations, 0});
  const uint64_t wait = builder.wait_for_stores(load(isa::kInp), {kActivations, 0});
  EXPECT_GT(wait, 100u);
  EXPECT_EQ(builder.wait_for_stores(load(isa::kInp), {kActivations, 16}), 0u) << "not stored";
  EXPECT_EQ(builder.wait_for_stores(load(isa::kInp), {kImage, 0}), 0u) << "constant";
  isa::Instruction weights = load(isa::kWgt);
  weights.x_size = weights.x_stride = 4;  // 128 beats
  builder.add(weights, {kImage, 0});
  EXPECT_EQ(builder.wait_for_stores(load(isa::kInp), {kActivations, 0}), wait - 128);
}

TEST(StreamBuilder, HasOneComputeStageInPlainStreams) {
  const ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), false, image);
  builder.add(load(isa::kInp), {kImage, 0});
  builder.add(compute(isa::kGemm));
  builder.add(compute(isa::kAlu));
  builder.add(store(), {kActivations, 0});
  builder.add(compute(isa::kGemm));  // writes OUT, which the store reads
  const auto stream = ended(builder);
  EXPECT_EQ(flags(stream[1]), "pop_prev ");
  EXPECT_EQ(flags(stream[2]), "push_next ");
  EXPECT_EQ(flags(stream[3]), "pop_prev push_prev ");
  EXPECT_EQ(flags(stream[4]), "pop_next ");
  for (const auto& i : stream) EXPECT_FALSE(i.split);
}

TEST(StreamBuilder, PlacesActivationsAfterTheImage) {
  const ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), false, image);
  builder.add(load(isa::kInp), {kImage, 32});
  builder.add(load(isa::kInp), {kActivations, 32});
  const auto stream = ended(builder);
  EXPECT_EQ(stream[0].dram_base, 2u);
  EXPECT_EQ(stream[1].dram_base, (65536u + 32) / 16);
}

TEST(StreamBuilder, PredictsTheDevicesCounters) {
  const ArenaImage image;
  StreamBuilder builder(load_core_config("vta_1x16"), true, image);
  builder.begin_layer();
  builder.add(load(isa::kWgt), {kImage, 0});
  isa::Instruction gemm = compute(isa::kGemm);
  gemm.iter_in = 5;
  gemm.reset = 1;  // overwrites, hence counts
  builder.add(gemm);
  builder.add(compute(isa::kAlu));
  builder.add(store(), {kActivations, 0});
  const hw::Counters counts = builder.counts(0);
  EXPECT_EQ(counts.wgt_load_nbytes, 256u);
  EXPECT_EQ(counts.out_store_nbytes, 16u);
  EXPECT_EQ(counts.gemm_counter, 5u);
  EXPECT_EQ(counts.alu_counter, 1u);
}

}  // namespace
}  // namespace vta::lower
