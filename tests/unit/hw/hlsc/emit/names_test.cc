// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/ir/verify.h"
#include "tests/support/rtl_cores.h"
#include "tests/unit/hw/hlsc/emit/lint.h"
#include "tests/unit/hw/hlsc/schedule/compiled.h"

namespace vta::hlsc::emit {
namespace {

// The Verilog names of registers with these names.
std::vector<std::string> registers(const std::vector<std::string>& names) {
  ir::Design design;
  design.name = "d";
  for (const std::string& name : names)
    design.objects.push_back({ir::ObjectKind::kRegister, name, 8, 0, 0, 1, {}});
  std::vector<std::string> result;
  for (const ir::Object& object : named(design).objects) result.push_back(object.name);
  return result;
}

using Strings = std::vector<std::string>;

TEST(Names, AreTheSourcesExceptKeywordsAndInternalNames) {
  const Strings kept{"count", "waits", "S", "S1x", "n0", "n0x_level", "status_0", "x_r", "count_"};
  EXPECT_EQ(registers(kept), kept);
  EXPECT_EQ(registers({"wait", "accept_on", "xor", "clk", "S12", "n0_level", "done_S0", "sum_5_r"}),
            (Strings{"wait_", "accept_on_", "xor_", "clk_", "S12_", "n0_level_", "done_S0_",
                     "sum_5_r_"}));
}

TEST(Names, HaveUnderscoresForCharactersThatVerilogDoesNotAllow) {
  EXPECT_EQ(registers({"größe", "gr__e", "a$b", "$c", "長さ"}),
            (Strings{"gr__e", "gr__e_", "a$b", "_c", "__"}));
}

TEST(Names, NeverBecomeTheNameOfAnotherObject) {
  EXPECT_EQ(registers({"wait", "wait_"}), (Strings{"wait_", "wait__"}));
  EXPECT_EQ(registers({"wait_", "wait"}), (Strings{"wait_", "wait__"}));
}

TEST(Names, OfAllKernelsAndCoresAreTheSources) {
  std::vector<ir::Design> designs;
  for (const std::string& kernel : kernel_names()) designs.push_back(compile_kernel(kernel));
  for (const std::string& core : support::rtl_cores()) designs.push_back(compile_core(core));
  for (const ir::Design& design : designs) {
    const ir::Design text = named(design);
    EXPECT_EQ(text.name, design.name);
    EXPECT_EQ(text.objects, design.objects) << design.name;
    for (size_t i = 0; i < design.processes.size(); ++i)
      EXPECT_EQ(text.processes[i].name, design.processes[i].name) << design.name;
  }
}

// Every object and process has the name of a keyword or of an internal signal of every module.
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

TEST(EmittedNames, AreNeverKeywords) {
  const ir::Design design = ir::parse(kKeywords, "keywords.hlsir");
  ir::verify(design);
  EXPECT_EQ(lint(design), "");
}

// Names derived from a name equal other names: ports of streams, banks, counters of nests, states,
// processes' signals in the top, modules.
constexpr const char* kMade = R"(
design hls
stream in : 8 x 2
register in_data : 8
register in_empty : 1
ram m : 8 x 16 lanes 8 banks 2
ram m0 : 8 x 16 lanes 8 banks 1
ram b_c : 8 x 16 lanes 4 banks 1
ram c : 8 x 16 lanes 4 banks 1
register m_ra : 4
register m0_posted_we : 4
register n0_level : 8
register n0_v1 : 8
register done_S0 : 8
register hls_fifo_m_re : 8
register i_tokens : 8
register x_3_r : 8
register x_3_p1 : 8
register waits_in : 8
stream out : 8 x 2
register out_ : 8
register out_fifo : 8
register out_full_ : 1
read_port p x 2
register p_arvalid : 1
register p_beat_data : 1
process fifo {
  loop forever if 1:1 { } while 1:1 {
    %0.x : 8 = stream_read in 1:1
    reg_write in_data 1:1, %0.x
    reg_write done_S0 1:1, %0.x
    reg_write waits_in 1:1, %0.x
    loop items if 1:1 ii 1 { phi %1.i : 4 = 0:4, %2.j } while 1:1 {
      %2.j : 4 = add %1.i, 1:4
      %3.x : 8 = ram_read m 1:1, %1.i
      ram_write m0 1:1, %1.i, %3.x
      %4.y : 8 = ram_read c 1:1, %1.i
      ram_write b_c 1:1, %1.i, %4.y
      reg_write n0_level 1:1, %3.x
      reg_write n0_v1 1:1, %3.x
      reg_write x_3_r 1:1, %3.x
      reg_write x_3_p1 1:1, %3.x
      reg_write m_ra 1:1, %2.j
    }
  }
}
process fifo_b {
  loop forever if 1:1 { } while 1:1 {
    %0.x : 8 = ram_read c 1:1, 1:4
    %1.y : 8 = ram_read m0 1:1, 1:4
    ram_write m 1:1, 2:4, %0.x
    ram_write c 1:1, 2:4, %1.y
    reg_write hls_fifo_m_re 1:1, %0.x
  }
}
process tokens {
  loop forever if 1:1 { } while 1:1 {
    %0.x : 8 = ram_read b_c 1:1, 1:4
    reg_write i_tokens 1:1, %0.x
    reg_write in_empty 1:1, 1:1
    stream_write out 1:1, %0.x
    reg_write out_ 1:1, %0.x
    reg_write out_fifo 1:1, %0.x
    reg_write out_full_ 1:1, 1:1
    reg_write p_arvalid 1:1, 1:1
    reg_write p_beat_data 1:1, 1:1
    read_request p 1:1, 0:32, 1:32
    %1.b : 64 = read_beat p 1:1
  }
}
)";

TEST(EmittedNames, DoNotClashWithDerivedNames) {
  const ir::Design design = ir::parse(kMade, "made.hlsir");
  ir::verify(design);
  EXPECT_EQ(lint(design), "");
}

TEST(EmittedNames, AreLegalForSourceNamesInAnyLanguage) {
  constexpr const char* kText = R"(
design größte
stream zähler : 8 x 2
stream zu_groß : 8 x 2
stream größe$ : 8 x 2
register z_hler_data : 8
ram 表 : 8 x 16 lanes 8 banks 2
process übergabe {
  loop für_immer if 1:1 { } while 1:1 {
    %0.größe : 8 = stream_read zähler 1:1
    reg_write z_hler_data 1:1, %0.größe
    ram_write 表 1:1, 2:4, %0.größe
    stream_write größe$ 1:1, %0.größe
  }
}
process _bergabe {
  loop für_immer if 1:1 { } while 1:1 {
    %0.größe : 8 = stream_read größe$ 1:1
    %1.x : 8 = ram_read 表 1:1, 2:4
    stream_write zu_groß 1:1, %1.x
  }
}
)";
  const ir::Design design = ir::parse(kText, "utf8.hlsir");
  ir::verify(design);
  EXPECT_EQ(ir::print(ir::parse(ir::print(design), "printed")), ir::print(design));
  EXPECT_EQ(lint(design), "");
}

TEST(EmittedNames, AreNotModulesOfTheLibrary) {
  for (const char* name : {"hls_fifo", "hls_ram_tdp"}) {
    const std::string text = std::string("design ") + name + R"(
stream in : 8 x 2
stream middle : 8 x 2
ram m : 8 x 16 lanes 8 banks 1
process first {
  loop forever if 1:1 { } while 1:1 {
    %0.x : 8 = stream_read in 1:1
    stream_write middle 1:1, %0.x
  }
}
process second {
  loop forever if 1:1 { } while 1:1 {
    %0.x : 8 = stream_read middle 1:1
    ram_write m 1:1, 0:4, %0.x
  }
}
)";
    const ir::Design design = ir::parse(text, "library.hlsir");
    EXPECT_EQ(lint(design), "") << name;
  }
}

}  // namespace
}  // namespace vta::hlsc::emit
