// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/tool/service_log.h"

#include <poll.h>
#include <unistd.h>

#include <cstdio>

#include "runtime/base/printable.h"

namespace vta::rpc {
namespace {

// Below the page of 4 KiB that a pipe takes without blocking when it is ready.
constexpr size_t kMaxLineBytes = 3072;

// An error of the output, such as a pipe without a reader, is left to the write.
bool has_space() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) > 0;
}

bool try_to_print(const std::string& line) {
  if (!has_space()) return false;
  print_out("{}\n", line.substr(0, kMaxLineBytes));
  std::fflush(stdout);
  return true;
}

}  // namespace

void ServiceLog::print(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (num_dropped_ > 0 &&
      try_to_print(
          fmt::format("{} lines of the log were dropped, as nothing read it", num_dropped_))) {
    num_dropped_ = 0;
  }
  if (num_dropped_ > 0 || !try_to_print(line)) ++num_dropped_;
}

}  // namespace vta::rpc
