// SPDX-License-Identifier: Apache-2.0
#include "base/limits/subprocess.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/support/error_in.h"

namespace vta {
namespace {

TEST(RunProcess, GivesInputAndReturnsBothOutputsAndTheStatus) {
  const FinishedProcess run = run_process({"sh", "-c", "cat; echo no >&2; exit 3"}, "in\n");
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.out, "in\n");
  EXPECT_EQ(run.err, "no\n");
}

TEST(RunProcess, DoesNotBlockOnMuchText) {
  const std::string text(5'000'000, 'x');
  EXPECT_EQ(run_process({"cat"}, text).out, text);
}

TEST(RunProcess, TellsOfASignal) {
  EXPECT_EQ(run_process({"sh", "-c", "kill -9 $$"}).status, 128 + 9);
}

TEST(RunProcess, NamesAMissingProgram) {
  const Error error = expect_error([&] { run_process({"no-such-program-of-vta"}); });
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_STREQ(error.what(), "cannot run no-such-program-of-vta: No such file or directory");
}

bool comes_true(const std::function<bool()>& condition) {
  for (int tries = 0; tries < 3000 && !condition(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return condition();
}

TEST(RunProcess, EndsWithItsParentHoweverThatEnds) {
  const ScratchFolder folder;
  const std::string file = folder / "pid";
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // the first process of some containers does not wait
  const pid_t parent = ::fork();
  if (parent == 0) {
    run_process(
        {"sh", "-c",
         "echo $$ > " + file + ".part; mv " + file + ".part " + file + "; exec sleep 1000"});
    ::_exit(0);
  }
  ASSERT_TRUE(comes_true([&] { return std::filesystem::exists(file); }));
  const pid_t child = std::stoi(read_text_file(file));
  EXPECT_EQ(::kill(child, 0), 0);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  bool has_ended = false;
  EXPECT_TRUE(comes_true(
      [&] { return has_ended = has_ended || ::waitpid(child, nullptr, WNOHANG) == child; }));
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

// As compilers, which remove their temporary files on SIGTERM.
TEST(EndRunningProcesses, LetsThemRemoveTheirFiles) {
  const ScratchFolder folder;
  const std::string file = folder / "temporary";
  const pid_t parent = ::fork();
  if (parent == 0) {
    std::thread([&] {
      run_process({"sh", "-c",
                   "trap 'rm " + file + "; exit' TERM; touch " + file +
                       "; while true; do sleep 0.01; done"});
      ::_exit(1);  // not reached while this process ends
    }).detach();
    comes_true([&] { return std::filesystem::exists(file); });
    end_running_processes();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(parent, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(RunProcess, NamesAnIgnoredSigchldInsteadOfWaitingForEver) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const std::string error = error_in([] { run_process({"true"}); }, ErrorCode::kIo);
  std::signal(SIGCHLD, before);
  EXPECT_NE(error.find("is SIGCHLD ignored?"), std::string::npos) << error;
  EXPECT_EQ(run_process({"true"}).status, 0);
}

TEST(RunProcess, NeedsNoFolderForTemporaryFiles) {
  const char* given = std::getenv("TMPDIR");
  const std::string before = given == nullptr ? "" : given;
  ::setenv("TMPDIR", "/nonexistent", 1);
  EXPECT_EQ(run_process({"cat"}, "text").out, "text");
  given == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
}

}  // namespace
}  // namespace vta
