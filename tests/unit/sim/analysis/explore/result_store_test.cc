// SPDX-License-Identifier: Apache-2.0
#include "sim/analysis/explore/result_store.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"

namespace vta::sim {
namespace {

TEST(ResultStore, FindsWhatWasPut) {
  const ScratchFolder folder;
  const ResultStore store(folder.path() / "a/b");
  EXPECT_FALSE(store.find("k").has_value());
  store.put("k", {.cycles = 123, .batch = 8}, "a run");
  store.put("e", {.error = "too large"}, "another");
  EXPECT_EQ(store.find("k")->cycles, 123u);
  EXPECT_EQ(store.find("k")->batch, 8);
  EXPECT_EQ(store.find("k")->error, "");
  EXPECT_EQ(store.find("e")->error, "too large");
}

TEST(ResultStore, KeepsNoErrorOfTheMachine) {
  const ScratchFolder folder;
  const ResultStore store(folder.path());
  store.put("k",
            {.error = "a tensor needs 4096 bytes; 0 are in use, and the limit is 1024",
             .is_of_machine = true},
            "run");
  EXPECT_FALSE(store.find("k").has_value());
}

TEST(ResultStore, TakesADamagedFileForNone) {
  const ScratchFolder folder;
  const ResultStore store(folder.path());
  for (const std::string text :
       {"", "{", "[]", "{\"cycles\": \"many\"}", "{\"cycles\": -1.5}x", "{\"cycles\": 5}"}) {
    write_file(folder / "k.json", text);
    EXPECT_FALSE(store.find("k").has_value()) << text;
  }
}

}  // namespace
}  // namespace vta::sim
