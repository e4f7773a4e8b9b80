// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/hw/hlsc/schedule/damaged.h"

namespace vta::hlsc::schedule {
namespace {

// Three steps: read, take the word, write it; then a token.
constexpr const char* kCopy = R"(
  %0.x : 8 = stream_read in 1:1
  %1.word : 8 = ram_read m 1:1, %0.x
  %2.more : 8 = add %1.word, 1:8
  ram_write k 1:1, %0.x, %2.more
  stream_write t 1:1
})";

TEST(CheckedSequence, HasAStepForEveryOperation) {
  Damaged late(kCopy);
  late.step("ram_write k") = late.num_steps();
  late.expect("complete");

  Damaged none(kCopy);
  none.step("add 'more'") = kUnscheduled;
  none.expect("complete");

  Damaged no_steps(kCopy);
  no_steps.of_process().num_steps.clear();
  no_steps.expect("complete");

  Damaged another(kCopy);
  another.of_process().step.pop_back();
  another.expect("complete");

  Damaged fewer(kCopy);
  fewer.schedule.processes.clear();
  EXPECT_THROW(check(fewer.design, fewer.schedule), Error);
}

TEST(CheckedSequence, HasAStepForTheWordOfARead) {
  Damaged last("%0.word : 8 = ram_read m 1:1, 3:8 }");
  last.num_steps() -= 1;
  last.expect("complete");
}

TEST(CheckedSequence, UsesAWordTheStepAfterItsRead) {
  Damaged early(kCopy);
  --early.step("add 'more'");
  early.expect("data");
}

TEST(CheckedSequence, UsesNoValueBeforeIt) {
  Damaged early(kCopy);
  --early.step("ram_write k");
  early.expect("data");
}

TEST(CheckedSequence, ChainsNoMoreThanFitsTheClock) {
  Damaged early(R"(
    %0.x : 8 = stream_read in 1:1
    %1.wide : 32 = zext %0.x
    %2.square : 32 = mul %1.wide, %1.wide
    %3.power : 32 = mul %2.square, %2.square
  })");
  EXPECT_EQ(early.step("mul 'power'"), early.step("mul 'square'") + 1);
  --early.step("mul 'power'");
  early.expect("budget");
}

// The register of a product is inside a DSP48E1, and slower than others.
TEST(CheckedSequence, StartsFromTheRegisterOfAProduct) {
  Damaged made(R"(
    %0.x : 8 = stream_read in 1:1
    %1.square : 8 = mul %0.x, %0.x
    %2.wide : 32 = zext %1.square
    %3.next : 32 = add %2.wide, 1:32
    %4.low : 8 = slice %3.next
    stream_write out 1:1, %4.low
  })");
  EXPECT_EQ(made.step("add 'next'"), made.step("mul 'square'") + 1);
  EXPECT_GT(made.of_process().ready_ns[made.value("add 'next'")], 5.9);
}

TEST(CheckedSequence, StartsFromTheRegisterOfAProductFromBeforeTheLoop) {
  Damaged made(R"(
    %0.x : 8 = stream_read in 1:1
    %1.square : 8 = mul %0.x, %0.x
    %2.wide : 32 = zext %1.square
    loop l if 1:1 { } while 1:1 {
      %3.a : 32 = add %2.wide, 1:32
      %4.b : 32 = add %3.a, %2.wide
      %5.c : 32 = add %4.b, %3.a
      %6.low : 8 = slice %5.c
      stream_write out 1:1, %6.low }
  })");
  EXPECT_EQ(made.step("add 'b'"), 0u);
  EXPECT_EQ(made.step("add 'c'"), 1u);
}

TEST(CheckedSequence, StartsFromTheRegisterOfAProductInTheHeadOfALoop) {
  Damaged made(R"(
    %0.x : 8 = stream_read in 1:1
    loop l if 1:1 {
      phi %1.i : 8 = 0:8, %4.next
      %2.square : 8 = mul %0.x, %1.i
      %3.more : 1 = ult %2.square, %0.x
    } while %3.more {
      %4.next : 8 = add %1.i, 1:8
    }
    %5.wide : 32 = zext %2.square
    %6.a : 32 = add %5.wide, 5:32
    %7.low : 8 = slice %6.a
    stream_write out 1:1, %7.low
  })");
  EXPECT_GT(made.of_process().ready_ns[made.value("add 'a'")], 5.9);
}

