// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/bind/posted_writes.h"

#include <gtest/gtest.h>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/ir/text.h"
#include "hw/hlsc/schedule/scheduler.h"

namespace vta::hlsc::bind {
namespace {

constexpr const char* kReader =
    "process reader { loop l if 1:1 { } while 1:1 { %0 : 1 = stream_read ready 1:1 "
    "%1 : 8 = ram_read m 1:1, 0:3 } }";

// Whether the writes of RAM m are posted, for the loop body of its writer.
bool are_posted(const std::string& writer, const std::string& reader = kReader) {
  const ir::Design design = ir::parse(
      "design d ram m : 8 x 8 lanes 8 banks 1 stream ready : 1 x 2 "
      "process writer { loop l if 1:1 { } while 1:1 { " +
          writer + " } } " + reader,
      "posted");
  return bind(design, schedule::schedule(design, {})).ram_ports.at(0).posts_writes;
}

TEST(PostedWrites, NeedATokenInALaterStep) {
  EXPECT_FALSE(are_posted("ram_write m 1:1, 0:3, 7:8 stream_write ready 1:1, 1:1"));
  // A nest is left when its pipeline is empty.
  constexpr const char* kNest =
      "loop n if 1:1 ii 1 { phi %p : 3 = 0:3, %n %c : 1 = ne %p, 7:3 } while %c { "
      "ram_write m 1:1, %p, 7:8 %n : 3 = add %p, 1:3 } ";
  EXPECT_TRUE(are_posted(std::string(kNest) + "stream_write ready 1:1, 1:1"));
}

TEST(PostedWrites, AreNotOfAProcessThatReadsTheRam) {
  EXPECT_TRUE(are_posted("ram_write m 1:1, 0:3, 7:8", kReader));
  EXPECT_FALSE(are_posted("ram_write m 1:1, 0:3, 7:8 %r : 8 = ram_read m 1:1, 1:3", ""));
}

}  // namespace
}  // namespace vta::hlsc::bind
