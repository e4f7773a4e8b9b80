// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/tool_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/files/file.h"
#include "base/files/scratch_folder.h"
#include "tests/cli/text_match.h"

namespace vta::cli_test {
namespace fs = std::filesystem;
namespace {

constexpr int kSanitizerStatus = 99;
constexpr int kCannotStartStatus = 98;

void redirect(const std::string& file, int descriptor) {
  const int target = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (target < 0 || ::dup2(target, descriptor) < 0) ::_exit(kCannotStartStatus);
}

std::string with_exit_status(const char* variable) {
  const char* now = std::getenv(variable);
  return fmt::format("{}{}exitcode={}", now ? now : "", now ? ":" : "", kSanitizerStatus);
}

[[noreturn]] void become(const std::vector<std::string>& command, const RunPlace& place,
                         const std::string& out, const std::string& err) {
  redirect("/dev/null", STDIN_FILENO);
  redirect(out, STDOUT_FILENO);
  redirect(err, STDERR_FILENO);
  ::setenv("ASAN_OPTIONS", with_exit_status("ASAN_OPTIONS").c_str(), 1);
  ::setenv("UBSAN_OPTIONS", with_exit_status("UBSAN_OPTIONS").c_str(), 1);
  if (::chdir(place.working_folder.c_str()) != 0) ::_exit(kCannotStartStatus);
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(kCannotStartStatus);
}

int exit_status_of(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

}  // namespace

fs::path tool_path(const std::string& name) { return fs::path(VTA_TOOL_FOLDER) / name; }

ToolRun run(const std::vector<std::string>& command, const RunPlace& place) {
  const ScratchFolder streams;
  std::vector<std::string> full = command;
  if (full[0].find('/') == std::string::npos) full[0] = tool_path(full[0]).string();
  const pid_t child = ::fork();
  if (child == 0) become(full, place, streams / "out", streams / "err");
  if (place.interrupt_after) {
    std::this_thread::sleep_for(*place.interrupt_after);
    ::kill(child, SIGINT);
  }
  int wait_status = 0;
  if (place.kill_when) {
    while (::waitpid(child, &wait_status, WNOHANG) == 0) {
      if (place.kill_when()) ::kill(child, place.signal);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  } else {
    ::waitpid(child, &wait_status, 0);
  }
  return {exit_status_of(wait_status), read_text_file(streams / "out"),
          read_text_file(streams / "err")};
}

std::string run_ok(const std::vector<std::string>& command, const RunPlace& place) {
  const ToolRun result = run(command, place);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "") << "only errors go to stderr if it is not a terminal";
  return result.out;
}

nlohmann::json run_json(std::vector<std::string> command) {
  command.push_back("--json");
  return nlohmann::json::parse(run_ok(command), nullptr, false);
}

void expect_usage_error(const std::vector<std::string>& command, const std::string& what) {
  const ToolRun result = run(command);
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_PRED2(matches, result.err, "^vta-(sim|compile|hlsc): error: [^\n]*\n$");
  EXPECT_PRED2(contains, result.err, what);
}

void expect_counters(const nlohmann::json& object) {
  for (const std::string& name : kCounters)
    EXPECT_TRUE(object.at(name).is_number_unsigned()) << name;
  EXPECT_TRUE(object.contains("cycles"));
  EXPECT_TRUE(object.contains("stages"));
}

}  // namespace vta::cli_test
