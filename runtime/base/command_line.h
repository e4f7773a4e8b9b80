// SPDX-License-Identifier: Apache-2.0
//
// What every command-line tool does alike: exit status, one-line errors, Ctrl-C.
#ifndef VTA_RUNTIME_BASE_COMMAND_LINE_H_
#define VTA_RUNTIME_BASE_COMMAND_LINE_H_

#include <functional>
#include <stdexcept>
#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace vta {

inline constexpr int kExitDone = 0;
inline constexpr int kExitError = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitInterrupted = 130;  // 128 + SIGINT, as shells count it

// Arguments that parse but do not go together.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Parses the arguments; the callbacks of `app` and its subcommands do the work. Returns the exit
// status. Whatever goes wrong is one line on stderr: "vta-sim: error: <message>". Ctrl-C ends the
// process at once, quietly.
int run_tool(CLI::App& app, int argc, char** argv);

// Calls `action`, which writes files, with Ctrl-C put off until it returns, so that no temporary
// file stays behind.
void without_interruption(const std::function<void()>& action);

}  // namespace vta

#endif  // VTA_RUNTIME_BASE_COMMAND_LINE_H_
