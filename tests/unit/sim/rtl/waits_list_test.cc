// SPDX-License-Identifier: Apache-2.0
//
// hw/core/processes.def contains every wait signal of the core's Verilog. If one were missing, the
// simulator would take its process as busy, and the run would not end. Likewise for the token
// queues.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "base/files/file.h"

namespace vta::sim {
namespace {

TEST(WaitsList, IsThatOfTheVerilog) {
  const std::set<std::string> listed = {
#define VTA_END(process) #process "_ended",
#define VTA_WAIT(process, channel, what, for_space) #process "_waits_" #channel,
#include "hw/core/processes.def"
  };
  std::string text = read_text_file(VTA_CORE_VERILOG);
  text = text.substr(text.find("\nmodule Core ("));
  std::set<std::string> shown;
  const std::regex port("output wire (\\w+_waits_\\w+|\\w+_ended)\\b");
  for (std::sregex_iterator found(text.begin(), text.end(), port), end; found != end; ++found)
    shown.insert((*found)[1]);
  EXPECT_EQ(listed, shown);
}

std::string instance_of(const std::string& text, const std::string& process) {
  const size_t begin = text.find(" i_" + process + " (");
  return text.substr(begin, text.find(");", begin) - begin);
}

TEST(TokensList, IsThatOfTheVerilog) {
  std::string text = read_text_file(VTA_CORE_VERILOG);
  text = text.substr(text.find("\nmodule Core ("));
  std::set<std::string> listed, shown;
#define VTA_TOKENS(queue, from, to)                                                           \
  listed.insert(#queue);                                                                      \
  EXPECT_NE(instance_of(text, #from).find("." #queue "_push("), std::string::npos) << #queue; \
  EXPECT_NE(instance_of(text, #to).find("." #queue "_pop("), std::string::npos) << #queue;
#include "hw/core/processes.def"
  const std::regex fifo("hls_tokens #\\([^)]*\\)\\) (\\w+)_fifo");
  for (std::sregex_iterator found(text.begin(), text.end(), fifo), end; found != end; ++found)
    shown.insert((*found)[1]);
  EXPECT_EQ(listed, shown);
}

}  // namespace
}  // namespace vta::sim
