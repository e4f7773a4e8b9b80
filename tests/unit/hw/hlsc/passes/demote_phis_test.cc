// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/nest.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/support/error_in.h"
#include "tests/unit/hw/hlsc/passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

using ir::Opcode;

// The design after demote_phis(), with the same meaning.
ir::Design carried(const std::string& text) {
  const ir::Design before = design_of(text);
  ir::Design after = design_of(text);
  simplify(after, after.processes[0]);
  demote_phis(after, after.processes[0]);
  forward_stores(after, after.processes[0]);
  simplify(after, after.processes[0]);
  ir::verify(after);
  EXPECT_EQ(expect_same_meaning(before, after, 40), 40u);
  return after;
}

size_t added_registers(const ir::Design& design) {
  size_t registers = 0;
  for (const ir::Object& object : design.objects)
    registers += object.name.starts_with("run_") ? 1 : 0;
  return registers;
}

// The innermost loop reads each register once and writes it once, and the loops are a nest of
// `levels` levels whose counters do not depend on the body.
void expect_engine(const ir::Design& design, size_t levels) {
  const ir::Process& process = design.processes[0];
  const ir::Sequence& body = loops_of(process).back()->body;
  EXPECT_EQ(count(process, body, Opcode::kRegisterRead), added_registers(design));
  EXPECT_EQ(count(process, body, Opcode::kRegisterWrite), added_registers(design));
  EXPECT_EQ(engine_of(process, *loops_of(process)[0]).levels.size(), levels);
}

TEST(HlscDemotePhis, ALoopCarriedValueThatTheBodyReadsBecomesARegister) {
  const ir::Design design = carried(R"(design d
    input n : 5
    input start : 8
    stream in : 8 x 2
    stream out : 8 x 1
    process run {
      %n : 5 = input n 1:1
      %start : 8 = input start 1:1
      loop items if 1:1 ii 1 {
        phi %i : 5 = 0:5, %i1
        phi %sum : 8 = %start, %sum1
        %more : 1 = ult %i, %n
      } while %more {
        %x : 8 = stream_read in 1:1
        %sum1 : 8 = add %sum, %x
        stream_write out 1:1, %sum
        %i1 : 5 = add %i, 1:5
      }
      stream_write out 1:1, %sum
    })");
  EXPECT_EQ(added_registers(design), 1u);
  EXPECT_EQ(phi_widths(design.processes[0]), "5");
  expect_engine(design, 1);
}

TEST(HlscDemotePhis, CountersStayPhis) {
  const ir::Design design = carried(R"(design d
    input n : 5
    stream out : 8 x 1
    process run {
      %n : 5 = input n 1:1
      loop items if 1:1 ii 1 {
        phi %i : 5 = 0:5, %i1
        phi %square : 8 = 0:8, %square1
        %more : 1 = ult %i, %n
      } while %more {
        stream_write out 1:1, %square
        %i8 : 8 = zext %i
        %twice : 8 = add %i8, %i8
        %odd : 8 = add %twice, 1:8
        %square1 : 8 = add %square, %odd
        %i1 : 5 = add %i, 1:5
      }
    })");
  EXPECT_EQ(added_registers(design), 0u);
  expect_engine(design, 1);
}

TEST(HlscDemotePhis, AnOuterLevelMayInitializeIt) {
  const ir::Design design = carried(R"(design d
    input n : 3
    input m : 3
    stream in : 8 x 2
    stream out : 8 x 1
    process run {
      %n : 3 = input n 1:1
      %m : 3 = input m 1:1
      loop rows if 1:1 {
        phi %y : 3 = 0:3, %y1
        %more_rows : 1 = ult %y, %n
      } while %more_rows {
        %start : 8 = zext %y
        loop columns if 1:1 ii 1 {
          phi %x : 3 = 0:3, %x1
          phi %sum : 8 = %start, %sum1
          %more : 1 = ult %x, %m
        } while %more {
          %item : 8 = stream_read in 1:1
          %sum1 : 8 = xor %sum, %item
          stream_write out 1:1, %sum1
          %x1 : 3 = add %x, 1:3
        }
        %y1 : 3 = add %y, 1:3
      }
    })");
  EXPECT_EQ(added_registers(design), 1u);
  expect_engine(design, 2);
}

