// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/kept_values.h"

#include <gtest/gtest.h>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/passes/pipeline.h"
#include "hw/hlsc/schedule/scheduler.h"

namespace vta::hlsc::emit {
namespace {

// A count, then a pipelined loop that adds each item to a word of a RAM, which is available a stage
// after the item.
constexpr const char* kText = R"(
design d
stream in : 8 x 2
stream out : 8 x 2
ram m : 8 x 16 lanes 8 banks 1
process p {
  %n : 8 = stream_read in 1:1
  %wide : 16 = zext %n
  loop items if 1:1 ii 1 { phi %i : 16 = 0:16, %i1 %more : 1 = ult %i, %wide } while %more {
    %x : 8 = stream_read in 1:1
    %at : 4 = slice [0] %x
    %w : 8 = ram_read m 1:1, %at
    %s : 8 = add %w, %x
    stream_write out 1:1, %s
    %i1 : 16 = add %i, 1:16
  }
}
)";

TEST(KeptValues, AreThoseThatOutliveTheirStateOrStage) {
  ir::Design design = ir::parse(kText, "kept.hlsir");
  passes::legalize(design);
  const schedule::Schedule schedule = schedule::schedule(design, {});
  const bind::Binding binding = bind::bind(design, schedule);
  const ir::Process& process = design.processes[0];
  Demands demands;
  ModuleState state{design,
                    process,
                    schedule.processes[0],
                    binding.processes[0],
                    binding.ram_ports,
                    0,
                    demands,
                    false,
                    Ports(design, binding.ram_ports, 0),
                    {},
                    {},
                    {}};
  find_kept_values(state);
  // The count, whose extension is computed where it is used; the item, up to the stage of the word.
  ASSERT_EQ(demands.captures.size(), 1u);
  ASSERT_EQ(demands.pipes.size(), 1u);
  const ir::ValueId count = *demands.captures.begin();
  const auto [item, last_stage] = *demands.pipes.begin();
  EXPECT_EQ(process.ops[count].opcode, ir::Opcode::kStreamRead);
  EXPECT_EQ(process.ops[item].opcode, ir::Opcode::kStreamRead);
  EXPECT_EQ(last_stage, 1u);
  EXPECT_LT(count, item);
}

}  // namespace
}  // namespace vta::hlsc::emit
