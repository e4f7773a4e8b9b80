// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/result_store.h"

#include <gtest/gtest.h>

#include "runtime/base/file.h"
#include "runtime/base/scratch_folder.h"

namespace vta::sim {
namespace {

TEST(ResultStore, FindsWhatWasPut) {
  const ScratchFolder folder;
  const ResultStore store(folder.path() / "a/b");
  EXPECT_FALSE(store.find("k").has_value());
  store.put("k", {123, ""}, "a run");
  store.put("e", {0, "too large"}, "another");
  EXPECT_EQ(store.find("k")->cycles, 123u);
  EXPECT_EQ(store.find("k")->error, "");
  EXPECT_EQ(store.find("e")->error, "too large");
}

TEST(ResultStore, TakesADamagedFileForNone) {
  const ScratchFolder folder;
  const ResultStore store(folder.path());
  for (const std::string text : {"", "{", "[]", "{\"cycles\": \"many\"}", "{\"cycles\": -1.5}x"}) {
    write_file(folder / "k.json", text);
    EXPECT_FALSE(store.find("k").has_value()) << text;
  }
}

}  // namespace
}  // namespace vta::sim
