// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/walk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>

#include "hw/hlsc/ir/builder.h"
#include "hw/hlsc/ir/text.h"

namespace vta::hlsc::ir {
namespace {

constexpr const char* kText = R"(design d
    input n : 4
    process p {
      %0.n : 4 = input n 1:1
      loop outer if 1:1 {
        phi %1.i : 4 = 0:4, %6.next
        loop first if 1:1 { phi %2.k : 4 = %1.i, %3.l %7.head : 4 = add %2.k, 1:4 } while 0:1 {
          %3.l : 4 = add %2.k, 1:4
        }
        %4.more : 1 = ult %1.i, %0.n
      } while %4.more {
        %5.square : 4 = mul %1.i, %1.i
        %6.next : 4 = add %5.square, 1:4
      }
    })";

class HlscWalk : public testing::Test {
 protected:
  template <class Walker>
  std::string names(Walker walker) const {
    std::vector<std::string> names;
    walker([&](ValueId value) { names.push_back(process.ops[value].name); });
    return fmt::format("{}", fmt::join(names, " "));
  }
  const Loop& outer() const { return *as_loop(process.body[1]); }

  Design design = parse(kText, "test");
  Process& process = design.processes[0];
};

TEST_F(HlscWalk, VisitsOperationsAndDefinitionsInProgramOrder) {
  EXPECT_EQ(names([&](auto visit) { for_each_op(process.body, visit); }),
            "n head l more square next");
  EXPECT_EQ(names([&](auto visit) { for_each_definition(process.body, visit); }),
            "n i k head l more square next");
  EXPECT_EQ(names([&](auto visit) { for_each_definition(outer(), visit); }),
            "i k head l more square next");
}

TEST_F(HlscWalk, VisitsOuterLoopsFirst) {
  std::string loops;
  for_each_loop(process.body, [&](const Loop& loop) { loops += loop.name + " "; });
  EXPECT_EQ(loops, "outer first ");
}

TEST_F(HlscWalk, RebuildsASequenceWithOperationsBeforeOthers) {
  Builder builder(process);
  std::string loops;
  const auto negate = [&](ValueId value, Sequence& out) {
    builder.set_sequence(&out);
    builder.make_not(builder.append(Opcode::kEq, 1, {value, value}));
  };
  rebuild(process.body, negate, [&](Loop& loop) { loops += loop.name; });
  EXPECT_EQ(loops, "outer");
  ASSERT_EQ(process.body.size(), 4u);  // eq, xor, n, the loop
  EXPECT_EQ(process.ops[*as_op(process.body[0])].opcode, Opcode::kEq);
  EXPECT_EQ(process.ops[*as_op(process.body[1])].opcode, Opcode::kXor);
  EXPECT_EQ(process.ops[*as_op(process.body[2])].name, "n");
  EXPECT_EQ(as_loop(process.body[3])->name, "outer");
}

TEST_F(HlscWalk, ExportsPhisAndHeadsAlsoOfLoopsInTheHead) {
  EXPECT_EQ(names([&](auto visit) { for_each_export(outer(), visit); }), "i k head more");
}

TEST_F(HlscWalk, CountsUsesOfOperationsAndLoops) {
  const std::vector<uint32_t> uses = count_uses(process);
  std::string text;
  for_each_definition(process.body, [&](ValueId value) {
    text += fmt::format("{}:{} ", process.ops[value].name, uses[value]);
  });
  EXPECT_EQ(text, "n:1 i:4 k:2 head:0 l:1 more:1 square:1 next:1 ");
}

TEST_F(HlscWalk, ReplacesUsesOutsideOfALoop) {
  ValueId n = kNoValue;
  for_each_op(process.body, [&](ValueId value) {
    if (process.ops[value].name == "n") n = value;
  });
  size_t inside = 0, outside = 0;
  visit_uses(process, [&](ValueId& value) { inside += value == n ? 1 : 0; });
  visit_uses(process, [&](ValueId& value) { outside += value == n ? 1 : 0; }, &outer());
  EXPECT_EQ(inside, 1u);
  EXPECT_EQ(outside, 0u);
}

}  // namespace
}  // namespace vta::hlsc::ir
