// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/ram_hazards.h"

#include <gtest/gtest.h>

#include "hw/hlsc/ir/text.h"

namespace vta::hlsc::bind {
namespace {

// A pipelined body with a read, a second read and a write, in given stages.
class RamHazards : public testing::Test {
 protected:
  schedule::PipelinedBody body(uint32_t read, uint32_t other, uint32_t write, bool is_late) {
    schedule_.step.assign(process().ops.size(), 0);
    schedule_.step[op(0)] = read;
    schedule_.step[op(1)] = other;
    schedule_.step[op(2)] = write;
    schedule_.late_words.clear();
    if (is_late) schedule_.late_words.insert(op(0));
    return schedule::PipelinedBody(process(), schedule_, loop());
  }
  ir::ValueId op(size_t i) const { return std::get<ir::ValueId>(loop().body[i]); }

 private:
  const ir::Process& process() const { return design_.processes[0]; }
  const ir::Loop& loop() const { return *std::get<1>(process().body[0]); }

  const ir::Design design_ = ir::parse(
      "design d ram m : 8 x 8 lanes 8 banks 1 process p { loop l if 1:1 ii 1 { } while 1:1 { "
      "%0 : 8 = ram_read m 1:1, 0:3 %1 : 8 = ram_read m 1:1, 1:3 ram_write m 1:1, 0:3, %0 } }",
      "hazards");
  schedule::ProcessSchedule schedule_;
};

TEST_F(RamHazards, OfReadsAreInLaterStages) {
  const auto stages = body(1, 3, 4, false);
  EXPECT_TRUE(waits_for_read(stages, op(0), op(1)));
  EXPECT_FALSE(waits_for_read(stages, op(1), op(0)));
  EXPECT_FALSE(waits_for_read(stages, op(0), op(0)));
}

TEST_F(RamHazards, OfAWriteAreBetweenTheReadAndTheWrite) {
  const StageRange stages = pending_stages(body(1, 0, 4, false), op(0), op(2));
  EXPECT_EQ(stages.first, 2u);
  EXPECT_EQ(stages.end, 4u);  // in stage 4 the written word is forwarded
}

TEST_F(RamHazards, OfAWriteBeginAStageLaterForAWordThatWaits) {
  const StageRange stages = pending_stages(body(1, 0, 4, true), op(0), op(2));
  EXPECT_EQ(stages.first, 3u);
  EXPECT_EQ(stages.end, 4u);
}

TEST_F(RamHazards, DoNotOccurInTheNextStage) {
  const auto stages = body(1, 0, 2, false);
  EXPECT_TRUE(pending_stages(stages, op(0), op(2)).empty());
  EXPECT_TRUE(forwards(stages, op(0), op(2)));
  EXPECT_FALSE(forwards(body(1, 0, 1, false), op(0), op(2)));
}

}  // namespace
}  // namespace vta::hlsc::bind
