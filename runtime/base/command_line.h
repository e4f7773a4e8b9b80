// SPDX-License-Identifier: Apache-2.0
//
// Command lines of the tools: options and subcommands, exit status, one-line errors, Ctrl-C. CLI11
// does the parsing; it stays behind this header, because it takes seconds to compile.
#ifndef VTA_RUNTIME_BASE_COMMAND_LINE_H_
#define VTA_RUNTIME_BASE_COMMAND_LINE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
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

// What an option can be told besides its name.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option& required();
  Option& choices(const std::vector<std::string>& values);  // they are its type in the help
  Option& at_least(uint64_t minimum);                       // of a number
  Option& at_most(uint64_t maximum);                        // likewise; the help says so
  Option& one_each_time();  // of a list: a second value needs the name again

 private:
  CLI::Option* option_;
};

// A command with its options; or a tool that has no subcommands. `names` are "--json" or
// "-o,--out"; `type` stands for the value in the help: "FILE". Values that the user does not give
// stay as they are; a number, or a text that is not empty, is shown as the default. Numbers are
// whole ones, in decimal digits.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  // A word without a name before it; must be given.
  Option argument(const std::string& name, std::string& value, const std::string& type,
                  const std::string& help);
  // The same, where it need not be given.
  void optional_argument(const std::string& name, std::string& value, const std::string& type,
                         const std::string& help);
  // The words that are left, at least one.
  void arguments(const std::string& name, std::vector<std::string>& values, const std::string& type,
                 const std::string& help);

  Option option(const std::string& names, std::string& value, const std::string& type,
                const std::string& help);
  Option option(const std::string& names, std::optional<std::string>& value,
                const std::string& type, const std::string& help);
  Option option(const std::string& names, std::vector<std::string>& values, const std::string& type,
                const std::string& help);
  Option option(const std::string& names, uint64_t& value, const std::string& type,
                const std::string& help);
  Option option(const std::string& names, std::optional<uint64_t>& value, const std::string& type,
                const std::string& help);
  void flag(const std::string& names, bool& value, const std::string& help);

  // Once the arguments are read: those that were given, as "--json" and the like, in order.
  std::vector<std::string> given() const;

  void example(const std::string& command_line);  // at the end of the help
  void action(std::function<void()> work);        // called once the arguments are read

 private:
  CLI::App* app_;
};

class Tool {
 public:
  // --version prints "<name> <version>".
  Tool(const std::string& name, const std::string& description, const std::string& version);
  ~Tool();
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;

  // One of them must be given. The first one's help is the example in that of the tool.
  Command subcommand(const std::string& name, const std::string& description);

  // The tool itself as a command, where it has no subcommands.
  Command command();

  // Parses the arguments and calls the command's action. Returns the exit status. Whatever goes
  // wrong is one line on stderr: "vta-sim: error: <message>". Ctrl-C ends the process at once,
  // quietly.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

// Calls `action`, which writes files, with Ctrl-C put off until it returns, so that no temporary
// file stays behind.
void without_interruption(const std::function<void()>& action);

// A temporary file that is written bit by bit: while this lives, Ctrl-C removes it. At most
// kMaxRemoved at a time.
class RemovedOnInterruption {
 public:
  static constexpr int kMaxRemoved = 8;

  explicit RemovedOnInterruption(std::string path);
  ~RemovedOnInterruption();
  RemovedOnInterruption(const RemovedOnInterruption&) = delete;
  RemovedOnInterruption& operator=(const RemovedOnInterruption&) = delete;

 private:
  const std::string path_;
  int slot_ = 0;
};

}  // namespace vta

#endif  // VTA_RUNTIME_BASE_COMMAND_LINE_H_