// After the loop, the word is in a register as other results are.
TEST(CheckedSequence, StartsFromTheRegisterOfAWordInTheHeadOfALoop) {
  Damaged made(R"(
    %0.x : 8 = stream_read in 1:1
    loop l if 1:1 {
      phi %1.i : 8 = 0:8, %4.next
      %2.word : 8 = ram_read m 1:1, %1.i
      %3.more : 1 = ult %2.word, %0.x
    } while %3.more {
      %4.next : 8 = add %1.i, 1:8
    }
    %5.none : 1 = eq %2.word, 0:8
    %6.factor : 8 = select %5.none, %0.x, %2.word
    %7.product : 8 = mul %6.factor, %0.x
    stream_write out 1:1, %7.product
  })");
  EXPECT_EQ(made.step("mul 'product'"), made.step("eq 'none'"));
}

// A product of several DSP48E1 fits a step only after another register.
TEST(CheckedSequence, HasAStepForAWideProductOfAProduct) {
  Damaged made(R"(
    %0.x : 8 = stream_read in 1:1
    %1.square : 8 = mul %0.x, %0.x
    %2.wide : 30 = zext %1.square
    %3.product : 30 = mul %2.wide, %2.wide
    %4.low : 8 = slice %3.product
    stream_write out 1:1, %4.low
  })");
  EXPECT_GT(made.step("mul 'product'"), made.step("mul 'square'"));
  EXPECT_LE(made.of_process().ready_ns[made.value("mul 'product'")], 9.0);
}

TEST(CheckedSequence, LeavesTimeForThePortOfARam) {
  Damaged early(R"(
    %0.x : 8 = stream_read in 1:1
    %1.square : 8 = mul %0.x, %0.x
    %2.index : 8 = add %1.square, 1:8
    %3.word : 8 = ram_read m 1:1, %2.index
  })");
  EXPECT_EQ(early.step("ram_read m 'word'"), early.step("add 'index'") + 1);
  --early.step("ram_read m 'word'");
  early.expect("deadline");
}

TEST(CheckedSequence, LeavesTimeForTheCountersOfANest) {
  Damaged early(R"(
    %0.x : 8 = stream_read in 1:1
    %1.square : 8 = mul %0.x, %0.x
    loop items if 1:1 ii 1 { phi %i : 8 = %1.square, %i1 %more : 1 = ult %i, 100:8 } while %more {
      stream_write out 1:1, %i
      %i1 : 8 = add %i, 1:8
    }
  })");
  EXPECT_EQ(early.entry(), early.step("mul 'square'") + 1);
  --early.entry();
  --early.num_steps();
  early.expect("deadline");
}

TEST(CheckedSequence, DoesNotAccessMemoryBeforeItsWait) {
  Damaged early("%0.x : 8 = stream_read in 1:1 stream_write out 1:1, %0.x reg_write r 1:1, %0.x }");
  --early.step("reg_write r");
  early.expect("effect order");
}

TEST(CheckedSequence, DoesNotAccessMemoryAfterTheNextWait) {
  Damaged late(kCopy);
  ++late.step("ram_write k");
  ++late.num_steps();
  late.expect("effect order");
}

TEST(CheckedSequence, AccessesMemoryBeforeTheFirstOfSeveralWaits) {
  Damaged together("ram_write m 1:1, 0:8, 0:8 stream_write t 1:1 stream_write u 1:1 }");
  EXPECT_EQ(together.step("stream_write u"), 1u);
  --together.step("stream_write u");
  together.expect("effect order");
}

TEST(CheckedSequence, HasOneWaitWithAResultInAStep) {
  Damaged together("%0.x : 8 = stream_read in 1:1 stream_write t 1:1 }");
  EXPECT_EQ(together.step("stream_write t"), 1u);
  --together.step("stream_write t");
  together.expect("one wait");
}

TEST(CheckedSequence, HasOneWaitOfAnObjectInAStep) {
  Damaged together("stream_write t 1:1 stream_write t 1:1 }");
  EXPECT_EQ(together.step("stream_write t", 1), 1u);
  --together.step("stream_write t", 1);
  together.expect("one wait");
}

TEST(CheckedSequence, TakesItsWaitsInOrder) {
  Damaged swapped("%0.x : 8 = stream_read in 1:1 stream_write t 1:1 }");
  std::swap(swapped.step("stream_read in 'x'"), swapped.step("stream_write t"));
  swapped.expect("effect order");
}

TEST(CheckedSequence, MayHaveSeveralTokensInAStep) {
  Damaged together("stream_write t 1:1 stream_write u 1:1 }");
  EXPECT_EQ(together.step("stream_write u"), 0u);
}

TEST(CheckedSequence, DoesNothingAfterAHalt) {
  constexpr const char* kHalting = R"(
    %0.x : 8 = stream_read in 1:1
    %1.bad : 1 = slice %0.x
    halt %1.bad
    reg_write r 1:1, %0.x
  })";
  Damaged with(kHalting);
  --with.step("reg_write r");
  with.expect("halt");
}

