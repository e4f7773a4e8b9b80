// SPDX-License-Identifier: Apache-2.0
//
// Command lines of the tools: options and subcommands, exit status, one-line errors, Ctrl-C. CLI11
// does the parsing; only command_line.cc includes it, because it takes seconds to compile.
#ifndef VTA_BASE_COMMAND_LINE_COMMAND_LINE_H_
#define VTA_BASE_COMMAND_LINE_COMMAND_LINE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files/file_roles.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vta {

inline constexpr int kExitDone = 0;
inline constexpr int kExitError = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitRegression = 3;     // a comparison found something worse
inline constexpr int kExitInterrupted = 130;  // by Ctrl-C: 128 + SIGINT, as in shells

// Arguments that parse but contradict each other.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Thrown by an action that has done its work and printed its result, to end with a status other
// than 0.
struct ExitStatus {
  int status = kExitDone;
};

// Constraints of an option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option& required();
  Option& choices(const std::vector<std::string>& values);  // shown in the help as its type
  Option& at_least(uint64_t minimum);                       // for numbers
  Option& at_most(uint64_t maximum);                        // for numbers; shown in the help
  Option& between(double minimum, double maximum);          // for decimal numbers
  Option& one_each_time();                                  // for lists: one value per occurrence

 private:
  CLI::Option* option_;
};

// A subcommand with its options, or a tool without subcommands. `names`: "--json" or "-o,--out".
// `type`: the placeholder of the value in the help, such as "FILE". A variable whose option is not
// given keeps its value; the help shows it as the default if it is a number or a non-empty text.
// Numbers are unsigned decimal integers, or, for a double, finite decimal numbers.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  // A positional argument; required.
  Option argument(const std::string& name, std::string& value, const std::string& type,
                  const std::string& help);
  // A positional argument; optional.
  void optional_argument(const std::string& name, std::string& value, const std::string& type,
                         const std::string& help);
  // The remaining positional arguments; at least one is required.
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
  Option option(const std::string& names, double& value, const std::string& type,
                const std::string& help);
  Option option(const std::string& names, std::optional<uint64_t>& value, const std::string& type,
                const std::string& help);
  Option option(const std::string& names, std::optional<double>& value, const std::string& type,
                const std::string& help);
  void flag(const std::string& names, bool& value, const std::string& help);

  // A file that the command writes. Every output is declared with this: action() refuses one that
  // is an input or another output. It does so before the work and, for files that other files name,
  // when they are read (base/files/file_roles.h). `kind`: kContinued for logs that are appended to.
  Option output(const std::string& names, std::string& value, const std::string& type,
                const std::string& help, OutputKind kind = OutputKind::kReplaced);

  // After parsing: the names of the options that were given, such as "--json", in order.
  std::vector<std::string> given() const;

  void example(const std::string& command_line);  // at the end of the help
  void action(std::function<void()> work);        // called after parsing and claiming the outputs

 private:
  struct Output {
    CLI::Option* option;
    OutputKind kind;
  };
  static void claim(const CLI::App& app, const std::vector<Output>& outputs);

  CLI::App* app_;
  std::shared_ptr<std::vector<Output>> outputs_ = std::make_shared<std::vector<Output>>();
};

// The tool that runs and its arguments, quoted for a shell: "vta-sim report 'my net.onnx'".
const std::string& command_line();

// Prints "note: TEXT" to standard error, once for each text.
void print_note(const std::string& text);

class Tool {
 public:
  // --version prints "<name> <version>".
  Tool(const std::string& name, const std::string& description, const std::string& version);
  ~Tool();
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;

  // A tool with subcommands requires one. The tool's help shows the first one as its example.
  Command subcommand(const std::string& name, const std::string& description);

  // The tool itself as a command, for a tool without subcommands.
  Command command();

  // Parses the arguments, calls the command's action and returns the exit status. An error prints
  // one line to stderr: "vta-sim: error: <message>". Ctrl-C, SIGTERM, SIGHUP and SIGPIPE end the
  // process immediately and silently.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

// Calls `action`, which writes files, and defers these signals until it returns, so
// that no temporary file is left. Several threads may do so: a signal waits for all of them.
void without_interruption(const std::function<void()>& action);

// From now on, SIGBUS ends the process with `message` as its error and kExitError. A full disk
// raises it in libraries that map the files they write.
void end_on_bus_error(const std::string& message);

// Removes a temporary file or folder on such a signal while this object exists. At most kMaxRemoved
// at a time.
class RemovedOnInterruption {
 public:
  static constexpr int kMaxRemoved = 8;

  // `path`: what is made later, by other code.
  explicit RemovedOnInterruption(std::string path);
  // `make` makes the file or folder and returns its path; such a signal waits for it.
  explicit RemovedOnInterruption(const std::function<std::string()>& make);
  ~RemovedOnInterruption();
  RemovedOnInterruption(const RemovedOnInterruption&) = delete;
  RemovedOnInterruption& operator=(const RemovedOnInterruption&) = delete;

  const std::string& path() const { return path_; }

 private:
  void claim_slot();

  std::string path_;
  int slot_ = 0;
};

}  // namespace vta

#endif  // VTA_BASE_COMMAND_LINE_COMMAND_LINE_H_
