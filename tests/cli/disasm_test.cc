// SPDX-License-Identifier: Apache-2.0
//
// vta-sim asm and disasm.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"
#include "tests/cli/tool_run.h"

namespace vta::cli_test {
namespace {

namespace fs = std::filesystem;

TEST(VtaSim, DisassemblyAssemblesToTheSameBytes) {
  const ScratchFolder folder;
  run_ok({"vta-sim", "export", kDigitsProgram, folder / "raw"});
  int streams = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "raw")) {
    if (entry.path().extension() != ".insns") continue;
    ++streams;
    write_file(folder / "text.s", run_ok({"vta-sim", "disasm", entry.path().string()}));
    run_ok({"vta-sim", "asm", folder / "text.s", "-o", folder / "again.insns"});
    EXPECT_EQ(read_file(folder / "again.insns"), read_file(entry.path()));
  }
  EXPECT_GT(streams, 0);
}

TEST(VtaSim, DisasmNamesLayersAndPicksOne) {
  const std::string all = run_ok({"vta-sim", "disasm", kDigitsProgram});
  const std::string first_layer = all.substr(2, all.find(':') - 2);
  const std::string one = run_ok({"vta-sim", "disasm", kDigitsProgram, "--layer", first_layer});
  EXPECT_LT(one.size(), all.size());
  EXPECT_PRED2(contains, all, one.substr(0, one.size() - 1));
  EXPECT_PRED2(contains, one, "load.wgt");
  EXPECT_PRED2(contains, all, "finish");
}

}  // namespace
}  // namespace vta::cli_test
