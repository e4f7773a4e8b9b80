// SPDX-License-Identifier: Apache-2.0
//
// Literals against truth tables: random conditions of four variables.
#include "hw/hlsc/passes/literals.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/numbers/random.h"
#include "hw/hlsc/ir/builder.h"

namespace vta::hlsc::passes {
namespace {

using ir::Opcode;
using ir::ValueId;

// Bit i: the value where variable v is bit v of i.
using Table = uint16_t;

class Conditions {
 public:
  explicit Conditions(uint64_t seed) : random_(seed) {
    for (Table table : {0xaaaa, 0xcccc, 0xf0f0, 0xff00}) add(Opcode::kInputRead, {}, table);
    one_ = ir::Builder(process).constant(1, 1);
    tables.push_back(0xffff);
    for (int i = 0; i < 12; ++i) add_random();
  }

  ValueId any() {
    return static_cast<ValueId>(random_.between(0, static_cast<int64_t>(tables.size()) - 1));
  }
  Table of(const Literals& literals) const {
    Table table = 0xffff;
    for (const auto& [value, complemented] : literals)
      table &= complemented ? static_cast<Table>(~tables[value]) : tables[value];
    return table;
  }

  ir::Process process;
  std::vector<Table> tables;  // by ValueId

 private:
  void add(Opcode opcode, std::vector<ValueId> operands, Table table) {
    ir::Builder(process).add(ir::make_op(opcode, 1, std::move(operands)));
    tables.push_back(table);
  }
  void add_random() {
    const ValueId a = any(), b = any();
    switch (random_.between(0, 4)) {
      case 0:
      case 1:
        return add(Opcode::kAnd, {a, b}, tables[a] & tables[b]);
      case 2:
        return add(Opcode::kOr, {a, b}, tables[a] | tables[b]);
      case 3:
        return add(Opcode::kXor, {a, one_}, static_cast<Table>(~tables[a]));
      default:
        return add(Opcode::kXor, {a, b}, tables[a] ^ tables[b]);
    }
  }

  Random random_;
  ValueId one_ = ir::kNoValue;
};

TEST(HlscLiterals, OfAConditionAreAllTrueExactlyWhenItIs) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const Conditions conditions(seed);
    for (ValueId value = 0; value < conditions.tables.size(); ++value) {
      ASSERT_EQ(conditions.of(conjunction(conditions.process, value)), conditions.tables[value])
          << "seed " << seed << ", value " << value;
    }
  }
}

TEST(HlscLiterals, ImplicationAndDisjointnessAreTrue) {
  size_t disjoint = 0, included = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Conditions conditions(seed);
    for (int pair = 0; pair < 20; ++pair) {
      const ValueId a = conditions.any(), b = conditions.any();
      const Literals left = conjunction(conditions.process, a),
                     right = conjunction(conditions.process, b);
      const Table x = conditions.tables[a], y = conditions.tables[b];
      if (are_disjoint(conditions.process, left, right)) {
        ++disjoint;
        ASSERT_EQ(x & y, 0) << "seed " << seed << ", values " << a << " and " << b;
      }
      if (includes(left, right)) {
        ++included;
        ASSERT_EQ(x & ~y, 0) << "seed " << seed << ", values " << a << " and " << b;
      }
    }
  }
  EXPECT_GT(disjoint, 2000u);
  EXPECT_GT(included, 2000u);
}

// Variables 0 to 3, in conditions as the front end makes them.
class HlscBranches : public testing::Test {
 protected:
  HlscBranches() {
    for (ValueId& variable : v) variable = bit(Opcode::kInputRead, {});
    one = ir::Builder(process).constant(1, 1);
  }
  ValueId bit(Opcode opcode, std::vector<ValueId> operands) {
    return ir::Builder(process).add(ir::make_op(opcode, 1, std::move(operands)));
  }
  ValueId negation(ValueId value) { return bit(Opcode::kXor, {value, one}); }

  ir::Process process;
  ValueId v[4] = {}, one = ir::kNoValue;
};

TEST_F(HlscBranches, NestedBranchesAreFlat) {
  const ValueId neither = negation(bit(Opcode::kOr, {v[1], v[2]}));
  const Literals literals = conjunction(process, bit(Opcode::kAnd, {v[0], neither}));
  EXPECT_EQ(literals, (Literals{{v[0], false}, {v[1], true}, {v[2], true}}));
}

TEST_F(HlscBranches, TheConstantTrueHasNoLiterals) {
  EXPECT_EQ(conjunction(process, one), Literals{});
  EXPECT_TRUE(includes(conjunction(process, v[0]), conjunction(process, one)));
}

TEST_F(HlscBranches, TheBranchesOfAConditionAreDisjoint) {
  const Literals yes = conjunction(process, bit(Opcode::kAnd, {v[0], v[1]}));
  const Literals no = conjunction(process, bit(Opcode::kAnd, {v[0], negation(v[1])}));
  EXPECT_TRUE(are_disjoint(process, yes, no));
  EXPECT_FALSE(are_disjoint(process, yes, conjunction(process, v[0])));
}

}  // namespace
}  // namespace vta::hlsc::passes
