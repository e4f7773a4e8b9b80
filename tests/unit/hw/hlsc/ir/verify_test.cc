// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/verify.h"

#include <gtest/gtest.h>

#include "base/errors/error.h"
#include "hw/hlsc/ir/text.h"
#include "tests/support/case_name.h"
#include "tests/support/error_in.h"

namespace vta::hlsc::ir {
namespace {

constexpr const char* kObjects = R"(design d
ram m : 32 x 8 lanes 8 banks 1
register r : 16
input n : 8
stream s : 32 x 4
stream t : 0 x 4
read_port p x 2
write_port q x 2
)";

struct BadProcess {
  const char* body;
  const char* reason;
};

void PrintTo(const BadProcess& bad, std::ostream* stream) {
  *stream << support::case_name(std::string(bad.reason) + " in " + bad.body);
}

class RefusedProcess : public testing::TestWithParam<BadProcess> {};

TEST_P(RefusedProcess, IsNamedWithItsReason) {
  const Design design =
      parse(std::string(kObjects) + "process f { " + GetParam().body + " }", "test");
  const Error error = expect_error([&] { verify(design); });
  EXPECT_NE(std::string(error.what()).find(GetParam().reason), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("process f"), std::string::npos) << error.what();
}

INSTANTIATE_TEST_SUITE_P(
    Rules, RefusedProcess,
    testing::Values(
        BadProcess{"%0 : 8 = add 1:8, 1:4", "an operand has 4 bits, expected 8"},
        BadProcess{"%0 : 8 = add 1:8", "1 operands, expected 2"},
        BadProcess{"%0 : 2 = eq 1:8, 1:8", "the result has 2 bits, expected 1"},
        BadProcess{"%0 : 8 = select 1:2, 1:8, 1:8", "the condition has 2 bits, expected 1"},
        BadProcess{"%0 : 8 = shl 1:9, 1:3", "the shifted operand has 9 bits, expected 8"},
        BadProcess{"%0 : 8 = mul 1:9, 1:3", "an operand is wider than the result"},
        BadProcess{"%0 : 8 = zext 1:9", "an operand is wider than the result"},
        BadProcess{"%0 : 8 = slice [4] 1:8", "bits up to 12 of 8"},
        BadProcess{"%0 : 3 = lane 1:8, 1:1", "is not a multiple of the lane"},
        BadProcess{"%0 : 9 = concat 1:4, 1:4", "8 bits of operands"},
        BadProcess{"add 1:8, 1:8", "it has no width"},
        BadProcess{"%0 : 31 = ram_read m 1:1, 1:3", "the result has 31 bits, expected 32"},
        BadProcess{"%0 : 32 = ram_read r 1:1, 1:3", "its object is of another kind"},
        BadProcess{"%0 : 32 = ram_read m 1:2, 1:3", "the predicate has 2 bits, expected 1"},
        BadProcess{"ram_write m [4] 1:1, 1:3, 1:8", "8 bits at 4 are not whole lanes of 8"},
        BadProcess{"ram_write m [32] 1:1, 1:3, 1:8", "bits up to 40 of 32"},
        BadProcess{"ram_write m 1:1, 1:3", "2 operands, expected 3 or 4"},
        BadProcess{"reg_write r 1:1, 1:8", "the value has 8 bits, expected 16"},
        BadProcess{"stream_write t 1:1, 1:8", "2 operands, expected 1"},
        BadProcess{"read_request p 1:1, 1:32, 1:8", "an operand has 8 bits, expected 32"},
        BadProcess{"%0 : 32 = read_beat p 1:1", "the result has 32 bits, expected 64"},
        BadProcess{"write_wait p 1:1", "its object is of another kind"},
        BadProcess{"loop l if 1:1 { } while 1:2 { }", "its condition has 2 bits, expected 1"},
        BadProcess{"loop l if 1:1 { phi %0 : 8 = 0:8, %1 } while 1:1 { %1 : 4 = zext 0:4 }",
                   "its next value has 4 bits, expected 8"},
        BadProcess{"loop l if 1:1 { phi %0 : 8 = %0, %1 } while 1:1 { %1 : 8 = add %0, 1:8 }",
                   "its initial value is not defined there"},
        BadProcess{"loop l if 1:1 { phi %0 : 8 = 0:8, %1 phi %2 : 8 = %0, %1 } while 1:1 { "
                   "%1 : 8 = add %0, 1:8 }",
                   "its initial value is not defined there"},
        BadProcess{"loop l if 1:1 ii 1 { } while 1:1 { loop k if 1:1 { } while 1:1 { } }",
                   "loop k inside a pipelined loop"},
        BadProcess{"loop l if 1:1 { } while 1:1 { %1 : 4 = zext 0:4 } %2 : 4 = zext %1",
                   "is not defined there"},
        BadProcess{"%0 : 32 = stream_read s 1:1 stream_write s 1:1, %0",
                   "reads the stream s, and writes it as well"}));

TEST(HlscVerify, StreamsHaveOneReaderAndOneWriter) {
  const std::string process = " { %0 : 32 = stream_read s 1:1 }";
  EXPECT_THROW(verify(parse(kObjects + ("process a" + process) + "process b" + process, "test")),
               Error);
  EXPECT_THROW(verify(parse(std::string(kObjects) + "process a { reg_write r 1:1, 1:16 } "
                                                    "process b { reg_write r 1:1, 1:16 }",
                            "test")),
               Error);
  EXPECT_NO_THROW(verify(parse(kObjects + ("process a" + process), "test")));
}

TEST(HlscVerify, AProcessMayTakeItsOwnTokens) {
  EXPECT_NO_THROW(verify(
      parse(std::string(kObjects) + "process a { stream_write t 1:1 stream_read t 1:1 }", "test")));
}

TEST(HlscVerify, PortsHaveOneProcessForEachKindOfAccess) {
  const std::vector<std::pair<std::string, std::string>> uses = {
      {"read_request p 1:1, 0:32, 1:32", "makes requests of the port p"},
      {"%0 : 64 = read_beat p 1:1", "reads from the port p"},
      {"write_request q 1:1, 0:32, 1:32", "makes requests of the port q"},
      {"write_beat q 1:1, 0:64", "writes to the port q"},
      {"write_wait q 1:1", "waits for responses of the port q"}};
  for (const auto& [use, what] : uses) {
    for (const auto& [other, unused] : uses) {
      const std::string text = std::string(kObjects) + "process a { " + use + " @\"x.cc\":3 }" +
                               "process b { " + other + " @\"x.cc\":5 }";
      if (use != other) {
        EXPECT_NO_THROW(verify(parse(text, "test"))) << text;
        continue;
      }
      const Error error = expect_error([&] { verify(parse(text, "test")); });
      EXPECT_NE(std::string(error.what()).find("x.cc:5: process b: " + what + ", as process a"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(HlscVerify, ObjectsHaveSensibleSizes) {
  EXPECT_THROW(verify(parse("design d ram m : 32 x 8 lanes 5 banks 1", "test")), Error);
  EXPECT_THROW(verify(parse("design d ram m : 32 x 8 lanes 8 banks 3", "test")), Error);
  EXPECT_THROW(verify(parse("design d ram m : 32 x 0 lanes 8 banks 1", "test")), Error);
  EXPECT_THROW(verify(parse("design d register m : 0", "test")), Error);
  EXPECT_THROW(verify(parse("design d register m : 1 process m { }", "test")), Error);
  EXPECT_NO_THROW(verify(parse("design d ram m : 8 x 2 lanes 8 banks 1 = 1, 2", "test")));
  EXPECT_THROW(verify(parse("design d ram m : 8 x 2 lanes 8 banks 1 = 1", "test")), Error);
  EXPECT_THROW(verify(parse("design d register m : 8 = 1, 2", "test")), Error);
  EXPECT_THROW(verify(parse("design d input m : 8 = 1", "test")), Error);
}

}  // namespace
}  // namespace vta::hlsc::ir
