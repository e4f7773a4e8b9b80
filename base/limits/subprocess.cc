// SPDX-License-Identifier: Apache-2.0
#include "base/limits/subprocess.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/errors/error.h"

namespace vta {
namespace {

// An unnamed file: nothing is left of it, however this process ends, and unlike a pipe it never
// makes either side wait.
class UnnamedFile {
 public:
  UnnamedFile() : file_(std::tmpfile()) {
    if (file_ == nullptr) fail(ErrorCode::kIo, "temporary file: {}", std::strerror(errno));
  }
  int descriptor() const { return ::fileno(file_.get()); }

  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
        std::fflush(file_.get()) != 0) {
      fail(ErrorCode::kIo, "temporary file: {}", std::strerror(errno));
    }
    std::rewind(file_.get());
  }

  std::string read() {
    std::rewind(file_.get());
    std::string text;
    std::array<char, 1 << 14> part;
    while (const size_t count = std::fread(part.data(), 1, part.size(), file_.get()))
      text.append(part.data(), count);
    return text;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

pid_t spawn(const std::vector<std::string>& command, int in, int out, int err) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return child;
  fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "cannot run {}: {}", command[0],
       std::strerror(error));
}

int wait_for(pid_t child, const std::string& name) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(ErrorCode::kIo, "{}: {}", name, std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

FinishedProcess run_process(const std::vector<std::string>& command, const std::string& input) {
  VTA_ASSERT(!command.empty(), "no program to run");
  UnnamedFile in, out, err;
  in.write(input);
  const pid_t child = spawn(command, in.descriptor(), out.descriptor(), err.descriptor());
  FinishedProcess finished;
  finished.status = wait_for(child, command[0]);
  finished.out = out.read();
  finished.err = err.read();
  return finished;
}

}  // namespace vta
