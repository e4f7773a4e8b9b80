// SPDX-License-Identifier: Apache-2.0
//
// Sums of products in the simulation view.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hw/hlsc/emit/verilog.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/passes/pipeline.h"
#include "hw/hlsc/schedule/scheduler.h"

namespace vta::hlsc::emit {
namespace {

// The Verilog of a * b + c * d + e * f, where the products have `width` bits.
std::string sum_of_products(int width) {
  ir::Design design = ir::parse(
      fmt::format("design d stream in : 48 x 2 stream out : 32 x 2 process p {{ "
                  "loop items if 1:1 ii 1 {{ phi %i : 8 = 0:8, %i1 %more : 1 = ult %i, 100:8 }} "
                  "while %more {{ %n : 48 = stream_read in 1:1 "
                  "%a : 8 = slice [0] %n %b : 8 = slice [8] %n %c : 8 = slice [16] %n "
                  "%d : 8 = slice [24] %n %e : 8 = slice [32] %n %f : 8 = slice [40] %n "
                  "%p : {0} = mul signed %a, %b %q : {0} = mul signed %c, %d "
                  "%r : {0} = mul signed %e, %f "
                  "%ps : 32 = sext %p %qs : 32 = sext %q %rs : 32 = sext %r "
                  "%s : 32 = add %ps, %qs %t : 32 = add %s, %rs stream_write out 1:1, %t "
                  "%i1 : 8 = add %i, 1:8 }} }}",
                  width),
      "sum");
  passes::legalize(design);
  constexpr schedule::Options kOneStage{.period_ns = 20, .margin_ns = 0};
  const schedule::Schedule schedule = schedule::schedule(design, kOneStage);
  return verilog(design, schedule, bind::bind(design, schedule));
}

bool is_one_expression(const std::string& verilog) {
  return verilog.find(" + $signed(") != std::string::npos;
}

TEST(SumsOfProducts, AreOneExpressionUnlessAProductWraps) {
  EXPECT_TRUE(is_one_expression(sum_of_products(16)));
  EXPECT_FALSE(is_one_expression(sum_of_products(12)));
}

}  // namespace
}  // namespace vta::hlsc::emit
