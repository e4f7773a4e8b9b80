// SPDX-License-Identifier: Apache-2.0
// hls_double_pumped_sum, with both clocks, against three registers of one clock.
#include <Vdouble_pumped.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "base/numbers/random.h"

namespace vta::rtl {
namespace {

constexpr int64_t kBias = 32767;

struct Operands {
  std::array<int8_t, 2> low, high, shared;
};

int8_t random_operand(Random& random) {
  constexpr int8_t kExtremes[] = {-128, -127, -1, 0, 1, 127};
  return random.chance(40) ? kExtremes[random.between(0, 5)] : static_cast<int8_t>(random.next());
}

Operands random_operands(Random& random) {
  Operands operands;
  for (auto* bytes : {&operands.low, &operands.high, &operands.shared}) {
    for (int8_t& byte : *bytes) byte = random_operand(random);
  }
  return operands;
}

struct Sums {
  int32_t low = 0, high = 0;
};
Sums sums_of(const Operands& x) {
  Sums sums;
  for (int i = 0; i < 2; ++i) {
    sums.low += x.low[i] * x.shared[i];
    sums.high += x.high[i] * x.shared[i];
  }
  return sums;
}

class Pumped {
 public:
  // One cycle of clk with these inputs. The enables rise in its second half.
  void cycle(const Operands& operands, bool advance, bool advance_sum) {
    for (int i = 0; i < 2; ++i) {
      pins_.low[i] = static_cast<uint8_t>(operands.low[i]);
      pins_.high[i] = static_cast<uint8_t>(operands.high[i]);
      pins_.shared[i] = static_cast<uint8_t>(operands.shared[i]);
    }
    pins_.advance = !advance;
    pins_.advance_sum = !advance_sum;
    edge(false);
    pins_.advance = advance;
    pins_.advance_sum = advance_sum;
    edge(true);
  }
  uint64_t sum() const { return pins_.sum; }

 private:
  // A rising edge of clk2x, and of clk at the end of a cycle.
  void edge(bool both) {
    pins_.clk2x = 0;
    pins_.eval();
    pins_.clk2x = 1;
    pins_.clk = both;
    pins_.eval();
  }

  VerilatedContext context_;
  Vdouble_pumped pins_{&context_};
};

// Percents of cycles that advance.
class DoublePumpedSum : public testing::TestWithParam<int> {};

TEST_P(DoublePumpedSum, IsThatOfThreeRegisters) {
  const uint64_t seed = 7400 + GetParam();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Pumped pumped;
  Operands operands = random_operands(random);
  for (int i = 0; i < 2; ++i)
    pumped.cycle(operands, true, true);  // hls_clock_half finds the halves
  std::array<Sums, 3> registers{};
  int steps = 0;
  for (int cycle = 0; cycle < 50000; ++cycle) {
    const bool advance = random.chance(GetParam()),
               advance_sum = advance || random.chance(GetParam());
    pumped.cycle(operands, advance, advance_sum);
    if (advance_sum) registers[2] = registers[1];
    if (advance) {
      registers[1] = registers[0];
      registers[0] = sums_of(operands);
      operands = random_operands(random);
      ++steps;
    }
    if (steps < 3) continue;
    const int64_t expected = kBias + (int64_t{registers[2].high} << 16) + registers[2].low;
    ASSERT_EQ(pumped.sum(), static_cast<uint64_t>(expected) & ((uint64_t{1} << 34) - 1))
        << "cycle " << cycle;
    // As emit takes the two sums from it (hw/hlsc/emit/packed_sums.cc).
    const auto low = static_cast<int16_t>(pumped.sum() ^ 0x8000);
    const auto high = static_cast<int32_t>(static_cast<uint32_t>(pumped.sum() >> 16) << 14) >> 14;
    ASSERT_EQ(low + 1, registers[2].low) << "cycle " << cycle;
    ASSERT_EQ(high, registers[2].high) << "cycle " << cycle;
  }
}

INSTANTIATE_TEST_SUITE_P(Advances, DoublePumpedSum, testing::Values(100, 90, 30),
                         [](const auto& info) { return std::to_string(info.param) + "Percent"; });

}  // namespace
}  // namespace vta::rtl
