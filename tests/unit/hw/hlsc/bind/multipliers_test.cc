// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/multipliers.h"

#include <gtest/gtest.h>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/schedule/scheduler.h"

namespace vta::hlsc::bind {
namespace {

// Of products of these operands, in a pipeline or in states.
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
  EXPECT_EQ(dsp48e1_of("%7 : 32 = mul %4, %4"), 2u);
  EXPECT_EQ(dsp48e1_of("%7 : 64 = mul %4, %4"), 4u);
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
