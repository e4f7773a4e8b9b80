// SPDX-License-Identifier: Apache-2.0
#include "base/files/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/errors/error.h"
#include "base/files/scratch_folder.h"
#include "tests/support/error_in.h"
#include "tests/support/test_count.h"

namespace vta {
namespace fs = std::filesystem;
namespace {

class File : public ::testing::Test {
 protected:
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
  EXPECT_EQ(fs::status(make_temporary_beside(folder_ / "secret")).permissions(),
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
  EXPECT_EQ(expect_error([&] { write_file(folder_, std::string()); }).code(), ErrorCode::kIo);
}

TEST_F(File, SaysWhyItCannotBeRead) {
  EXPECT_EQ(expect_error([&] { read_file(folder_ / "missing"); }).code(), ErrorCode::kNotFound);
  EXPECT_EQ(expect_error([&] { read_file(folder_); }).code(), ErrorCode::kInvalidArgument);
  write_file(folder_ / "large", std::string(100, 'x'));
  EXPECT_EQ(expect_error([&] { read_file(folder_ / "large", 99); }).code(),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(expect_error([&] { write_file(folder_ / "no" / "folder", std::string()); }).code(),
            ErrorCode::kIo);
}

TEST_F(File, APathWithANulIsNotAnotherFile) {
  write_file(folder_ / "here", std::string("text"));
  const std::string name = (folder_ / "here").string() + std::string("\0.json", 6);
  const auto refuses = [](auto&& action) {
    return expect_error(action).code() == ErrorCode::kInvalidArgument;
  };
  EXPECT_TRUE(refuses([&] { read_file(name); }));
  EXPECT_TRUE(refuses([&] { read_text_file(name); }));
  EXPECT_TRUE(refuses([&] { write_file(name, std::string("other")); }));
  EXPECT_TRUE(refuses([&] { make_temporary_beside(name); }));
  EXPECT_TRUE(refuses([&] { find_file(name, {}); }));
  EXPECT_EQ(read_text_file(folder_ / "here"), "text");
}

TEST_F(File, ErrorsHaveTheSystemsReason) {
  const auto reason = [&](const fs::path& path) {
    return error_in([&] { write_file(path, std::string("x")); });
  };
  write_file(folder_ / "file", std::string());
  EXPECT_NE(reason(folder_ / "file" / "below").find("Not a directory"), std::string::npos);
  EXPECT_NE(reason(folder_ / std::string(300, 'n')).find("File name too long"), std::string::npos);
  if (::geteuid() == 0) GTEST_SKIP() << "root may write to every folder";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(reason(folder_ / "new").find("Permission denied"), std::string::npos);
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(File, TemporaryNamesDoNotFollowALinkThatSomebodyElsePlaced) {
  write_file(folder_ / "victim", std::string("kept"));
  fs::create_symlink("victim", folder_ / fmt::format("out.part{}", ::getpid()));
  write_file(folder_ / "out", std::string("new"));
  EXPECT_EQ(read_text_file(folder_ / "victim"), "kept");
}

// A large file: its letter gives its size.
std::string version(char letter) {
  return std::string(100'000 + 1'000 * static_cast<size_t>(letter - 'a'), letter);
}
void write_versions(const fs::path& path, int versions) {
  for (int i = 0; i < versions; ++i) write_file(path, version(static_cast<char>('a' + i % 26)));
}

TEST_F(File, OfTwoThreadsAndAProcessIsAlwaysWhole) {
  const fs::path path = folder_ / "same";
  write_versions(path, 1);
  const int reads = static_cast<int>(support::test_count(500));
  const pid_t process = ::fork();
  if (process == 0) {
    write_versions(path, reads / 2);
    ::_exit(0);
  }
  std::atomic<int> failed = 0;
  std::vector<std::thread> writers;
  for (int i = 0; i < 2; ++i) {
    writers.emplace_back([&] {
      try {
        write_versions(path, reads / 2);
      } catch (const Error&) {
        ++failed;
      }
    });
  }
  int broken = 0;
  for (int i = 0; i < reads; ++i) {
    const std::string text = read_text_file(path);
    if (text.empty() || text != version(text[0])) ++broken;
  }
  for (std::thread& writer : writers) writer.join();
  int status = 0;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(broken, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(File, FoldersAreMadeWithThoseAboveThem) {
  for (int i = 0; i < 2; ++i) {
    make_folder(folder_ / "new" / "inner");
    EXPECT_TRUE(fs::is_directory(folder_ / "new" / "inner"));
  }
  write_file(folder_ / "file", std::string());
  EXPECT_EQ(expect_error([&] { make_folder(folder_ / "file" / "inner"); }).code(), ErrorCode::kIo);
}

TEST_F(File, IsFoundInFoldersInOrder) {
  fs::create_directories(folder_ / "a");
  fs::create_directories(folder_ / "b");
  write_file(folder_ / "b" / "name", std::string());
  EXPECT_EQ(find_file("name", {folder_ / "a", folder_ / "b"}), folder_ / "b" / "name");
  write_file(folder_ / "a" / "name", std::string());
  EXPECT_EQ(find_file("name", {folder_ / "a", folder_ / "b"}), folder_ / "a" / "name");
  EXPECT_EQ(expect_error([&] { find_file("other", {folder_}); }).code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace vta
