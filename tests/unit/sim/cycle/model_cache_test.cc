// SPDX-License-Identifier: Apache-2.0
#include "sim/cycle/model_cache.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "configs/core_config.h"
#include "tests/support/error_in.h"

namespace vta::sim {
namespace {

namespace fs = std::filesystem;

class ModelCacheTest : public testing::Test {
 protected:
  // The error of a report by a vta-hlsc that does this.
  std::string error_of(const std::string& commands, ErrorCode code) {
    write_file(folder_ / "hlsc", "#!/bin/sh\n" + commands + "\n");
    fs::permissions(folder_ / "hlsc", fs::perms::owner_all);
    const ModelTools tools{folder_ / "hlsc", VTA_MODEL_SOURCES, "clang++-19"};
    return error_in(
        [&] { ModelCache(folder_ / "cache", tools).report(load_core_config("tiny_1x8"), 10); },
        code);
  }
  const ScratchFolder folder_;
};

TEST_F(ModelCacheTest, TellsARefusedCoreFromAKilledCompiler) {
  EXPECT_EQ(error_of("echo 'vta-hlsc: error: too wide' >&2; exit 1", ErrorCode::kUnsupported),
            "core tiny_1x8: vta-hlsc report: vta-hlsc: error: too wide");
  EXPECT_EQ(error_of("kill -9 $$", ErrorCode::kIo),
            "core tiny_1x8: vta-hlsc report ended with status 137: ");
}

TEST_F(ModelCacheTest, RefusesAFolderThatOthersCanWrite) {
  fs::create_directory(folder_ / "cache");
  fs::permissions(folder_ / "cache", fs::perms::all);
  EXPECT_NE(error_of("exit 1", ErrorCode::kIo).find("mode 0777 lets others put code here"),
            std::string::npos);
}

}  // namespace
}  // namespace vta::sim
