// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/tables.h"

#include <gtest/gtest.h>

#include "base/files/file.h"

namespace vta::isa {
namespace {

// Tests run in the source tree.
TEST(IsaTables, ReadmeHoldsThemExactlyAsGenerated) {
  const std::string text = read_text_file("docs/instruction_set.md");
  for (const std::string& part : readme_parts()) {
    EXPECT_NE(text.find(part), std::string::npos)
        << "docs/instruction_set.md is out of date; replace the part by this output of "
           "`isa_tables`:\n"
        << part;
  }
}

}  // namespace
}  // namespace vta::isa