TEST(CheckedSequence, DoesEverythingBeforeAHalt) {
  Damaged after("%0.x : 8 = stream_read in 1:1 reg_write r 1:1, %0.x halt 1:1 }");
  ++after.step("reg_write r");
  ++after.num_steps();
  after.expect("halt");
}

TEST(CheckedSequence, EntersNoLoopInTheStepOfAHalt) {
  Damaged with("halt 0:1 loop l if 1:1 { } while 1:1 { stream_write t 1:1 } }");
  --with.entry();
  with.expect("halt");
}

constexpr const char* kLoopAfterRead = R"(
  %0.x : 8 = stream_read in 1:1
  %1.word : 8 = ram_read m 1:1, %0.x
  loop l if 1:1 {
    phi %2.i : 8 = 0:8, %4.j
    %3.c : 1 = ult %2.i, 5:8
  } while %3.c {
    %4.j : 8 = add %2.i, 1:8
    stream_write t 1:1
  }
  %5.sum : 8 = add %1.word, 1:8
  stream_write out 1:1, %5.sum
})";

TEST(CheckedSequence, EntersALoopWhenAllBeforeItIsDone) {
  Damaged early(kLoopAfterRead);
  --early.entry();
  early.expect("loop");

  Damaged never(kLoopAfterRead);
  never.of_process().entry_step.clear();
  never.expect("complete");
}

TEST(CheckedSequence, GoesOnAfterALoopWhenItIsLeft) {
  Damaged early(kLoopAfterRead);
  early.step("add 'sum'") = early.entry();
  early.expect("loop");
}

TEST(CheckedSequence, HasValuesBeforeTheLoopThatUsesThem) {
  constexpr const char* kUsed = R"(
    %0.x : 8 = stream_read in 1:1
    %1.wide : 32 = zext %0.x
    %2.square : 32 = mul %1.wide, %1.wide
    %3.power : 32 = mul %2.square, %2.square
    loop l if 1:1 { } while 1:1 {
      %4.low : 8 = slice %3.power
      stream_write out 1:1, %4.low
    }
  })";
  Damaged early(kUsed);
  EXPECT_EQ(early.entry(), early.step("mul 'power'"));
  --early.entry();
  early.expect("data");
}

TEST(CheckedSequence, HasTheFirstValuesOfALoopWhenItIsEntered) {
  Damaged early(R"(
    %0.x : 8 = stream_read in 1:1
    %1.word : 8 = ram_read m 1:1, %0.x
    loop l if 1:1 { phi %2.i : 8 = %1.word, %2.i } while 1:1 { stream_write out 1:1, %2.i }
  })");
  --early.entry();
  early.expect("data");
}

TEST(CheckedSequence, UsesResultsOfALoopAfterIt) {
  Damaged early(R"(
    loop l if 1:1 {
      phi %0.i : 8 = 0:8, %2.j
      %1.c : 1 = ult %0.i, 5:8
    } while %1.c {
      %2.j : 8 = add %0.i, 1:8
    }
    stream_write out 1:1, %0.i
  })");
  --early.step("stream_write out");
  early.expect("data");
}

TEST(CheckedSequence, ReadsARamOnceAStep) {
  Damaged twice("%0.a : 8 = ram_read m 1:1, 0:8 %1.b : 8 = ram_read m 1:1, 1:8 }");
  --twice.step("ram_read m 'b'");
  twice.expect("RAM port");
}

TEST(CheckedSequence, WritesOneWordOfARamAStep) {
  Damaged twice("ram_write m 1:1, 0:8, 7:8 ram_write m 1:1, 1:8, 8:8 }");
  --twice.step("ram_write m", 1);
  twice.expect("RAM port");
}

TEST(CheckedSequence, ReadsARamAfterItsWrite) {
  Damaged early("ram_write m 1:1, 0:8, 7:8 %0.a : 8 = ram_read m 1:1, 0:8 }");
  --early.step("ram_read m 'a'");
  early.expect("RAM order");
}

TEST(CheckedSequence, ReadsARamBeforeALaterWrite) {
  Damaged late("%0.a : 8 = ram_read m 1:1, 0:8 ram_write m 1:1, 0:8, 7:8 }");
  ++late.step("ram_read m 'a'");
  ++late.num_steps();
  late.expect("RAM order");
}

TEST(CheckedSequence, ReadsARegisterAfterItsWrite) {
  Damaged early("reg_write r 1:1, 7:8 %0.a : 8 = reg_read r 1:1 }");
  --early.step("reg_read r 'a'");
  early.expect("register order");
}

TEST(CheckedSequence, ReadsARegisterBeforeALaterWrite) {
  Damaged late("%0.a : 8 = reg_read r 1:1 reg_write r 1:1, 7:8 }");
  ++late.step("reg_read r 'a'");
  ++late.num_steps();
  late.expect("register order");
}

}  // namespace
}  // namespace vta::hlsc::schedule
