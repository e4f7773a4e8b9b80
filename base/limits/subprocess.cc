// SPDX-License-Identifier: Apache-2.0
#include "base/limits/subprocess.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>

#include "base/errors/error.h"

namespace vta {
namespace {

// A file in memory: unlike a pipe it never makes either side wait, and it needs no disk.
class UnnamedFile {
 public:
  UnnamedFile() : file_(open()) {
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
  static std::FILE* open() {
    const int descriptor = ::memfd_create("vta", MFD_CLOEXEC);
    return descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+");
  }

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

// Process ids of the programs that run; 0: free.
constexpr size_t kMaxRunning = 1024;
std::atomic<pid_t> running[kMaxRunning];
std::atomic<bool> are_ending = false;  // by end_running_processes(), after which this one exits
static_assert(std::atomic<pid_t>::is_always_lock_free, "used in a signal handler");
static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

std::atomic<pid_t>& note_running(pid_t child) {
  for (std::atomic<pid_t>& slot : running) {
    pid_t expected = 0;
    if (slot.compare_exchange_strong(expected, child)) return slot;
  }
  VTA_ASSERT(false, "too many programs run at a time");
  return running[0];
}

// A process id is not freed while end_running_processes() may use it, nor is its end an error then.
void stop_if_ending() {
  while (are_ending) ::pause();
}

// Frees the slot before the process id can be another process's.
int wait_for(std::atomic<pid_t>& slot, const std::string& name) {
  const pid_t child = slot;
  siginfo_t info = {};
  while (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0) {
    if (errno == EINTR) continue;
    slot = 0;
    stop_if_ending();
    fail(ErrorCode::kIo, "{}: {}; is SIGCHLD ignored?", name, std::strerror(errno));
  }
  slot = 0;
  stop_if_ending();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail(ErrorCode::kIo, "{}: {}", name, std::strerror(errno));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// No signal handler runs between a fork and what must follow it, in neither process.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

struct Streams {
  int in, out, err;
};

// In the child: only async-signal-safe calls. Returns the system's error.
int execute(char** argv, const Streams& streams, pid_t parent, const sigset_t& signals) {
  ::setpgid(0, 0);  // so that end_running_processes() reaches what it starts
  // Ends with its parent; getppid() tells whether that has ended before.
  if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || ::getppid() != parent) return ECANCELED;
  // Not this process's handlers; what is ignored stays so, as SIGHUP by nohup.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  ::dup2(streams.in, STDIN_FILENO);
  ::dup2(streams.out, STDOUT_FILENO);
  ::dup2(streams.err, STDERR_FILENO);
  ::pthread_sigmask(SIG_SETMASK, &signals, nullptr);
  ::execvp(argv[0], argv);
  return errno;
}

// The child's slot in `running`.
std::atomic<pid_t>& spawn(const std::vector<std::string>& command, const Streams& streams) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  int failed[2];  // a pipe that gets the error, and closes when the program has started
  if (::pipe2(failed, O_CLOEXEC) != 0)
    fail(ErrorCode::kIo, "cannot run {}: {}", command[0], std::strerror(errno));
  const pid_t parent = ::getpid();
  std::atomic<pid_t>* slot = nullptr;
  int error = 0;
  {
    const BlockedSignals blocked;
    const pid_t child = ::fork();
    if (child == 0) {
      error = execute(argv.data(), streams, parent, blocked.before());
      (void)!::write(failed[1], &error, sizeof(error));
      ::_exit(127);
    }
    error = child < 0 ? errno : 0;
    if (child > 0) slot = &note_running(child);
  }
  ::close(failed[1]);
  if (error == 0 && ::read(failed[0], &error, sizeof(error)) != sizeof(error)) error = 0;
  ::close(failed[0]);
  if (error == 0) return *slot;
  if (slot != nullptr) wait_for(*slot, command[0]);
  fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "cannot run {}: {}", command[0],
       std::strerror(error));
}

// To the programs and what they have started in their groups.
void signal_running(int signal) {
  for (const std::atomic<pid_t>& slot : running) {
    const pid_t child = slot;
    if (child == 0) continue;
    if (::kill(-child, signal) != 0) ::kill(child, signal);  // before it has a group
  }
}

bool is_any_running() {
  for (const std::atomic<pid_t>& slot : running) {
    const pid_t child = slot;
    siginfo_t info = {};
    if (child != 0 &&
        ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == 0)
      return true;
  }
  return false;
}

}  // namespace

FinishedProcess run_process(const std::vector<std::string>& command, const std::string& input) {
  VTA_ASSERT(!command.empty(), "no program to run");
  UnnamedFile in, out, err;
  in.write(input);
  std::atomic<pid_t>& child = spawn(command, {in.descriptor(), out.descriptor(), err.descriptor()});
  FinishedProcess finished;
  finished.status = wait_for(child, command[0]);
  finished.out = out.read();
  finished.err = err.read();
  return finished;
}

void end_running_processes() {
  are_ending = true;
  signal_running(SIGTERM);  // compilers and vta-hlsc remove their temporary files
  constexpr int kMaxWaits = 300;
  constexpr timespec kWait = {.tv_sec = 0, .tv_nsec = 10'000'000};
  for (int waits = 0; is_any_running() && waits < kMaxWaits; ++waits) ::nanosleep(&kWait, nullptr);
  signal_running(SIGKILL);
}

}  // namespace vta
