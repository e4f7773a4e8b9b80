// SPDX-License-Identifier: Apache-2.0
#include "tests/support/error_in.h"
#include "tests/unit/hw/hlsc/schedule/damaged.h"

namespace vta::hlsc::schedule {
namespace {

// An endless loop that starts an iteration every `interval` cycles.
std::string pipelined(int interval, const std::string& body) {
  return fmt::format("loop l if 1:1 ii {} {{ }} while 1:1 {{ {} }} }}", interval, body);
}

TEST(CheckedBody, HasAStageForEveryOperation) {
  Damaged late(pipelined(1, "%0.x : 8 = stream_read in 1:1 stream_write out 1:1, %0.x"));
  late.step("stream_write out") = late.nest().stages;
  late.expect("complete");

  Damaged no_nest(pipelined(1, "stream_write t 1:1"));
  no_nest.of_process().nests.clear();
  no_nest.expect("complete");

  Damaged no_level(pipelined(1, "stream_write t 1:1"));
  const ir::Loop other;
  no_level.nest().levels.insert(no_level.nest().levels.begin(), &other);
  no_level.expect("complete");
}

TEST(CheckedBody, HasNoStagesForCounters) {
  Damaged late(R"(
    loop l if 1:1 ii 1 {
      phi %0.i : 8 = 0:8, %2.j
      %1.c : 1 = ult %0.i, 5:8
    } while %1.c {
      %2.j : 8 = add %0.i, 1:8
      stream_write out 1:1, %0.i
    }
  })");
  ++late.step("ult 'c'");
  late.expect("complete");
}

TEST(CheckedBody, UsesAWordTheStageAfterItsRead) {
  Damaged early(pipelined(1, R"(
    %0.x : 8 = stream_read in 1:1
    %1.word : 8 = ram_read m 1:1, %0.x
    %2.more : 8 = add %1.word, 1:8
    stream_write out 1:1, %2.more)"));
  --early.step("add 'more'");
  early.expect("data");
}

TEST(CheckedBody, ChainsNoMoreThanFitsTheClock) {
  Damaged early(pipelined(1, R"(
    %0.x : 8 = stream_read in 1:1
    %1.wide : 32 = zext %0.x
    %2.square : 32 = mul %1.wide, %1.wide
    %3.power : 32 = mul %2.square, %2.square
    %4.low : 8 = slice %3.power
    stream_write out 1:1, %4.low)"));
  --early.step("mul 'power'");
  early.expect("budget");
}

TEST(CheckedBody, DoesNotHalt) {
  Damaged halting(pipelined(1, "stream_write t 1:1"));
  ir::Op& op = halting.process().ops[halting.value("stream_write t")];
  op.opcode = ir::Opcode::kHalt;
  op.object = ir::kNoObject;
  halting.expect("no halt");
}

constexpr const char* kSum = R"(
  %0.x : 8 = stream_read in 1:1
  %1.sum : 8 = reg_read r 1:1
  %2.next : 8 = add %0.x, %1.sum
  reg_write r 1:1, %2.next)";

TEST(CheckedBody, WritesARegisterBeforeTheNextIterationReadsIt) {
  Damaged late(pipelined(1, kSum));
  ++late.step("reg_write r");
  ++late.nest().stages;
  late.expect("register distance");

  Damaged often(pipelined(2, R"(
    %0.sum : 8 = reg_read r 1:1
    %1.word : 8 = ram_read m 1:1, %0.sum
    reg_write r 1:1, %1.word)"));
  EXPECT_EQ(often.step("reg_write r"), often.step("reg_read r 'sum'") + 1);
  often.nest().initiation_interval = 1;
  often.expect("register distance");
}

TEST(CheckedBody, ReadsARegisterBeforeItsWrite) {
  Damaged late(pipelined(2, "%0.old : 8 = reg_read r 1:1 reg_write r 1:1, 3:8"));
  ++late.step("reg_read r 'old'");
  ++late.nest().stages;
  late.expect("register distance");
}

TEST(CheckedBody, MayWriteARegisterWithinTheInterval) {
  Damaged late(pipelined(2, kSum));
  ++late.step("reg_write r");
  ++late.nest().stages;
  EXPECT_NO_THROW(check(late.design, late.schedule));
}

// Shares m and r.
constexpr const char* kOtherUses =
    "process q { %0 : 8 = ram_read m 1:1, 0:8 %1 : 8 = reg_read r 1:1 }";

constexpr const char* kTwoReads = R"(
  %0.a : 8 = ram_read m 1:1, 0:8
  %1.b : 8 = ram_read m 1:1, 1:8)";
constexpr const char* kTwoWrites = "ram_write m 1:1, 0:8, 7:8 ram_write m 1:1, 1:8, 8:8";

TEST(CheckedBody, ReadsARamOnceAStage) {
  Damaged twice(pipelined(2, kTwoReads));
  twice.step("ram_read m 'a'") = twice.step("ram_read m 'b'");
  twice.expect("RAM stages");
}

TEST(CheckedBody, WritesOneWordOfARamAStage) {
  Damaged twice(pipelined(2, kTwoWrites));
  --twice.step("ram_write m", 1);
  twice.expect("RAM stages");
}

TEST(CheckedBody, MayWriteTwoWordsOnExclusivePredicates) {
  Damaged either(pipelined(1, R"(
    %0.x : 8 = stream_read in 1:1
    %1.c : 1 = slice %0.x
    %2.not : 1 = xor %1.c, 1:1
    ram_write m %1.c, 0:8, 7:8
    ram_write m %2.not, 1:8, 8:8)"));
  EXPECT_EQ(either.step("ram_write m", 0), either.step("ram_write m", 1));
  either.process().ops[either.value("ram_write m", 1)].operands[0] = either.value("slice 'c'");
  either.expect("RAM stages");
}

TEST(CheckedBody, HasAnIntervalForEveryAccessToARam) {
  Damaged reads(pipelined(2, kTwoReads));
  reads.nest().initiation_interval = 1;
  reads.expect("RAM interval");

  Damaged writes(pipelined(2, kTwoWrites));
  writes.nest().initiation_interval = 1;
  writes.expect("RAM interval");
}

TEST(CheckedBody, ReadsARamBeforeItsWrite) {
  constexpr const char* kBoth = R"(
    %0.x : 8 = stream_read in 1:1
    %1.word : 8 = ram_read m 1:1, %0.x
    ram_write m 1:1, 5:8, %0.x
    reg_write r 1:1, %1.word)";
  Damaged late(pipelined(1, kBoth));
  late.step("ram_read m 'word'") = late.step("ram_write m") + 1;
  late.step("reg_write r") = late.step("ram_write m") + 2;
  late.nest().stages = late.step("reg_write r") + 1;
  late.expect("RAM order");

  Damaged swapped(pipelined(2, kTwoWrites));
  std::swap(swapped.step("ram_write m", 0), swapped.step("ram_write m", 1));
  swapped.expect("RAM order");
}

// Between the writes and the read comes an item, and the RAM is shared: the read comes after it.
constexpr const char* kExclusive = R"(
    %0.x : 8 = stream_read in 1:1
    %1.c : 1 = slice %0.x
    %2.not : 1 = xor %1.c, 1:1
    ram_write m %1.c, 0:8, 7:8
    ram_write m %1.c, 1:8, 8:8
    stream_write out %2.not, %0.x
    %3.word : 8 = ram_read m %2.not, 2:8
    reg_write r 1:1, %3.word)";

TEST(CheckedBody, MayWriteARamBeforeAReadOnAnExclusivePredicate) {
  Damaged made(pipelined(2, kExclusive) + std::string(kOtherUses));
  EXPECT_EQ(made.step("ram_write m", 1), made.step("ram_read m 'word'"));
  EXPECT_EQ(made.step("ram_write m", 0) + 1, made.step("ram_read m 'word'"));

  Damaged late(pipelined(2, kExclusive) + std::string(kOtherUses));
  ++late.step("stream_write out");
  ++late.step("ram_read m 'word'");
  ++late.step("reg_write r");
  ++late.nest().stages;
  late.expect("RAM interval");
}

// The read need not see the writes, which forward_stores has forwarded in a whole design.
TEST(CheckedBody, MayWriteARamBeforeALaterRead) {
  const std::string text = pipelined(2, R"(
    %0.x : 8 = stream_read in 1:1
    ram_write m 1:1, 0:8, 7:8
    ram_write m 1:1, 1:8, 8:8
    stream_write out 1:1, %0.x
    %1.word : 8 = ram_read m 1:1, %0.x
    reg_write r 1:1, %1.word)") +
                           std::string(kOtherUses);
  Damaged made(text);
  EXPECT_EQ(made.step("ram_write m", 0) + 1, made.step("ram_read m 'word'"));

  Damaged late(text);
  ++late.step("stream_write out");
  ++late.step("ram_read m 'word'");
  ++late.step("reg_write r");
  ++late.nest().stages;
  late.expect("RAM interval");
}

// A read is as late as no write moves: also a second write, and where the first comes earlier.
TEST(Scheduler, MovesNoWriteWithARead) {
  Damaged made(pipelined(4, R"(
    %0.x : 8 = stream_read in 1:1
    ram_write m 1:1, 0:8, %0.x
    %1.word : 8 = ram_read m 1:1, %0.x
    ram_write m 1:1, 1:8, 7:8
    ram_write m 1:1, 2:8, 8:8
    %2.a : 8 = mul %0.x, %0.x
    %3.b : 8 = mul %2.a, %2.a
    %4.c : 8 = mul %3.b, %3.b
    %5.d : 8 = mul %4.c, %4.c
    %6.e : 8 = xor %5.d, %1.word
    stream_write out 1:1, %6.e)"));
  EXPECT_EQ(made.step("ram_write m", 0), 0u);
  EXPECT_EQ(made.step("ram_read m 'word'"), 1u);
  EXPECT_EQ(made.step("ram_write m", 1), 1u);
  EXPECT_EQ(made.step("ram_write m", 2), 2u);
}

TEST(Scheduler, WritesARamLaterWhereTheIntervalToAnExclusiveReadIsShort) {
  Damaged made(pipelined(2, R"(
    %0.x : 8 = stream_read in 1:1
    %1.c : 1 = slice %0.x
    %2.not : 1 = xor %1.c, 1:1
    ram_write m %1.c, 0:8, 7:8
    %3.index : 8 = mul %0.x, %0.x
    %4.next : 8 = mul %3.index, %3.index
    %5.word : 8 = ram_read m %2.not, %4.next
    reg_write r 1:1, %5.word)"));
  EXPECT_EQ(made.step("ram_write m") + 1, made.step("ram_read m 'word'"));
}

TEST(CheckedBody, HasAnIntervalForEveryUseOfAStream) {
  Damaged often(pipelined(2, "stream_write t 1:1 stream_write t 1:1"));
  often.nest().initiation_interval = 1;
  often.expect("stream interval");
}

TEST(CheckedBody, KeepsTheOrderOfItemsThatOneOfTwoPathsGives) {
  Damaged paths(pipelined(2, R"(
    %0.x : 8 = stream_read in 1:1
    %1.odd : 1 = slice %0.x
    %2.even : 1 = xor %1.odd, 1:1
    %3.y : 8 = ram_read m 1:1, %0.x
    %4.z : 8 = ram_read k 1:1, %3.y
    stream_write out %1.odd, %4.z
    stream_write out %2.even, %0.x)"));
  EXPECT_EQ(paths.step("stream_write out", 0), 2u);
  EXPECT_EQ(paths.step("stream_write out", 1), 1u);
  ++paths.step("stream_write out", 0);
  ++paths.nest().stages;
  paths.expect("stream interval");
}

TEST(CheckedBody, HasOneWaitInAStage) {
  Damaged together(pipelined(1, "%0.x : 8 = stream_read in 1:1 stream_write out 1:1, %0.x"));
  --together.step("stream_write out");
  together.expect("wait order");
}

TEST(CheckedBody, KeepsTheOrderOfSharedRamsAndTokens) {
  const std::string other = "process q { %0 : 8 = ram_read m 1:1, 0:8 }";
  Damaged early(pipelined(1, R"(
    %0.x : 8 = ram_read k 1:1, 0:8
    ram_write m 1:1, 0:8, %0.x
    stream_write t 1:1)") +
                other);
  EXPECT_EQ(early.step("stream_write t"), 1u);
  --early.step("stream_write t");
  early.expect("shared memory");

  Damaged late(pipelined(1, R"(
    stream_read u 1:1
    stream_write t 1:1
    ram_write m 1:1, 0:8, 0:8)") +
               other);
  --late.step("ram_write m");
  late.expect("shared memory");
}

TEST(CheckedBody, KeepsTheOrderOfSharedRegistersAndTokens) {
  Damaged early(pipelined(1, R"(
    %0.x : 8 = ram_read k 1:1, 0:8
    reg_write r 1:1, %0.x
    stream_write t 1:1)") +
                std::string(kOtherUses));
  EXPECT_EQ(early.step("stream_write t"), 1u);
  --early.step("stream_write t");
  early.expect("shared memory");
}

TEST(CheckedBody, AccessesSharedMemoryBeforeTheNextIterationGivesAToken) {
  Damaged early(pipelined(1, R"(
    stream_write t 1:1
    %0.x : 8 = ram_read k 1:1, 0:8
    %1.wide : 32 = zext %0.x
    %2.product : 32 = mul %1.wide, %1.wide
    %3.low : 8 = slice %2.product
    ram_write m 1:1, 0:8, %3.low)") +
                std::string(kOtherUses));
  EXPECT_EQ(early.step("ram_write m"), 3u);
  EXPECT_EQ(early.step("stream_write t"), 2u);
  --early.step("stream_write t");
  early.expect("synchronization");
}

TEST(CheckedBody, TakesATokenBeforeTheNextIterationAccessesSharedMemory) {
  Damaged early(pipelined(2, R"(
    %0.x : 8 = ram_read k 1:1, 0:8
    %1.y : 8 = ram_read k 1:1, %0.x
    %2.word : 8 = reg_read r 1:1
    stream_write out 1:1, %1.y
    stream_read u 1:1
    )") + std::string("process q { reg_write r 1:1, 1:8 }"));
  EXPECT_EQ(early.step("stream_read u"), 3u);
  EXPECT_EQ(early.step("reg_read r 'word'"), 1u);
  --early.step("reg_read r 'word'");
  early.expect("synchronization");
}

TEST(CheckedBody, ReadsAfterItsWriteWhatAnotherProcessMayHaveChanged) {
  const std::string text = pipelined(4, R"(
    ram_write m 1:1, 0:8, 7:8
    stream_write t 1:1
    stream_read u 1:1
    %0.word : 8 = ram_read m 1:1, 0:8
    stream_write out 1:1, %0.word)") +
                           kOtherUses;
  Damaged late(text);
  EXPECT_EQ(late.step("ram_read m 'word'"), 1u);
  late.step("ram_read m 'word'") += 3;
  late.step("stream_write out") += 3;
  late.nest().stages += 3;
  late.expect("RAM interval");
}

TEST(Scheduler, SaysWhichIntervalSynchronizationAllows) {
  const ir::Design design = ir::parse(R"(design d
    stream t : 0 x 2  stream in : 8 x 2  ram m : 8 x 16 lanes 8 banks 1
    process p { loop l if 1:1 ii 1 @"k.cc":3 { } while 1:1 {
      stream_write t 1:1
      %0 : 8 = stream_read in 1:1
      %1 : 8 = mul %0, %0
      %2 : 8 = mul %1, %1
      ram_write m 1:1, 0:8, %2 } }
    process q { %0 : 8 = ram_read m 1:1, 0:8 })",
                                      "d.hlsir");
  const Error error = expect_error([&] { schedule(design, {}); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  const std::string what = error.what();
  // Operations have no place here: it is that of the loop.
  const char* start =
      "k.cc:3: process p: initiation interval 1 of loop l (k.cc:3) is not achievable: ";
  EXPECT_TRUE(what.starts_with(start)) << what;
  EXPECT_TRUE(what.ends_with("the interval could be 3")) << what;
}

std::string refusal_of(const std::string& text) {
  return error_in([&] { Damaged refused(text); });
}

TEST(Scheduler, ProposesAnIntervalThatIsAchievableForAllReasons) {
  constexpr const char* kBody = R"(
    %0.a : 8 = ram_read m 1:1, 0:8
    %1.b : 8 = ram_read m 1:1, 1:8
    %2.sum : 8 = reg_read r 1:1
    %3.both : 8 = add %0.a, %1.b
    %4.c : 8 = mul %2.sum, %3.both
    %5.d : 8 = mul %4.c, %4.c
    %6.e : 8 = mul %5.d, %5.d
    reg_write r 1:1, %6.e)";
  const std::string refusal = refusal_of(pipelined(1, kBody));
  EXPECT_NE(refusal.find("RAM m is read 2 times but has one read port; the interval could be 3"),
            std::string::npos)
      << refusal;
  EXPECT_NO_THROW(Damaged(pipelined(3, kBody)));
  EXPECT_NE(refusal_of(pipelined(2, kBody)), "");
}

constexpr const char* kTwoBranches = R"(
    stream_write t 1:1
    %0.x : 8 = stream_read in 1:1
    %1.c : 1 = slice %0.x
    %2.not : 1 = xor %1.c, 1:1
    %3.a : 8 = ram_read m %1.c, 0:8)";

// Two writes of exclusive branches are one access, but an item between them keeps its place with
// the accesses of a shared memory, and the second write depends on a read after it.
TEST(Scheduler, KeepsWritesApartThatAnItemSeparates) {
  const std::string body = std::string(kTwoBranches) + R"(
    ram_write m %1.c, 0:8, %3.a
    stream_write out %1.c, %0.x
    %4.b : 8 = ram_read m %2.not, 1:8
    ram_write m %2.not, 1:8, %4.b)";
  const std::string refusal = refusal_of(pipelined(1, body) + std::string(kOtherUses));
  EXPECT_NE(refusal.find("; the interval could be 3"), std::string::npos) << refusal;
  Damaged apart(pipelined(3, body) + std::string(kOtherUses));
  EXPECT_LT(apart.step("ram_write m", 0), apart.step("ram_write m", 1));
}

TEST(Scheduler, RefusesTooManyReadsAlsoWithWritesApart) {
  const std::string body = std::string(kTwoBranches) + R"(
    %4.b : 8 = ram_read m %1.c, 1:8
    %5.d : 8 = ram_read m %1.c, 2:8
    %6.e : 8 = xor %3.a, %4.b
    %7.f : 8 = xor %6.e, %5.d
    ram_write m %1.c, 0:8, %7.f
    stream_write out %1.c, %0.x
    %8.g : 8 = ram_read m %2.not, 1:8
    ram_write m %2.not, 1:8, %8.g)";
  for (int interval : {1, 2}) {
    const std::string refusal = refusal_of(pipelined(interval, body) + std::string(kOtherUses));
    EXPECT_NE(refusal.find("RAM m is read 3 times but has one read port"), std::string::npos)
        << refusal;
  }
}

// The items between the writes of a shared memory keep them two cycles apart, however late the
// first one is.
TEST(Scheduler, SaysWhichIntervalTheWritesOfARamAllow) {
  constexpr const char* kBody = R"(
    ram_write m 1:1, 0:8, 7:8
    stream_write t 1:1
    %0.word : 8 = ram_read m 1:1, 1:8
    stream_write out 1:1, %0.word
    stream_read u 1:1
    ram_write m 1:1, 2:8, 5:8)";
  const std::string refusal = refusal_of(pipelined(2, kBody) + std::string(kOtherUses));
  EXPECT_NE(refusal.find("the operations between two writes of RAM m take 2 cycles; the interval "
                         "could be 3"),
            std::string::npos)
      << refusal;
  EXPECT_NO_THROW(Damaged(pipelined(3, kBody) + std::string(kOtherUses)));
}

constexpr const char* kUpdate = R"(
  %0.x : 8 = stream_read in 1:1
  %1.word : 8 = ram_read m 1:1, %0.x
  %2.wide : 32 = zext %1.word
  %3.square : 32 = mul %2.wide, %2.wide
  %4.low : 8 = slice %3.square
  %5.next : 8 = add %4.low, 1:8
  ram_write m 1:1, %0.x, %5.next)";

