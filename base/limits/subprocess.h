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
// for its end. Errors: kNotFound if there is no such program; kIo, with the system's reason.
FinishedProcess run_process(const std::vector<std::string>& command, const std::string& input = "");

}  // namespace vta

#endif  // VTA_BASE_LIMITS_SUBPROCESS_H_
