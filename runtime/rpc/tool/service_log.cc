// SPDX-License-Identifier: Apache-2.0
#include "runtime/rpc/tool/service_log.h"

#include <poll.h>
#include <unistd.h>

#include <cstdio>

#include "runtime/base/printable.h"

namespace vta::rpc {
namespace {

// A pipe that is ready takes at least a page without blocking. False for one that is full; an error
// is left to the write.
bool has_space() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) != 0;
}

}  // namespace

void ServiceLog::print(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (!has_space()) {
    ++num_dropped_;
    return;
  }
  if (num_dropped_ > 0)
    print_out("{} lines of the log were dropped, as nothing read it\n", num_dropped_);
  num_dropped_ = 0;
  print_out("{}\n", line);
  std::fflush(stdout);
}

}  // namespace vta::rpc
