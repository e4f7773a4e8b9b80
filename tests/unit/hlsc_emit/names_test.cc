// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/names.h"

#include <gtest/gtest.h>

#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "tests/unit/hlsc_emit/lint.h"

namespace vta::hlsc::emit {
namespace {

TEST(LegalName, IsAnotherOnlyWhereTheLanguageOrTheModulesHaveIt) {
  EXPECT_EQ(legal_name("count"), "count");
  EXPECT_EQ(legal_name("waits"), "waits");
  EXPECT_EQ(legal_name("wait"), "wait_");
  EXPECT_EQ(legal_name("accept_on"), "accept_on_");
  EXPECT_EQ(legal_name("xor"), "xor_");
  EXPECT_EQ(legal_name("clk"), "clk_");
  EXPECT_EQ(legal_name("S12"), "S12_");
  EXPECT_EQ(legal_name("S"), "S");
  EXPECT_EQ(legal_name("S1x"), "S1x");
}

TEST(LegalName, NeverBecomesAnothersName) {
  EXPECT_EQ(legal_name("wait_"), "wait__");
  EXPECT_EQ(legal_name("count_"), "count_");
}

// Every object and process is named by a word that SystemVerilog or every module has.
constexpr const char* kKeywords = R"(
design buf
ram assign : 8 x 16 lanes 8 banks 1
ram reg : 8 x 16 lanes 8 banks 1
register always : 8
register rst : 8
register S0 : 8
register hls_state : 8
register ended : 8
input wait : 1
stream input : 8 x 2
stream logic : 8 x 2
stream event : 8 x 2
stream final : 0 x 2
read_port initial x 2
write_port table x 2
process checker {
  loop forever if 1:1 { } while 1:1 {
    %0.begin : 8 = stream_read input 1:1
    %1.if : 1 = input wait 1:1
    %2.case : 8 = reg_read rst 1:1
    %3.end : 8 = add %0.begin, %2.case
    reg_write always 1:1, %3.end
    reg_write rst %1.if, %3.end
    reg_write S0 1:1, %0.begin
    reg_write hls_state 1:1, %0.begin
    reg_write ended 1:1, %0.begin
    stream_write event 1:1, %3.end
    halt %1.if
  }
}
process module {
  loop while if 1:1 ii 1 { phi %0.i : 8 = 0:8, %1.j } while 1:1 {
    %1.j : 8 = add %0.i, 1:8
    %2.or : 8 = stream_read event 1:1
    %3.not : 8 = ram_read assign 1:1, %2.or
    ram_write assign 1:1, %0.i, %2.or
    ram_write reg 1:1, %0.i, %3.not
    stream_write logic 1:1, %3.not
  }
}
process edge {
  stream_read final 1:1
  read_request initial 1:1, 0:32, 1:32
  %0.beat : 64 = read_beat initial 1:1
  write_request table 1:1, 0:32, 1:32
  write_beat table 1:1, %0.beat
  write_wait table 1:1
  %1.s : 8 = reg_read always 1:1
  %2.t : 8 = ram_read reg 1:1, %1.s
  ram_write assign 1:1, %2.t, %1.s
}
)";

TEST(EmittedNames, AreNoKeywordsWhateverTheSourceCallsItsObjects) {
  const ir::Design design = ir::parse(kKeywords, "keywords.hlsir");
  ir::verify(design);
  EXPECT_EQ(lint(design), "");
}

}  // namespace
}  // namespace vta::hlsc::emit
