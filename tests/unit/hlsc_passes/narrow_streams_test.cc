// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ostream>

#include "hw/hlsc/ir/verify.h"
#include "hw/hlsc/passes/passes.h"
#include "tests/unit/hlsc_passes/meaning.h"

namespace vta::hlsc::passes {
namespace {

// One process writes %v (and %o) of 32 bits, made from %x and %y of 32; the other reads them as %i.
struct Items {
  const char* name;
  const char* written;
  const char* read;
  uint32_t width;  // of the stream in the end
};
void PrintTo(const Items& items, std::ostream* out) { *out << items.name; }

constexpr Items kItems[] = {
    {"all", "stream_write s 1:1, %x stream_write s 1:1, %y",
     "%r : 32 = add %i, 1:32 stream_write out 1:1, %r", 32},
    {"a_part_is_read", "stream_write s 1:1, %x stream_write s 1:1, %y",
     "%p : 5 = slice [3] %i %r : 32 = zext %p stream_write out 1:1, %r", 5},
    {"parts_are_read", "stream_write s 1:1, %x stream_write s 1:1, %y",
     "%p : 5 = slice [3] %i %q : 8 = slice [20] %i %c : 13 = concat %p, %q %r : 32 = zext %c "
     "stream_write out 1:1, %r",
     13},
    {"the_top_is_always_zero",
     "%a : 12 = slice [4] %x %v : 32 = zext %a %b : 10 = slice [4] %y %o : 32 = zext %b "
     "stream_write s 1:1, %v stream_write s 1:1, %o",
     "%r : 32 = add %i, 1:32 stream_write out 1:1, %r", 12},
    {"padding_between_fields",
     "%a : 4 = slice [4] %x %b : 3 = slice [9] %y %v : 32 = concat %a, 0:4, %b, 0xb0:8, %a, 0:9 "
     "stream_write s 1:1, %v stream_write s 1:1, %v",
     "%r : 32 = add %i, 1:32 stream_write out 1:1, %r", 11},
    {"constants_that_differ",
     "%a : 16 = slice [4] %x %v : 32 = concat %a, 0xab:16 %o : 32 = concat %a, 0xa8:16 "
     "stream_write s 1:1, %v stream_write s 1:1, %o",
     "%r : 32 = add %i, 1:32 stream_write out 1:1, %r", 18},
    {"a_masked_choice",
     "%p : 1 = slice [0] %y %a : 32 = and %x, 0xff0:32 %v : 32 = select %p, %a, 0x100:32 "
     "stream_write s 1:1, %v stream_write s 1:1, %v",
     "%r : 32 = xor %i, 1:32 stream_write out 1:1, %r", 8},
    {"nothing_is_read", "stream_write s 1:1, %x stream_write s 1:1, %y",
     "stream_write out 1:1, 7:32", 1},
    {"all_is_constant", "stream_write s 1:1, 77:32 stream_write s 1:1, 77:32",
     "stream_write out 1:1, %i", 1},
    {"one_is_the_condition_of_a_loop", "stream_write s 1:1, %x stream_write s 1:1, %y",
     "%c : 1 = slice [6] %i loop l if %c { phi %n : 8 = 0:8, %m %w : 1 = ult %n, 3:8 } while %w { "
     "%m : 8 = add %n, 1:8 } %r : 32 = zext %c stream_write out 1:1, %r",
     1},
};

std::string design_text(const Items& items) {
  return std::string(
             "design d stream in : 32 x 1 stream s : 32 x 2 stream out : 32 x 1 process writes { "
             "%x : 32 = stream_read in 1:1 %y : 32 = stream_read in 1:1 ") +
         items.written +
         " } process reads { loop l if 1:1 { phi %k : 2 = 0:2, %k1 "
         "%more : 1 = ult %k, 2:2 } while %more { %k1 : 2 = add %k, 1:2 "
         "%i : 32 = stream_read s 1:1 " +
         items.read + " } }";
}

class EveryStream : public testing::TestWithParam<Items> {};

TEST_P(EveryStream, CarriesTheBitsThatAreReadAndNotConstant) {
  const ir::Design before = design_of(design_text(GetParam()));
  ir::Design after = design_of(design_text(GetParam()));
  for (ir::Process& process : after.processes) simplify(after, process);
  narrow_streams(after);
  ir::verify(after);
  for (ir::Process& process : after.processes) simplify(after, process);
  ir::verify(after);
  EXPECT_EQ(after.objects[0].width, 32u) << "of the outside";
  EXPECT_EQ(after.objects[1].width, GetParam().width);
  EXPECT_EQ(after.objects[2].width, 32u) << "of the outside";
  EXPECT_EQ(expect_same_meaning(before, after, 30), 30u);
}

INSTANTIATE_TEST_SUITE_P(NarrowStreams, EveryStream, testing::ValuesIn(kItems),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace vta::hlsc::passes