TEST(HlscDemotePhis, AllLevelsMayPassItThrough) {
  const ir::Design design = carried(R"(design d
    input n : 3
    input m : 3
    input p : 1
    stream in : 8 x 2
    stream out : 8 x 1
    process run {
      %n : 3 = input n 1:1
      %m : 3 = input m 1:1
      %p : 1 = input p 1:1
      loop rows if %p {
        phi %y : 3 = 0:3, %y1
        phi %total : 8 = 7:8, %sum
        %more_rows : 1 = ult %y, %n
      } while %more_rows {
        loop columns if 1:1 ii 1 {
          phi %x : 3 = 0:3, %x1
          phi %sum : 8 = %total, %sum1
          %more : 1 = ult %x, %m
        } while %more {
          %item : 8 = stream_read in 1:1
          %sum1 : 8 = add %sum, %item
          %x1 : 3 = add %x, 1:3
        }
        %y1 : 3 = add %y, 1:3
      }
      stream_write out %p, %total
    })");
  EXPECT_EQ(added_registers(design), 1u);
  expect_engine(design, 2);
}

TEST(HlscDemotePhis, AnOuterLoopThatUsesItOtherwiseIsALoopOfItsOwn) {
  const ir::Design design = carried(R"(design d
    input n : 3
    stream in : 8 x 2
    stream out : 8 x 1
    process run {
      %n : 3 = input n 1:1
      loop rows if 1:1 {
        phi %y : 3 = 0:3, %y1
        phi %total : 8 = 1:8, %total1
        %more_rows : 1 = ult %y, 4:3
      } while %more_rows {
        loop columns if 1:1 ii 1 {
          phi %x : 3 = 0:3, %x1
          phi %sum : 8 = %total, %sum1
          %more : 1 = ult %x, %n
        } while %more {
          %item : 8 = stream_read in 1:1
          %sum1 : 8 = add %sum, %item
          %x1 : 3 = add %x, 1:3
        }
        %total1 : 8 = mul %sum, 3:8
        %y1 : 3 = add %y, 1:3
      }
      stream_write out 1:1, %total
    })");
  EXPECT_EQ(added_registers(design), 1u);
  const ir::Process& process = design.processes[0];
  const std::vector<const ir::Loop*> loops = loops_of(process);
  EXPECT_EQ(engine_of(process, *loops[0]).levels.size(), 0u);
  EXPECT_EQ(engine_of(process, *loops[1]).levels.size(), 1u);
}

TEST(HlscDemotePhis, TheOutermostOfThreeLevelsMayInitializeIt) {
  const ir::Design design = carried(R"(design d
    input n : 2
    input m : 2
    stream in : 8 x 2
    stream out : 8 x 1
    process run {
      %n : 2 = input n 1:1
      %m : 2 = input m 1:1
      loop planes if 1:1 {
        phi %z : 2 = 0:2, %z1
        %more_planes : 1 = ult %z, 3:2
      } while %more_planes {
        %start : 8 = zext %z
        loop rows if 1:1 {
          phi %y : 2 = 0:2, %y1
          phi %total : 8 = %start, %sum
          %more_rows : 1 = ult %y, %n
        } while %more_rows {
          loop columns if 1:1 ii 1 {
            phi %x : 2 = 0:2, %x1
            phi %sum : 8 = %total, %sum1
            %more : 1 = ult %x, %m
          } while %more {
            %item : 8 = stream_read in 1:1
            %sum1 : 8 = add %sum, %item
            stream_write out 1:1, %sum1
            %x1 : 2 = add %x, 1:2
          }
          %y1 : 2 = add %y, 1:2
        }
        %z1 : 2 = add %z, 1:2
      }
    })");
  EXPECT_EQ(added_registers(design), 1u);
  expect_engine(design, 3);
}

