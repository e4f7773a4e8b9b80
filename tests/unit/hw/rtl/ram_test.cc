// SPDX-License-Identifier: Apache-2.0
// hls_ram and hls_ram_tdp against arrays.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "base/numbers/random.h"
#include "tests/unit/hw/rtl/library.h"

namespace vta::rtl {
namespace {

using Word = std::array<uint8_t, 16>;

template <class Pin>
void set(Pin& pin, const Word& word) {
  std::memcpy(pin.data(), word.data(), sizeof word);
}
template <class Pin>
Word get(const Pin& pin) {
  Word word;
  std::memcpy(word.data(), pin.data(), sizeof word);
  return word;
}
Word random_word(Random& random) {
  Word word;
  for (uint8_t& byte : word) byte = static_cast<uint8_t>(random.next());
  return word;
}

class Ram : public testing::TestWithParam<int> {};

// Read-first lanes, and rq keeps its value without re. Few addresses, so that the ports often
// collide.
TEST_P(Ram, ReturnsTheOldWordOnAWriteInTheSameCycle) {
  const int ram = GetParam(), depth = kRamDepths[ram];
  const int lane_bytes = kRamLaneBits[ram] / 8, lanes = 16 / lane_bytes;
  const uint64_t seed = 7200 + ram;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  Library library;
  Vhw_rtl_library& pins = library.pins;
  std::vector<Word> model(depth);
  Word read{};
  const auto cycle = [&](bool re, int ra, uint16_t we, int wa) {
    const Word data = random_word(random);
    pins.ram_re[ram] = re;
    pins.ram_ra[ram] = ra;
    pins.ram_we[ram] = we;
    pins.ram_wa[ram] = wa;
    set(pins.ram_wd[ram], data);
    library.clock();
    if (re) read = model[ra];
    for (int byte = 0; byte < 16; ++byte) {
      if ((we >> (byte / lane_bytes)) & 1) model[wa][byte] = data[byte];
    }
  };
  for (int i = 0; i < depth; ++i) cycle(false, 0, 0xffff, i);
  cycle(true, 0, 0, 0);
  for (int i = 0; i < 20000; ++i) {
    const int reach = i < 10000 ? depth : std::min(depth, 3);
    const uint16_t we = random.next() & ((1u << lanes) - 1);
    cycle(random.chance(60), random.between(depth - reach, depth - 1), random.chance(50) ? we : 0,
          random.between(depth - reach, depth - 1));
    ASSERT_EQ(get(pins.ram_rq[ram]), read) << "cycle " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, Ram, testing::Range(0, static_cast<int>(std::size(kRamDepths))),
                         [](const auto& info) {
                           return std::to_string(kRamDepths[info.param]) + "x128in" +
                                  std::to_string(kRamLaneBits[info.param]);
                         });

TEST(RamOfTwoPorts, ReturnsTheOldWordOnAWriteInTheSameCycle) {
  constexpr int kDepth = 37;
  constexpr uint64_t kSeed = 7300;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  Random random(kSeed);
  Library library;
  Vhw_rtl_library& pins = library.pins;
  std::vector<Word> model(kDepth);
  Word read_a{}, read_b{};
  const auto cycle = [&](bool a_re, int a, bool b_re, bool b_we, int b) {
    const Word data = random_word(random);
    pins.tdp_a_re = a_re;
    pins.tdp_a_ra = a;
    pins.tdp_b_re = b_re;
    pins.tdp_b_we = b_we;
    pins.tdp_b_a = b;
    set(pins.tdp_b_wd, data);
    library.clock();
    if (a_re) read_a = model[a];
    if (b_re) read_b = model[b];
    if (b_we) model[b] = data;
  };
  for (int i = 0; i < kDepth; ++i) cycle(false, 0, false, true, i);
  cycle(true, 0, true, false, 0);
  for (int i = 0; i < 20000; ++i) {
    const int reach = i < 10000 ? kDepth : 3;
    cycle(random.chance(60), random.between(0, reach - 1), random.chance(40), random.chance(40),
          random.between(0, reach - 1));
    ASSERT_EQ(get(pins.tdp_a_rq), read_a) << "cycle " << i;
    ASSERT_EQ(get(pins.tdp_b_rq), read_b) << "cycle " << i;
  }
}

}  // namespace
}  // namespace vta::rtl
