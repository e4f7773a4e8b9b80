// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_BASE_LIMITS_SUBPROCESS_H_
#define VTA_BASE_LIMITS_SUBPROCESS_H_

#include <string>
#include <vector>

namespace vta {

struct FinishedProcess {
  int status = 0;  // exit status; 128 + the signal's number if a signal ended it
  std::string out, err;
};

// Runs `command[0]`, a path or a program of $PATH, with `input` as its standard input, and waits
// for its end. The program gets SIGTERM when this process ends, however that ends. Errors:
// kNotFound if there is no such program; kIo, with the system's reason.
FinishedProcess run_process(const std::vector<std::string>& command, const std::string& input = "");

// Ends the programs that run_process() is running, by SIGTERM, so that they remove their temporary
// files, and after three seconds by SIGKILL: for a handler of signals that then ends this process.
// Calls of run_process() do not return any more. Async-signal-safe.
void end_running_processes();

}  // namespace vta

#endif  // VTA_BASE_LIMITS_SUBPROCESS_H_
