// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "runtime/base/scratch_folder.h"

namespace vta {
namespace fs = std::filesystem;
namespace {

class File : public ::testing::Test {
 protected:
  template <typename Action>
  static ErrorCode code_of(Action&& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.code();
    }
    ADD_FAILURE() << "no error";
    return ErrorCode::kDevice;
  }

  const ScratchFolder scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(File, ComesBackAsWritten) {
  write_file(folder_ / "text", "one\n\0two");
  write_file(folder_ / "text", std::string("replaced"));
  EXPECT_EQ(read_text_file(folder_ / "text"), "replaced");
  write_file(folder_ / "empty", std::string());
  EXPECT_TRUE(read_file(folder_ / "empty").empty());
}

TEST_F(File, LeavesNoTemporaryFile) {
  write_file(folder_ / "only", std::string("x"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(File, KeepsPermissionsAndFollowsLinks) {
  write_file(folder_ / "secret", std::string("one"));
  fs::permissions(folder_ / "secret", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("secret", folder_ / "link");
  write_file(folder_ / "link", std::string("two"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read_text_file(folder_ / "secret"), "two");
  EXPECT_EQ(fs::status(folder_ / "secret").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(File, WritesToAPipe) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  write_file(pipe, std::string("hello"));
  char bytes[8] = {};
  EXPECT_EQ(::read(reader, bytes, sizeof(bytes)), 5);
  ::close(reader);
  EXPECT_EQ(std::string(bytes), "hello");
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(code_of([&] { write_file(folder_, std::string()); }), ErrorCode::kIo);
}

TEST_F(File, SaysWhyItCannotBeRead) {
  EXPECT_EQ(code_of([&] { read_file(folder_ / "missing"); }), ErrorCode::kNotFound);
  EXPECT_EQ(code_of([&] { read_file(folder_); }), ErrorCode::kInvalidArgument);
  write_file(folder_ / "large", std::string(100, 'x'));
  EXPECT_EQ(code_of([&] { read_file(folder_ / "large", 99); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { write_file(folder_ / "no" / "folder", std::string()); }), ErrorCode::kIo);
}

TEST_F(File, FoldersAreMadeWithThoseAboveThem) {
  for (int i = 0; i < 2; ++i) {
    make_folder(folder_ / "new" / "inner");
    EXPECT_TRUE(fs::is_directory(folder_ / "new" / "inner"));
  }
  write_file(folder_ / "file", std::string());
  EXPECT_EQ(code_of([&] { make_folder(folder_ / "file" / "inner"); }), ErrorCode::kIo);
}

TEST_F(File, IsFoundInFoldersInOrder) {
  fs::create_directories(folder_ / "a");
  fs::create_directories(folder_ / "b");
  write_file(folder_ / "b" / "name", std::string());
  EXPECT_EQ(find_file("name", {folder_ / "a", folder_ / "b"}), folder_ / "b" / "name");
  write_file(folder_ / "a" / "name", std::string());
  EXPECT_EQ(find_file("name", {folder_ / "a", folder_ / "b"}), folder_ / "a" / "name");
  EXPECT_EQ(code_of([&] { find_file("other", {folder_}); }), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace vta
