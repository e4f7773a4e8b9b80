// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/fast_path.h"

#include <gtest/gtest.h>

#include "hw/hlsc/ir/text.h"

namespace vta::hlsc::model {
namespace {

using ir::ValueId;

// The operations of the body below, in their order.
enum Place { f, ok, x, y, a, b, not_a, not_b, high, low, second, good, any, odd };

// A body that writes `fault` unless x is below 10 and y below 20.
class Body {
 public:
  explicit Body(const std::string& guard)
      : design_(ir::parse("design d\nregister fault : 8\ninput x : 8\ninput y : 8\n"
                          "process p {\n"
                          "  %f : 8 = reg_read fault 1:1\n"
                          "  %ok : 1 = eq %f, 0:8\n"
                          "  %x : 8 = input x 1:1\n  %y : 8 = input y 1:1\n"
                          "  %a : 1 = ult %x, 10:8\n  %b : 1 = ult %y, 20:8\n"
                          "  %not_a : 1 = xor %a, 1:1\n  %not_b : 1 = xor %b, 1:1\n"
                          "  %high : 1 = and %ok, %not_a\n  %low : 1 = and %ok, %a\n"
                          "  %second : 1 = and %low, %not_b\n"
                          "  %good : 1 = and %low, %b\n"
                          "  %any : 1 = or %high, %second\n" +
                              guard + "}\n",
                          "body")) {
    for (const ir::Item& item : process().body) order_.push_back(std::get<ValueId>(item));
    path_ = fast_path(process(), order_, {0});
  }

  const ir::Process& process() const { return design_.processes[0]; }
  ValueId value(Place place) const { return order_[place]; }
  const std::optional<FastPath>& path() const { return path_; }

 private:
  ir::Design design_;
  std::vector<ValueId> order_;
  std::optional<FastPath> path_;
};

TEST(FastPath, ChecksTheOperandsOfTheGuard) {
  const Body body("  reg_write fault %any, 1:8\n");
  ASSERT_TRUE(body.path().has_value());
  const FastPath& path = *body.path();
  EXPECT_EQ(path.checks, (std::vector<ValueId>{body.value(a), body.value(b)}));
  EXPECT_TRUE(path.after.at(body.value(a)).isOne());
  EXPECT_TRUE(path.after.at(body.value(b)).isOne());
}

TEST(FastPath, DecidesWhatFollowsFromTheChecks) {
  const Body body("  reg_write fault %any, 1:8\n");
  const FastPath& path = *body.path();
  EXPECT_TRUE(path.before.at(body.value(ok)).isOne());
  EXPECT_FALSE(path.before.contains(body.value(good)));
  EXPECT_TRUE(path.after.at(body.value(good)).isOne());
  EXPECT_TRUE(path.after.at(body.value(second)).isZero());
  EXPECT_FALSE(path.after.contains(body.value(x)));
}

TEST(FastPath, NeedsARegisterThatIsNotAlwaysWritten) {
  EXPECT_FALSE(Body("  reg_write fault 1:1, %x\n").path().has_value());
}

TEST(FastPath, ChecksTheGuardItselfIfNothingImpliesIt) {
  const Body body("  %odd : 1 = ult %x, 5:8\n  reg_write fault %odd, 1:8\n");
  ASSERT_TRUE(body.path().has_value());
  EXPECT_EQ(body.path()->checks, std::vector<ValueId>{body.value(odd)});
  EXPECT_TRUE(body.path()->after.at(body.value(odd)).isZero());
}

}  // namespace
}  // namespace vta::hlsc::model
