// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/estimate/lut_mapping.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hw/hlsc/estimate/arithmetic.h"

namespace vta::hlsc::estimate {
namespace {

Bits sources(BitGraph& graph, size_t count) {
  Bits bits;
  for (size_t i = 0; i < count; ++i) bits.push_back(graph.source(SourceKind::kFlipFlop));
  return bits;
}

// LUTs on the longest way to a node.
uint32_t levels(const Mapping& mapping, uint32_t node) {
  const Lut& lut = mapping.luts[node];
  uint32_t below = 0;
  for (size_t i = 0; i < lut.size; ++i) below = std::max(below, levels(mapping, lut.leaves[i]));
  return lut.size == 0 ? 0 : below + 1;
}

uint32_t levels_of_and(size_t inputs) {
  BitGraph graph;
  const Bit root = graph.all(sources(graph, inputs));
  return levels(map_to_luts(graph, {root}), node_of(root));
}

TEST(LutMapping, TakesOneLevelForEightInputsAndTwoForMore) {
  EXPECT_EQ(levels_of_and(2), 1u);
  EXPECT_EQ(levels_of_and(6), 1u);
  EXPECT_EQ(levels_of_and(8), 1u);  // LUT6s and MUXF7s: 20 areas, but quicker than two levels
  EXPECT_EQ(levels_of_and(9), 2u);
  EXPECT_EQ(levels_of_and(16), 2u);
}

TEST(LutMapping, PrefersAreaWhereAnotherWayIsSlower) {
  BitGraph graph;
  const Bits in = sources(graph, 7);
  const Bit root = graph.all(in);
  Bit slow = graph.all(sources(graph, 40));
  for (int i = 0; i < 4; ++i) slow = graph.all({slow, graph.exclusive(slow, in[0]), in[1]});
  const Mapping mapping = map_to_luts(graph, {root, slow});
  EXPECT_EQ(levels(mapping, node_of(root)), 2u);
  EXPECT_LE(mapping.luts[node_of(root)].size, 6);
}

TEST(LutMapping, ReadsALutThatExistsAnyway) {
  BitGraph graph;
  const Bits in = sources(graph, 5);
  const Bit shared = graph.all({in[0], in[1], in[2]});
  const Bit root = graph.all({shared, in[3]});
  const Bit slow = graph.all(sources(graph, 40));
  const Mapping mapping = map_to_luts(graph, {shared, root, slow});
  EXPECT_EQ(mapping.luts[node_of(root)].size, 2);
  EXPECT_EQ(mapping.fan_out[node_of(shared)], 2u);
}

TEST(LutMapping, PutsAFourWaySelectIntoOneLut) {
  BitGraph graph;
  const Bits in = sources(graph, 6);
  const Bit low = graph.select(in[4], in[1], in[0]), high = graph.select(in[4], in[3], in[2]);
  const Bit root = graph.select(in[5], high, low);
  const Mapping mapping = map_to_luts(graph, {root});
  EXPECT_EQ(levels(mapping, node_of(root)), 1u);
  EXPECT_EQ(mapping.luts[node_of(root)].size, 6);
  EXPECT_EQ(mapping.fan_out[node_of(in[4])], 1u);
}

TEST(LutMapping, LeavesOutWhatNoRootReads) {
  BitGraph graph;
  const Bits in = sources(graph, 2);
  const Bit unread = graph.both(in[0], in[1]);
  const Mapping mapping = map_to_luts(graph, {in[0]});
  EXPECT_FALSE(mapping.used[node_of(unread)]);
  EXPECT_FALSE(mapping.used[node_of(in[1])]);
}

TEST(BitGraph, FoldsConstantsAndEqualGates) {
  BitGraph graph;
  const Bits in = sources(graph, 2);
  EXPECT_EQ(graph.both(in[0], kZero), kZero);
  EXPECT_EQ(graph.both(in[0], inverted(in[0])), kZero);
  EXPECT_EQ(graph.both(in[0], in[1]), graph.both(in[1], in[0]));
  EXPECT_EQ(graph.exclusive(inverted(in[0]), in[1]), inverted(graph.exclusive(in[1], in[0])));
  EXPECT_EQ(graph.select(in[0], kOne, kZero), in[0]);
}

TEST(Arithmetic, MakesACarryChainOnlyWhereBothOperandsVary) {
  BitGraph graph;
  const Bits in = sources(graph, 4);
  const Bits shifted = {kZero, kZero, in[2], in[3]};
  const Bits result = sum(graph, {{in[0], in[1], kZero, kZero}, shifted});
  EXPECT_EQ(result, (Bits{in[0], in[1], in[2], in[3]}));
  EXPECT_TRUE(graph.chains().empty());
  sum(graph, {{in[0], in[1]}, {in[2], in[3]}});
  EXPECT_EQ(graph.chains().size(), 1u);
}

TEST(Arithmetic, AddsThreeTermsWithOneCarryChain) {
  BitGraph graph;
  sum(graph, {sources(graph, 8), sources(graph, 8), sources(graph, 8)});
  EXPECT_EQ(graph.chains().size(), 1u);
}

TEST(Arithmetic, ComparesWithConstantsOfSixBitsWithoutACarryChain) {
  BitGraph graph;
  less(graph, sources(graph, 6), {kOne, kZero, kOne, kOne, kZero, kOne}, false);
  EXPECT_TRUE(graph.chains().empty());
}

TEST(Arithmetic, ComparesThreePairsAndSixConstantsInAPositionOfTheChain) {
  BitGraph graph;
  less(graph, sources(graph, 7), sources(graph, 7), false);
  less(graph, sources(graph, 18), Bits(18, kOne), true);
  ASSERT_EQ(graph.chains().size(), 2u);
  EXPECT_EQ(graph.chains()[0].select.size(), 3u);
  EXPECT_EQ(graph.chains()[1].select.size(), 3u);
}

TEST(Arithmetic, ComputesNoBitsThatExtendASum) {
  BitGraph graph;
  const auto extended = [](Bits bits, Bit fill) {
    bits.resize(32, fill);
    return bits;
  };
  const Bits a = sources(graph, 8), b = sources(graph, 8);
  const Bits without_sign = sum(graph, {extended(a, kZero), extended(b, kZero)});
  EXPECT_EQ(graph.chains().back().select.size(), 9u);
  EXPECT_EQ(without_sign[9], kZero);
  const Bits with_sign = sum(graph, {extended(a, a.back()), extended(b, b.back())});
  EXPECT_EQ(graph.chains().back().select.size(), 9u);
  EXPECT_EQ(with_sign[31], with_sign[8]);
  const Bits negative = difference(graph, extended(a, kZero), extended(b, kZero));
  EXPECT_EQ(negative[31], negative[8]);
}

TEST(Arithmetic, ShiftsByBitsWithinTheWordAndByAnyOther) {
  BitGraph graph;
  const Bits word = sources(graph, 4), amount = sources(graph, 32);
  const Bits shifted = shifted_left(graph, word, amount);
  Bits beyond(amount.begin() + 2, amount.end());
  for (Bit& bit : beyond) bit = inverted(bit);
  const Bit stays = graph.all(beyond);
  EXPECT_EQ(shifted[0],
            graph.both(graph.all({inverted(amount[1]), graph.both(inverted(amount[0]), word[0])}),
                       stays));
}

TEST(Arithmetic, AddsToAProductInItsRegisterWithinTheDspOnce) {
  BitGraph graph;
  Bits product;
  for (int i = 0; i < 32; ++i) product.push_back(graph.source(SourceKind::kProductRegister));
  const Bits once = sum(graph, {product, sources(graph, 32)});
  EXPECT_TRUE(graph.is_dsp_output(once));
  EXPECT_TRUE(graph.chains().empty());
  sum(graph, {once, sources(graph, 32)});
  EXPECT_EQ(graph.chains().size(), 1u);
  product.resize(49, kZero);  // beyond the adder of a DSP48E1
  sum(graph, {product, sources(graph, 49)});
  EXPECT_EQ(graph.chains().size(), 2u);
}

}  // namespace
}  // namespace vta::hlsc::estimate
