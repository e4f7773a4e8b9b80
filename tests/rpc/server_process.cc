// SPDX-License-Identifier: Apache-2.0
#include "tests/rpc/server_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

namespace vta::support {
namespace {

[[noreturn]] void become(const std::vector<std::string>& command, int output) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it must not outlive the test
  ::dup2(output, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(98);
}

// The port in "serving functional on port 40123".
uint16_t announced_port(const std::string& line, const std::string& tool) {
  const size_t place = line.find(" on port ");
  if (place == std::string::npos)
    throw std::runtime_error(
        fmt::format("expected a port as {}'s first output; got '{}'", tool, line));
  return static_cast<uint16_t>(std::atoi(line.c_str() + place + 9));
}

}  // namespace

ServerProcess::ServerProcess(uint16_t port, const std::vector<std::string>& more_options,
                             const std::string& tool) {
  std::vector<std::string> command = {VTA_TOOL_FOLDER "/" + tool, "--listen",
                                      fmt::format("127.0.0.1:{}", port)};
  command.insert(command.end(), more_options.begin(), more_options.end());
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  process_ = ::fork();
  if (process_ == 0) become(command, ends[1]);
  ::close(ends[1]);
  // The read end stays open, so that SIGPIPE does not end the server.
  output_ = ends[0];
  std::string line = read_line();
  // A server without its board says so before it listens.
  while (line.starts_with("no device yet")) line = read_line();
  port_ = announced_port(line, command[0]);
}

ServerProcess::~ServerProcess() {
  kill();
  if (reader_.joinable()) reader_.join();
  ::close(output_);
}

std::string ServerProcess::read_line() {
  std::string line;
  for (char c = 0; ::read(output_, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

void ServerProcess::discard_output() {
  reader_ = std::thread([this] {
    for (char buffer[4096]; ::read(output_, buffer, sizeof buffer) > 0;) {
    }
  });
}

uint64_t ServerProcess::resident_bytes() const {
  std::ifstream file(fmt::format("/proc/{}/statm", process_));
  uint64_t total_pages = 0, resident_pages = 0;
  file >> total_pages >> resident_pages;
  return resident_pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

int ServerProcess::open_files() const {
  const std::filesystem::directory_iterator files(fmt::format("/proc/{}/fd", process_));
  return static_cast<int>(std::distance(begin(files), end(files)));
}

void ServerProcess::shrink_output() const { ::fcntl(output_, F_SETPIPE_SZ, 1); }

int ServerProcess::wait() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void ServerProcess::kill() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  wait();
}

void ServerProcess::send_terminate() { ::kill(process_, SIGTERM); }

int ServerProcess::terminate() {
  send_terminate();
  return wait();
}

}  // namespace vta::support
