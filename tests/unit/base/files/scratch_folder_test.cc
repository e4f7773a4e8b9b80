// SPDX-License-Identifier: Apache-2.0
#include "base/files/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

namespace fs = std::filesystem;

TEST(ScratchFolder, IsEmptyAtFirstAndGoneWithItsContentAtTheEnd) {
  fs::path path;
  {
    const ScratchFolder folder;
    path = folder.path();
    EXPECT_TRUE(fs::is_directory(path));
    EXPECT_TRUE(fs::is_empty(path));
    fs::create_directories(folder / "a/b");
    write_file(folder / "a/b/text", std::string("kept no longer than the folder"));
    EXPECT_TRUE(fs::exists(path / "a" / "b" / "text"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolder, IsAccessibleToItsOwnerOnly) {
  const ScratchFolder one, two;
  EXPECT_NE(one.path(), two.path());
  EXPECT_EQ(fs::status(one.path()).permissions(), fs::perms::owner_all);
}

// Sets $TMPDIR during a test.
class TemporaryPlace {
 public:
  explicit TemporaryPlace(const std::string& path) {
    if (const char* now = std::getenv("TMPDIR")) before_ = now;
    ::setenv("TMPDIR", path.c_str(), 1);
  }
  ~TemporaryPlace() {
    if (before_) {
      ::setenv("TMPDIR", before_->c_str(), 1);
    } else {
      ::unsetenv("TMPDIR");
    }
  }

 private:
  std::optional<std::string> before_;
};

TEST(ScratchFolder, NamesTmpdirIfItCannotBeCreated) {
  const ScratchFolder around;
  const TemporaryPlace place(around / "missing");
  const Error error = expect_error([&] { const ScratchFolder folder; });
  EXPECT_EQ(error.code(), ErrorCode::kIo);
  EXPECT_NE(std::string(error.what()).find("$TMPDIR"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace vta
