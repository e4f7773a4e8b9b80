// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/tables.h"

#include <gtest/gtest.h>

#include "runtime/base/file.h"

namespace vta::isa {
namespace {

// Tests run in the source tree.
std::string chapter() { return read_text_file("hw/isa/README.md"); }

TEST(IsaTables, StandInTheChapterExactlyAsGenerated) {
  std::vector<CoreConfig> cores;
  for (const char* name : {"vta_1x16", "vta_4x8", "tiny_1x8"}) {
    cores.push_back(load_core_config(name));
  }
  const std::string text = chapter();
  for (const std::string& part :
       {generated_part("layout", layout_tables(cores)), generated_part("faults", fault_table())}) {
    EXPECT_NE(text.find(part), std::string::npos)
        << "hw/isa/README.md is out of date; put in its place what `isa_tables` prints:\n"
        << part;
  }
}

}  // namespace
}  // namespace vta::isa
