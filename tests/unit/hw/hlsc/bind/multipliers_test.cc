// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/multipliers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/schedule/scheduler.h"

namespace vta::hlsc::bind {
namespace {

// The DSPs for products of these operands, in a pipeline or in states.
uint32_t dsp48e1_of(const std::string& products, bool pipelined = true) {
  const std::string body =
      "%0 : 64 = stream_read in 1:1 %1 : 8 = slice %0 %2 : 8 = slice [8] %0 %3 : 8 = slice [16] %0 "
      "%4 : 32 = slice %0 %5 : 18 = slice %0 %6 : 25 = slice [8] %0 %10 : 7 = slice %0 " +
      products;
  const std::string loop =
      pipelined ? "loop items if 1:1 ii 1 { } while 1:1 { " + body + " }" : body;
  const ir::Design design =
      ir::parse("design d stream in : 64 x 2 process p { " + loop + " }", "products");
  return bind(design, schedule::schedule(design, {})).processes[0].dsp48e1();
}

TEST(Multipliers, AreOneDspForAProductOf25By18Bits) {
  EXPECT_EQ(dsp48e1_of("%7 : 43 = mul signed %5, %6"), 1u);
  EXPECT_EQ(dsp48e1_of("%7 : 64 = mul %4, %4"), 4u);
  EXPECT_EQ(dsp48e1_of("%7 : 36 = mul %5, %5"), 2u);  // 19 bits with a sign
}

TEST(Multipliers, DependOnTheBitsThatFactorsHaveWithoutTheirExtension) {
  EXPECT_EQ(dsp48e1_of("%11 : 64 = zext %1 %7 : 64 = mul %11, %4"), 2u);
  EXPECT_EQ(dsp48e1_of("%11 : 64 = zext %1 %12 : 64 = zext %2 %7 : 64 = mul %11, %12"), 1u);
  EXPECT_EQ(dsp48e1_of("%11 : 64 = sext %1 %12 : 64 = sext %2 %7 : 64 = mul signed %11, %12"), 1u);
}

TEST(Multipliers, HaveConstantsAsFactors) {
  EXPECT_EQ(dsp48e1_of("%7 : 32 = mul %5, 1000:32"), 1u);
  EXPECT_EQ(dsp48e1_of("%7 : 32 = mul %4, 77:32"), 2u);
  EXPECT_EQ(dsp48e1_of("%7 : 32 = mul %4, 64:32"), 0u);
}

TEST(Multipliers, AreLutsForFewBits) {
  EXPECT_EQ(dsp48e1_of("%11 : 4 = slice %0 %7 : 8 = mul %11, %11"), 0u);
  EXPECT_EQ(dsp48e1_of("%11 : 4 = slice %0 %12 : 16 = zext %11 %7 : 16 = mul %12, %12"), 0u);
}

// Each product shares a factor with the next one. By their most frequent factors alone, the last
// two would have no partner.
TEST(Multipliers, OfAChainOfProductsAreHalfAsMany) {
  EXPECT_EQ(dsp48e1_of("%11 : 8 = slice [24] %0 %12 : 8 = slice [32] %0 "
                       "%13 : 16 = mul signed %1, %2 %14 : 16 = mul signed %2, %3 "
                       "%15 : 16 = mul signed %3, %11 %16 : 16 = mul signed %11, %12"),
            2u);
}

// Random graphs of products: as many pairs as each connected component allows.
TEST(Multipliers, PairAsManyProductsAsShareFactors) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const uint32_t factors = 2 + random() % 8, products = 1 + random() % 12;
    ir::Process process;
    ir::Builder builder(process);
    std::vector<ir::ValueId> component(factors), operations;
    for (uint32_t i = 0; i < factors; ++i) {
      component[i] = builder.add(ir::make_op(ir::Opcode::kStreamRead, 8, {}));
    }
    std::vector<ir::ValueId> first;
    for (uint32_t i = 0; i < products; ++i) {
      const ir::ValueId a = random() % factors, b = random() % factors;
      ir::Op product = ir::make_op(ir::Opcode::kMul, 16, {a, b});
      product.is_signed = true;
      first.push_back(a);
      const ir::ValueId joined = component[a], kept = component[b];
      std::ranges::replace(component, joined, kept);
      operations.push_back(builder.add(std::move(product)));
    }
    std::map<ir::ValueId, size_t> sizes;  // products by component
    for (ir::ValueId a : first) ++sizes[component[a]];
    size_t possible = 0;
    for (const auto& [name, size] : sizes) possible += size / 2;
    const std::map<ir::ValueId, ProductPair> pairs = pair_products(process, operations);
    ASSERT_EQ(pairs.size(), 2 * possible) << "round " << round;
    for (const auto& [value, pair] : pairs) {
      EXPECT_LT(pair.low, pair.high);
      EXPECT_TRUE(value == pair.low || value == pair.high);
      const auto is = [&](ir::ValueId product, ir::ValueId factor) {
        const auto& operands = process.ops[product].operands;
        return (operands[0] == factor && operands[1] == pair.shared) ||
               (operands[1] == factor && operands[0] == pair.shared);
      };
      EXPECT_TRUE(is(pair.low, pair.low_operand) && is(pair.high, pair.high_operand));
      EXPECT_EQ(pairs.at(pair.low).high, pairs.at(pair.high).high);
    }
  }
}

TEST(Multipliers, AreOneDspForTwoSmallProductsThatShareAnOperand) {
  EXPECT_EQ(dsp48e1_of("%7 : 16 = mul signed %1, %2 %8 : 16 = mul signed %3, %1"), 1u);
  EXPECT_EQ(dsp48e1_of("%7 : 16 = mul signed %1, %2 %8 : 16 = mul signed %3, %1 "
                       "%9 : 16 = mul signed %1, %1"),
            2u);
  EXPECT_EQ(dsp48e1_of("%7 : 16 = mul %1, %2 %8 : 16 = mul %3, %1"), 2u);
  EXPECT_EQ(dsp48e1_of("%7 : 15 = mul signed %1, %10 %8 : 15 = mul signed %2, %10"), 2u);
  EXPECT_EQ(dsp48e1_of("%7 : 16 = mul signed %1, %2 %8 : 16 = mul signed %3, %1", false), 2u);
  EXPECT_EQ(dsp48e1_of("%7 : 16 = mul signed %1, %2 %8 : 16 = mul signed %3, %3"), 2u);
}

}  // namespace
}  // namespace vta::hlsc::bind
