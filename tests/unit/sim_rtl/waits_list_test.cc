// SPDX-License-Identifier: Apache-2.0
//
// sim/timed/waits.def has every wait that the core's Verilog shows: of one that was forgotten the
// simulator would think that its process works, and no run with it would end.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "runtime/base/file.h"

namespace vta::sim {
namespace {

TEST(WaitsList, IsThatOfTheVerilog) {
  const std::set<std::string> listed = {
#define VTA_END(process) #process "_ended",
#define VTA_WAIT(process, channel, what, for_room) #process "_waits_" #channel,
#include "sim/timed/waits.def"
  };
  std::string text = read_text_file(VTA_CORE_VERILOG);
  text = text.substr(text.find("\nmodule Core ("));
  std::set<std::string> shown;
  const std::regex port("output wire (\\w+_waits_\\w+|\\w+_ended)\\b");
  for (std::sregex_iterator found(text.begin(), text.end(), port), end; found != end; ++found)
    shown.insert((*found)[1]);
  EXPECT_EQ(listed, shown);
}

}  // namespace
}  // namespace vta::sim
