// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/report/what_if.h"

#include <gtest/gtest.h>

namespace vta::sim {
namespace {

std::vector<std::string> changes_of(const MemoryConfig& memory) {
  std::vector<std::string> changes;
  for (const WhatIf& change : possible_changes(memory)) changes.push_back(change.change);
  return changes;
}

TEST(PossibleChanges, LeaveOutWhatTheMemoryHas) {
  const MemoryConfig ideal = load_memory_config("ideal64");
  EXPECT_EQ(changes_of(ideal).size(), 4u);
  EXPECT_EQ(changes_of(load_memory_config("pynq-z1")).size(), 3u);  // loads have their own port
}

TEST(PossibleChanges, AreMemoriesThatTheReaderAccepts) {
  for (const char* name : {"ideal64", "pynq-z1", "random"}) {
    for (const WhatIf& change : possible_changes(load_memory_config(name))) {
      EXPECT_EQ(parse_memory_config(to_json(change.memory), "test"), change.memory)
          << change.change;
    }
  }
}

TEST(PossibleChanges, HaveTimesInCyclesOfThePresentClock) {
  WhatIf change;
  change.clock = 2;
  change.cycles = 300;
  change.layer_cycles = {100, 200};
  EXPECT_DOUBLE_EQ(change.time(), 150);
  EXPECT_DOUBLE_EQ(change.time_of(1), 100);
}

}  // namespace
}  // namespace vta::sim
