// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/ir/text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/errors/error.h"
#include "base/numbers/random.h"
#include "hw/hlsc/ir/verify.h"
#include "tests/support/error_in.h"

namespace vta::hlsc::ir {
namespace {

// Every construct of the text form, in the printer's own spelling.
constexpr const char* kDesign = R"(design sample
ram table : 32 x 16 lanes 8 banks 2  @"k.cc":3
ram rom : 8 x 3 lanes 8 banks 1 = 0x1, 0xff, 0x0  @"k.cc":4
register total : 32
register start : 16 = 0x2a
input scale : 8
stream in : 32 x 4
stream ready : 0 x 7
read_port from x 4
write_port to x 2

process work  @"k.cc":9 {
  %0.a : 32 = stream_read in 0x1:1  @"k.cc":10
  stream_read ready 0x1:1
  %1.wide : 64 = mul signed %0.a, 0xffffffffffffffff:64
  %2 : 8 = slice [24] %0.a
  loop rows if 0x1:1 ii 2  @"k.cc":12 {
    phi %3.i : 32 = 0x0:32, %6
    %4 : 1 = ult %3.i, %0.a
  } while %4 {
    %5 : 32 = ram_read table %4, %3.i
    ram_write table [8] %4, %3.i, %2
    ram_write table %4, %3.i, %2, %3.i
    %6 : 32 = add %3.i, 0x1:32
    read_request from %4, %6, 0x1:32
  }
  reg_write total 0x1:1, %3.i
  halt 0x1:1
}
)";

TEST(HlscText, ParsedTextPrintsUnchanged) {
  const Design design = parse(kDesign, "sample.hlsir");
  EXPECT_EQ(print(design), kDesign);
  EXPECT_NO_THROW(verify(design));
}

TEST(HlscText, NamesOfValuesArePrintedAsIdentifiers) {
  Design design = parse(kDesign, "text");
  std::ranges::find(design.processes[0].ops, "a", &Op::name)->name = "a.pre-phi of \"b\"";
  const std::string text = print(design);
  EXPECT_NE(text.find("%0.a.pre_phi_of__b_ : 32 = stream_read"), std::string::npos) << text;
  EXPECT_EQ(print(parse(text, "text")), text);
}

TEST(HlscText, CommentsAndSpaceDoNotMatter) {
  const Design design = parse("# a design\n design   d\n\nprocess p { # none\n }\n#end", "text");
  EXPECT_EQ(print(design), "design d\n\nprocess p {\n}\n");
}

void expect_refused(const std::string& text, const std::string& message) {
  const Error error = expect_error([&] { parse(text, "bad.hlsir"); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_STREQ(error.what(), message.c_str());
}

TEST(HlscText, MistakesAreNamedWithTheirLine) {
  expect_refused("", "bad.hlsir:1: expected 'design' at 'end of text'");
  expect_refused("design d\nrom r : 3", "bad.hlsir:2: expected an object or a process at 'rom'");
  expect_refused("design d\nstream s : 3 x 4\nstream s : 3 x 4\n",
                 "bad.hlsir:4: the name s is taken by another object; found at 'end of text'");
  expect_refused("design d\nstream s : 99999999999 x 1",
                 "bad.hlsir:2: expected a number up to 65536 at '99999999999'");
  expect_refused("design d\nprocess p {\n%0 : 8 = frob 1:8 }",
                 "bad.hlsir:3: expected an operation at 'frob'");
  expect_refused("design d\nprocess p {\n%0 : 8 = add %1, 1:8 }",
                 "bad.hlsir:3: the value %1 is not defined at ','");
  expect_refused("design d\nprocess p {\n%0 : 8 = zext 256:8 }",
                 "bad.hlsir:3: '256' is not a constant of 8 bits; found at '}'");
  expect_refused("design d\nprocess p {\n%0:1 = input x 1:1 }",
                 "bad.hlsir:3: expected the name of an object at 'x'");
  expect_refused("design d\nregister r : 8 = 256",
                 "bad.hlsir:2: '256' is not a constant of 8 bits; found at 'end of text'");
  expect_refused("design d\nregister r : 8 = \n",
                 "bad.hlsir:3: '' is not a constant of 8 bits; found at 'end of text'");
  expect_refused("design d\nprocess p {\n", "bad.hlsir:3: expected an operation at 'end of text'");
}

TEST(HlscText, DamagedTextIsRefusedOrParsedNeverMore) {
  const uint64_t seed = 20261121;
  SCOPED_TRACE(seed);
  Random random(seed);
  const std::string text = kDesign;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (int k = 0; k < 3; ++k) {
      const auto at =
          static_cast<size_t>(random.between(0, static_cast<int64_t>(damaged.size()) - 1));
      if (random.chance(50)) {
        damaged[at] = static_cast<char>(random.between(1, 126));
      } else {
        damaged.erase(at, static_cast<size_t>(random.between(1, 40)));
      }
    }
    try {
      verify(parse(damaged, "damaged"));
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace vta::hlsc::ir