TEST(Scheduler, LetsAnUpdatedWordWaitWhereThatAddsNoStage) {
  Damaged update(pipelined(1, kUpdate));
  EXPECT_EQ(update.step("ram_read m 'word'"), 0u);
  EXPECT_EQ(update.step("mul 'square'"), 2u);
  EXPECT_EQ(update.step("ram_write m"), 3u);
  EXPECT_TRUE(update.of_process().late_words.contains(update.value("ram_read m 'word'")));
}

TEST(Scheduler, CountsFromARegisterIfAllOperandsAreConstants) {
  Damaged product(pipelined(1, R"(
    %0.product : 32 = mul 3:32, 5:32
    %1.odd : 1 = slice %0.product
    %2.either : 32 = select %1.odd, %0.product, 7:32
    %3.low : 8 = slice %2.either
    stream_write out 1:1, %3.low)"));
  EXPECT_EQ(product.step("select 'either'"), 1u);
}

TEST(CheckedBody, UsesALateWordAStageLater) {
  Damaged early(pipelined(1, kUpdate));
  early.step("zext 'wide'") = 1;
  early.expect("data");
}

TEST(CheckedBody, HasNoLateWordForAWriteOfItsOwnIteration) {
  Damaged late(pipelined(1, R"(
    %0.x : 8 = stream_read in 1:1
    %1.word : 8 = ram_read m 1:1, %0.x
    ram_write m 1:1, %0.x, 7:8
    stream_write out 1:1, %1.word)"));
  late.of_process().late_words.insert(late.value("ram_read m 'word'"));
  late.step("stream_write out") += 1;
  late.nest().stages += 1;
  late.expect("late word");
}

TEST(CheckedBody, HasTimeToForwardToALateWord) {
  Damaged slow(pipelined(1, R"(
    %0.x : 8 = stream_read in 1:1
    %1.word : 8 = ram_read m 1:1, %0.x
    %2.wide : 32 = zext %1.word
    %3.square : 32 = mul %2.wide, %2.wide
    %4.low : 8 = slice %3.square
    ram_write m 1:1, %0.x, %4.low)"));
  EXPECT_EQ(slow.step("ram_write m"), 3u);
  slow.of_process().late_words.insert(slow.value("ram_read m 'word'"));
  slow.step("zext 'wide'") = slow.step("ram_write m") = 2;
  slow.expect("deadline");
}

constexpr const char* kLookup = R"(
  %0.x : 8 = stream_read in 1:1
  %1.word : 8 = ram_read m 1:1, %0.x
  %2.next : 8 = add %1.word, 1:8
  stream_write out 1:1, %2.next)";
constexpr Options kFast{.period_ns = 5, .margin_ns = 0.5, .ram_output_registers = false};
constexpr Options kRegistered{.period_ns = 10, .margin_ns = 1, .ram_output_registers = true};

TEST(Scheduler, KeepsAWordThatIsTooLateInTheRamsOutputRegister) {
  Damaged fast(pipelined(1, kLookup), kFast);
  EXPECT_TRUE(fast.of_process().registered_words.contains(fast.value("ram_read m 'word'")));
  EXPECT_EQ(fast.step("add 'next'"), 2u);
  Damaged slow(pipelined(1, kLookup));
  EXPECT_TRUE(slow.of_process().registered_words.empty());
  EXPECT_EQ(slow.step("add 'next'"), 1u);
}

TEST(Scheduler, ReadsRamsThroughTheirOutputRegistersIfAsked) {
  Damaged asked(pipelined(1, kLookup), kRegistered);
  EXPECT_TRUE(asked.of_process().registered_words.contains(asked.value("ram_read m 'word'")));
  EXPECT_EQ(asked.step("add 'next'"), 2u);
}

// How long another read waits for a write depends on when the index of the write is available.
TEST(Scheduler, MovesNoIndexOfAWriteIntoAnOutputRegister) {
  constexpr const char* kIndex = R"(
    %0.x : 8 = stream_read in 1:1
    %1.word : 8 = ram_read m 1:1, %0.x
    %2.old : 8 = ram_read k 1:1, %0.x
    ram_write k 1:1, %1.word, 7:8
    stream_write out 1:1, %2.old)";
  EXPECT_TRUE(Damaged(pipelined(1, kIndex), kFast).of_process().registered_words.empty());
  EXPECT_EQ(Damaged(pipelined(1, kIndex), kRegistered).of_process().registered_words.size(), 1u);
}

TEST(Scheduler, UsesNoOutputRegisterWhereSomethingElseFollowsTheRam) {
  const auto registered = [](const std::string& body) {
    return Damaged(body, kRegistered).of_process().registered_words.size();
  };
  const std::string forwards = " ram_write m 1:1, %0.x, %2.next";
  EXPECT_EQ(registered(pipelined(1, kLookup)), 1u);
  EXPECT_EQ(registered(pipelined(1, kLookup + forwards)), 0u);
  EXPECT_EQ(registered(pipelined(1, kLookup) + R"(
    process q { %0 : 8 = ram_read m 1:1, 0:8 })"),
            0u);
}

// The next iteration reads at what this one has read: a stage more would be too late.
TEST(Scheduler, UsesNoOutputRegisterThatTheIntervalHasNoTimeFor) {
  const auto registered = [](int interval) {
    return Damaged(pipelined(interval, R"(
      %0.at : 8 = reg_read r 1:1
      %1.word : 8 = ram_read m 1:1, %0.at
      reg_write r 1:1, %1.word
      stream_write out 1:1, %1.word)"),
                   kRegistered)
        .of_process()
        .registered_words.size();
  };
  EXPECT_EQ(registered(2), 0u);
  EXPECT_EQ(registered(3), 1u);
}

TEST(CheckedBody, UsesAWordInAnOutputRegisterAStageLater) {
  Damaged early(pipelined(1, kLookup));
  early.of_process().registered_words.insert(early.value("ram_read m 'word'"));
  early.expect("data");
}

// A pipeline register would be early enough for all three operations.
TEST(CheckedBody, HasLessTimeAfterAnOutputRegisterThanAfterAFlipFlop) {
  Damaged slow(pipelined(1, R"(
    %0.x : 8 = stream_read in 1:1
    %1.word : 8 = ram_read m 1:1, %0.x
    %2.a : 8 = add %1.word, %0.x
    %3.b : 8 = xor %2.a, %0.x
    %4.c : 8 = xor %3.b, %0.x
    stream_write out 1:1, %4.c)"),
               {.period_ns = 5, .margin_ns = 0.5, .ram_output_registers = true});
  EXPECT_EQ(slow.step("add 'a'"), 2u);
  EXPECT_EQ(slow.step("xor 'c'"), 3u);
  slow.step("xor 'c'") = 2;
  slow.expect("budget");
}

TEST(CheckedBody, HasNoOutputRegisterBeforeOtherReadsBanksOrForwarding) {
  const auto damaged = [](const std::string& body) {
    auto made = std::make_unique<Damaged>(body);
    made->of_process().registered_words.insert(made->value("ram_read m 'word'"));
    for (const char* later : {"add 'next'", "stream_write out"}) made->step(later) += 1;
    made->nest().stages += 1;
    return made;
  };
  const auto allowed = damaged(pipelined(1, kLookup));
  EXPECT_NO_THROW(check(allowed->design, allowed->schedule));
  damaged(pipelined(1, kLookup) + R"(
    process q { %0 : 8 = ram_read m 1:1, 0:8 })")
      ->expect("output register");
  const auto banked = damaged(pipelined(1, kLookup));
  banked->design.objects[banked->design.processes[0].ops[banked->value("ram_read m 'word'")].object]
      .banks = 2;
  banked->expect("output register");
  damaged(pipelined(1, std::string("ram_write m 1:1, 3:8, 7:8") + kLookup))
      ->expect("output register");

  const auto late = damaged(pipelined(1, kLookup));
  late->of_process().late_words.insert(late->value("ram_read m 'word'"));
  late->expect("output register");
}

TEST(CheckedBody, HasAStageForTheWordInAnOutputRegister) {
  Damaged last(pipelined(1, R"(
    %0.x : 8 = stream_read in 1:1
    %1.word : 8 = ram_read m 1:1, %0.x
    stream_write out 1:1, %0.x)"));
  last.of_process().registered_words.insert(last.value("ram_read m 'word'"));
  last.expect("output register");
}

TEST(CheckedBody, HasNoOutputRegisterOutsideAPipeline) {
  Damaged sequence(kLookup + std::string(" }"));
  sequence.of_process().registered_words.insert(sequence.value("ram_read m 'word'"));
  sequence.num_steps() += 1;
  for (const char* later : {"add 'next'", "stream_write out"}) sequence.step(later) += 1;
  sequence.expect("output register");
}

// A sum of 16 products is in registers after its first additions.
std::string long_sum() {
  std::string products, terms;
  for (int i = 0; i < 16; ++i) {
    products +=
        fmt::format("%p{} : 16 = mul signed %x, {}:8 %e{} : 32 = sext %p{} ", i, i + 3, i, i);
    terms += fmt::format("{}%e{}", i == 0 ? "" : ", ", i);
  }
  return pipelined(1, "%x : 8 = stream_read in 1:1 " + products + "%90.s : 32 = sum " + terms +
                          " %91.low : 8 = slice %90.s stream_write out 1:1, %91.low");
}

TEST(CheckedBody, UsesALongSumTheStageAfterItsPartialSums) {
  Damaged split(long_sum());
  EXPECT_EQ(split.of_process().split_sums.size(), 1u);
  const uint32_t partial = split.step("sum 's'");
  EXPECT_EQ(split.step("slice 'low'"), partial + 1);
  split.step("slice 'low'") = partial;
  split.expect("data");
}

TEST(CheckedBody, SplitsOnlyLongSums) {
  Damaged short_sum(pipelined(1, R"(
    %0.x : 8 = stream_read in 1:1
    %1.s : 8 = add %0.x, 1:8
    stream_write out 1:1, %1.s)"));
  short_sum.of_process().split_sums.insert(short_sum.value("add 's'"));
  short_sum.step("stream_write out") += 1;
  short_sum.nest().stages += 1;
  short_sum.expect("data");
}

TEST(CheckedBody, StartsAsOftenAsTheSourceSays) {
  Damaged slow(pipelined(1, "stream_write t 1:1"));
  slow.nest().initiation_interval = 2;
  slow.expect("interval");
}

TEST(Scheduler, RefusesAHaltInAPipelinedLoop) {
  const ir::Design design = ir::parse(
      "design d stream in : 8 x 2 process p { loop l if 1:1 ii 1 @\"k.cc\":3 { } while 1:1 { "
      "%0 : 8 = stream_read in 1:1 %1 : 1 = slice %0 halt %1 @\"k.cc\":5 } }",
      "d.hlsir");
  const Error error = expect_error([&] { schedule(design, {}); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_TRUE(std::string(error.what()).starts_with("k.cc:5: process p: a halt in the pipelined"))
      << error.what();
  EXPECT_NE(std::string(error.what()).find("k.cc:3"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace vta::hlsc::schedule
