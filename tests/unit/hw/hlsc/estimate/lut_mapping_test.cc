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

TEST(LutMapping, TakesOneLevelForSixInputsAndTwoForMore) {
  EXPECT_EQ(levels_of_and(2), 1u);
  EXPECT_EQ(levels_of_and(6), 1u);
  EXPECT_EQ(levels_of_and(7), 2u);
  EXPECT_EQ(levels_of_and(16), 2u);
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
  less(graph, sources(graph, 7), sources(graph, 7), false);
  EXPECT_EQ(graph.chains().size(), 1u);
}

}  // namespace
}  // namespace vta::hlsc::estimate
