// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "configs/config_files.h"
#include "configs/core_config.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

namespace fs = std::filesystem;

// A temporary folder in $VTA_CONFIG_PATH.
class CoreFiles : public testing::Test {
 protected:
  CoreFiles() {
    fs::create_directories(folder_ / "cores");
    ::setenv("VTA_CONFIG_PATH", folder_.c_str(), 1);
  }
  ~CoreFiles() override { ::unsetenv("VTA_CONFIG_PATH"); }

  std::string load_message(const std::string& name) {
    return error_in([&] { load_core_config(name); });
  }

  const ScratchFolder scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(CoreFiles, InstallsCoresUnderTheirOwnNames) {
  ::unsetenv("VTA_CONFIG_PATH");
  const std::vector<std::string> names = installed_core_names();
  for (const char* name :
       {"tiny_1x8", "tiny_1x8_folded", "vta_1x16", "vta_1x16_folded", "vta_2p16", "vta_4x8"})
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
  for (const std::string& name : installed_core_names()) {
    EXPECT_EQ(load_core_config(name).name, name);
    EXPECT_EQ(load_core_config(name + ".json").name, name);
  }
}

TEST_F(CoreFiles, ShipsFilesInTheFormThatIsWritten) {
  for (const std::string& name : installed_core_names()) {
    const fs::path path = config_folders().back() / "cores" / (name + ".json");
    EXPECT_EQ(read_text_file(path), to_json(load_core_config(name)));
  }
}

TEST_F(CoreFiles, LooksInTheConfigPathFirst) {
  CoreConfig core = load_core_config("vta_1x16");
  core.extension = false;
  write_file(folder_ / "cores" / "vta_1x16.json", to_json(core));
  EXPECT_EQ(config_folders().front(), folder_);
  EXPECT_FALSE(load_core_config("vta_1x16").extension);
}

TEST_F(CoreFiles, ReadsAPath) {
  CoreConfig core = load_core_config("tiny_1x8");
  core.name = "mine";
  const fs::path path = folder_ / "any_name.json";
  write_file(path, to_json(core));
  EXPECT_EQ(load_core_config(path.string()).name, "mine");
}

TEST_F(CoreFiles, NamesTheInstalledCoresIfNoneIsFound) {
  EXPECT_EQ(load_message("vta_1x17"),
            fmt::format("core 'vta_1x17' is neither a file nor one of the installed cores: {}",
                        fmt::join(installed_core_names(), ", ")));
  for (const char* name : {"", "/no/such/core.json", "..", "../cores/vta_1x16"}) {
    EXPECT_NE(load_message(name).find("neither a file nor"), std::string::npos) << name;
  }
}

TEST_F(CoreFiles, NamesTheFileInErrors) {
  const std::string path = (folder_ / "cores" / "broken.json").string();
  write_file(path, std::string("{}"));
  EXPECT_EQ(load_message("broken"), path + ": field 'name' is missing");
}

}  // namespace
}  // namespace vta