TEST(HlscDemotePhis, AnOuterLoopWithAnUnknownInitialValueIsALoopOfItsOwn) {
  const ir::Design design = carried(R"(design d
    input n : 3
    stream in : 8 x 2
    stream out : 8 x 1
    process run {
      %n : 3 = input n 1:1
      loop rows if 1:1 {
        phi %y : 3 = 0:3, %y1
        phi %total : 8 = 1:8, %sum
        %more_rows : 1 = ult %y, 4:3
      } while %more_rows {
        %next : 8 = add %total, 1:8
        loop columns if 1:1 ii 1 {
          phi %x : 3 = 0:3, %x1
          phi %sum : 8 = %total, %sum1
          phi %other : 8 = %next, %other1
          %more : 1 = ult %x, %n
        } while %more {
          %item : 8 = stream_read in 1:1
          %sum1 : 8 = add %sum, %item
          %other1 : 8 = xor %other, %item
          stream_write out 1:1, %other
          %x1 : 3 = add %x, 1:3
        }
        %y1 : 3 = add %y, 1:3
      }
      stream_write out 1:1, %total
    })");
  EXPECT_EQ(added_registers(design), 2u);
  EXPECT_EQ(engine_of(design.processes[0], *loops_of(design.processes[0])[0]).levels.size(), 0u);
}

TEST(HlscDemotePhis, ACounterOfAnOuterLevelMayInitializeIt) {
  const ir::Design design = carried(R"(design d
    input n : 3
    stream in : 8 x 2
    stream out : 8 x 1
    process run {
      %n : 3 = input n 1:1
      loop rows if 1:1 {
        phi %y : 8 = 5:8, %y1
        %more_rows : 1 = ult %y, 9:8
      } while %more_rows {
        loop columns if 1:1 ii 1 {
          phi %x : 3 = 0:3, %x1
          phi %sum : 8 = %y, %sum1
          %more : 1 = ult %x, %n
        } while %more {
          %item : 8 = stream_read in 1:1
          %sum1 : 8 = add %sum, %item
          stream_write out 1:1, %sum1
          %x1 : 3 = add %x, 1:3
        }
        %y1 : 8 = add %y, 1:8
      }
    })");
  EXPECT_EQ(added_registers(design), 1u);
  expect_engine(design, 2);
}

// Two levels: `start` belongs to the outer one and is the initial value of the inner phi %sum.
std::string passed_through(const std::string& inner_phi, const std::string& body) {
  return R"(design d
    input n : 3
    stream in : 8 x 2
    stream out : 8 x 1
    process run {
      %n : 3 = input n 1:1
      loop rows if 1:1 {
        phi %y : 3 = 0:3, %y1
        phi %start : 8 = 1:8, %sum
        %more_rows : 1 = ult %y, 4:3
      } while %more_rows {
        loop columns if 1:1 ii 1 {
          phi %x : 3 = 0:3, %x1
          phi %sum : 8 = %start, %sum1 )" +
         inner_phi + R"(
          %more : 1 = ult %x, %n
        } while %more {
          %item : 8 = stream_read in 1:1
          %sum1 : 8 = add %sum, %item )" +
         body + R"(
          %x1 : 3 = add %x, 1:3
        }
        %y1 : 3 = add %y, 1:3
      }
      stream_write out 1:1, %start
    })";
}

TEST(HlscDemotePhis, AnOuterLoopWhoseValueTheBodyUsesIsALoopOfItsOwn) {
  const ir::Design design = carried(passed_through("", "stream_write out 1:1, %start"));
  EXPECT_EQ(added_registers(design), 1u);
  EXPECT_EQ(engine_of(design.processes[0], *loops_of(design.processes[0])[0]).levels.size(), 0u);
}

TEST(HlscDemotePhis, AnOuterLoopWhoseValueInitializesTwoOthersIsALoopOfItsOwn) {
  const ir::Design design =
      carried(passed_through("phi %other : 8 = %start, %other1",
                             "%other1 : 8 = xor %other, %item stream_write out 1:1, %other"));
  EXPECT_EQ(added_registers(design), 2u);
  EXPECT_EQ(engine_of(design.processes[0], *loops_of(design.processes[0])[0]).levels.size(), 0u);
}

constexpr const char* kEndsByItsOwnItem = R"(design d
    stream in : 8 x 2
    process run {
      loop items if 1:1 ii 1 {
        phi %last : 8 = 1:8, %x
        %more : 1 = ne %last, 0:8
      } while %more {
        %x : 8 = stream_read in 1:1  @"items.cc":7
      }
    })";

TEST(HlscDemotePhis, RefusesALoopWhoseConditionDependsOnItsBody) {
  ir::Design design = design_of(kEndsByItsOwnItem);
  const Error error = expect_error([&] { demote_phis(design, design.processes[0]); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(std::string(error.what()).find("depends on what its body reads"), std::string::npos);
}

}  // namespace
}  // namespace vta::hlsc::passes
