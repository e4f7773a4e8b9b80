// SPDX-License-Identifier: Apache-2.0
#include "base/command_line/command_line.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <new>
#include <set>
#include <sstream>

#include "base/errors/error.h"
#include "base/errors/nearest.h"
#include "base/errors/printable.h"
#include "base/files/file.h"
#include "base/limits/subprocess.h"
#include "base/numbers/parse_number.h"

namespace vta {
namespace {

// Flags instead of a blocked signal: Ctrl-C may arrive on any thread (oneDNN starts some).
std::atomic<int> writing_files = 0;        // scopes that defer an interruption, of all threads
std::atomic<int> interrupting_signal = 0;  // 0: none
std::atomic<const char*> removed_paths[RemovedOnInterruption::kMaxRemoved];
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");
static_assert(std::atomic<const char*>::is_always_lock_free, "used in a signal handler");

void remove_folder(const char* path) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/bin/rm", "rm", "-rf", "--", path, nullptr);
    ::_exit(127);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

void remove_files() {
  for (const std::atomic<const char*>& path : removed_paths) {
    if (path != nullptr && ::unlink(path) != 0 && errno == EISDIR) remove_folder(path);
  }
}

[[noreturn]] void exit_quietly() {
  // Only async-signal-safe calls.
  end_running_processes();  // they would write the files again
  remove_files();
  // Erase a progress line.
  if (::isatty(STDERR_FILENO) == 1) {
    constexpr char kEraseLine[] = "\r\x1b[K";
    [[maybe_unused]] const ssize_t written =
        ::write(STDERR_FILENO, kEraseLine, sizeof(kEraseLine) - 1);
  }
  if (interrupting_signal == SIGINT) ::_exit(kExitInterrupted);
  // Ends by the signal itself: service managers count that as a clean end, a status as a failure.
  std::signal(interrupting_signal, SIG_DFL);
  sigset_t all;
  ::sigemptyset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  std::raise(interrupting_signal);
  ::_exit(kExitError);  // not reached
}

extern "C" void handle_interruption(int signal) {
  interrupting_signal = signal;
  if (writing_files == 0) exit_quietly();
}

std::string tool_name;
std::string command_line_text;

// An argument as a shell reads it.
std::string quoted(std::string_view argument) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,@%+-";
  if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(argument);
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}
std::string bus_error_text;  // what handle_bus_error() prints

extern "C" void handle_bus_error(int) {
  // Only async-signal-safe calls.
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, bus_error_text.data(), bus_error_text.size());
  end_running_processes();
  remove_files();
  ::_exit(kExitError);
}

// Files and connections would get the numbers of closed standard streams, and then their output.
void keep_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", O_RDONLY);  // writing stays an error
  }
}

void handle_signals() {
  std::signal(SIGINT, handle_interruption);
  std::signal(SIGTERM, handle_interruption);
  // nohup ignores SIGHUP, some parents SIGPIPE.
  for (const int signal : {SIGHUP, SIGPIPE})
    if (std::signal(signal, handle_interruption) == SIG_IGN) std::signal(signal, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // ignored by some parents: no program could be waited for
  std::signal(SIGXFSZ, SIG_IGN);  // writing beyond a limit of the file's size is an error: EFBIG
}

// Defers an interruption to the end of its scope.
class InterruptionPause {
 public:
  InterruptionPause() { ++writing_files; }
  ~InterruptionPause() {
    if (--writing_files == 0 && interrupting_signal != 0) exit_quietly();
  }
};

std::string on_one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

std::string error_line(const std::string& tool, const std::string& message) {
  return fmt::format("{}: error: {}\n", tool, printable(on_one_line(message)));
}

int report_error(const CLI::App& app, const std::string& message, int status) {
  std::fflush(stdout);
  // Not fmt::print: it throws where stderr is closed or full.
  std::fputs(error_line(app.get_name(), message).c_str(), stderr);
  return status;
}

// "unknown option --inptu (did you mean '--input'?)"
std::string unknown_text(const CLI::App& app, const std::vector<std::string>& unknown) {
  const auto option =
      std::ranges::find_if(unknown, [](const std::string& text) { return text.starts_with("-"); });
  const std::vector<CLI::App*> subcommands = app.get_subcommands();
  const CLI::App& command = subcommands.empty() ? app : *subcommands[0];
  std::vector<std::string> names;
  if (option != unknown.end()) {
    for (const CLI::Option* known : command.get_options()) {
      for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
    }
    const std::string name = option->substr(0, option->find('='));
    if (std::ranges::count(names, name) > 0)
      return fmt::format("{0} is an option of {1}; write it after '{1}'", name, command.get_name());
    return "unknown option " + *option + did_you_mean(name, names);
  }
  if (subcommands.empty()) {
    for (const CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; }))
      names.push_back(known->get_name());
  }
  return "unknown argument " + unknown.front() + did_you_mean(unknown.front(), names);
}

// CLI11 says of an option that is given too often: "--core: At Most 1 required but received 2".
std::string error_text(const CLI::ParseError& error) {
  constexpr std::string_view kTooOften = ": At Most 1 required but received ";
  const std::string text = error.what();
  const size_t at = text.find(kTooOften);
  if (at == std::string::npos) return text;
  return fmt::format("{} is given {} times; it may be given once", text.substr(0, at),
                     text.substr(at + kTooOften.size()));
}

// "<what is wrong> (see vta-sim run --help)"
std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  // CLI11 reports a missing subcommand before an unknown one, and unknown arguments in any order.
  const std::vector<std::string> unknown = app.remaining(true);
  const bool is_unknown =
      !unknown.empty() && (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr ||
                           dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr);
  const std::string what = is_unknown ? unknown_text(app, unknown) : error_text(error);
  const std::vector<CLI::App*> subcommands = app.get_subcommands();
  const std::string subcommand = subcommands.empty() ? "" : " " + subcommands[0]->get_name();
  return fmt::format("{} (see {}{} --help)", what, app.get_name(), subcommand);
}

int parse_and_run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    const int status = app.exit(help_or_version, text, text);
    write_out(text.str());
    return status;
  } catch (const CLI::ParseError& error) {
    return report_error(app, usage_message(app, error), kExitUsage);
  } catch (const UsageError& error) {
    return report_error(app, error.what(), kExitUsage);
  } catch (const ExitStatus& end) {
    return end.status;
  }
  return kExitDone;
}

// Shows a default as "N=32", as CLI11 2.1 does; 2.4 shows "N [32]".
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    const std::string newer = " [" + option->get_default_str() + "]";
    if (const size_t at = text.find(newer); at != std::string::npos)
      text.replace(at, newer.size(), "=" + option->get_default_str());
    return text;
  }
};

template <typename Value>
CLI::Option* add(CLI::App* app, const std::string& names, Value& value, const std::string& type,
                 const std::string& help) {
  CLI::Option* const option = app->add_option(names, value, help)->type_name(type);
  if (type != "FILE") return option;
  return option->check([](const std::string& text) {
    return text.empty() ? "expected the name of a file, got ''" : "";
  });
}

// Both paths name one file, which need not exist. Devices do not count: several outputs may go to
// one.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code none;
  if (std::filesystem::exists(a, none) && !std::filesystem::is_regular_file(a, none)) return false;
  const auto place = [&](const std::filesystem::path& path) {  // also of a link to no file yet
    return std::filesystem::weakly_canonical(std::filesystem::absolute(link_target(path)), none);
  };
  return std::filesystem::equivalent(a, b, none) || place(a) == place(b);
}

struct NamedInput {
  std::string path;
  bool is_log;  // which a command may continue
};

// The existing files that options name as "FILE", "NAME=FILE" or "KIND:FILE[:COUNT]": refused
// before any work. All others, and those that files name, are compared when they are read.
std::vector<NamedInput> named_inputs(const std::vector<const CLI::Option*>& options) {
  std::vector<NamedInput> files;
  for (const CLI::Option* option : options) {
    const std::string type = option->get_type_name();
    const bool is_log = type == "LOG";
    const bool is_name = type == "NAME";  // of a core or memory, which may be a file's
    const auto add_file = [&](const std::string& text) {
      std::error_code none;
      if (is_name && text.find_first_of("./") == std::string::npos) return;
      if (std::filesystem::is_regular_file(text, none)) files.push_back({text, is_log});
    };
    const bool takes_files = option->get_positional() || type.find("FILE") != std::string::npos ||
                             type.find("IMAGE") != std::string::npos || is_name || is_log;
    if (!takes_files) continue;
    for (const std::string& text : option->results()) {
      add_file(text);
      const size_t separator = text.find_first_of("=:");
      if (separator == std::string::npos) continue;
      const std::string file = text.substr(separator + 1);
      add_file(file);
      add_file(file.substr(0, file.rfind(':')));
    }
  }
  return files;
}

std::optional<uint64_t> number_of(const std::string& text) { return parse_number<uint64_t>(text); }

// CLI11 itself reads -1, and any number out of range, as the largest number.
std::string refuse_no_number(const std::string& text) {
  if (number_of(text)) return "";
  return fmt::format("expected an unsigned integer of at most 64 bits, got '{}'", text);
}

// CLI11 itself reads '', ' 5' and 0x10, and infinite numbers and NaN.
std::optional<double> decimal_of(const std::string& text) {
  return parse_number<double>(std::string_view(text).substr(text.starts_with('+') ? 1 : 0));
}

std::string refuse_no_decimal(const std::string& text) {
  return decimal_of(text) ? "" : fmt::format("expected a finite number, got '{}'", text);
}

template <typename Number>
CLI::Option* add_number(CLI::App* app, const std::string& names, Number& value,
                        const std::string& type, const std::string& help) {
  return add(app, names, value, type, help)->check(refuse_no_number);
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::choices(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values).description(""));
  option_->type_name(fmt::format("{{{}}}", fmt::join(values, ",")));
  return *this;
}

Option& Option::one_each_time() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::at_least(uint64_t minimum) {
  option_->check([minimum](const std::string& text) {
    return number_of(text) >= minimum ? "" : fmt::format("{} is less than {}", text, minimum);
  });
  return *this;
}

Option& Option::at_most(uint64_t maximum) {
  option_->check([maximum](const std::string& text) {
    return number_of(text) <= maximum ? "" : fmt::format("{} is more than {}", text, maximum);
  });
  option_->description(fmt::format("{} (at most {})", option_->get_description(), maximum));
  return *this;
}

Option& Option::between(double minimum, double maximum) {
  option_->check([minimum, maximum](const std::string& text) {
    const std::optional<double> number = decimal_of(text);
    if (number && *number >= minimum && *number <= maximum) return std::string();
    return fmt::format("expected a number from {} to {}, got '{}'", minimum, maximum, text);
  });
  return *this;
}

Option Command::argument(const std::string& name, std::string& value, const std::string& type,
                         const std::string& help) {
  return Option(add(app_, name, value, type, help)->required());
}

void Command::optional_argument(const std::string& name, std::string& value,
                                const std::string& type, const std::string& help) {
  add(app_, name, value, type, help);
}

void Command::arguments(const std::string& name, std::vector<std::string>& values,
                        const std::string& type, const std::string& help) {
  add(app_, name, values, type, help)->required();
}

Option Command::option(const std::string& names, std::string& value, const std::string& type,
                       const std::string& help) {
  CLI::Option* option = add(app_, names, value, type, help);
  if (!value.empty()) option->capture_default_str();
  return Option(option);
}

Option Command::option(const std::string& names, std::optional<std::string>& value,
                       const std::string& type, const std::string& help) {
  return Option(add(app_, names, value, type, help));
}

Option Command::option(const std::string& names, std::vector<std::string>& values,
                       const std::string& type, const std::string& help) {
  return Option(add(app_, names, values, type, help));
}

Option Command::option(const std::string& names, uint64_t& value, const std::string& type,
                       const std::string& help) {
  return Option(add_number(app_, names, value, type, help)->capture_default_str());
}

Option Command::option(const std::string& names, double& value, const std::string& type,
                       const std::string& help) {
  return Option(
      add(app_, names, value, type, help)->check(refuse_no_decimal)->capture_default_str());
}

Option Command::option(const std::string& names, std::optional<uint64_t>& value,
                       const std::string& type, const std::string& help) {
  return Option(add_number(app_, names, value, type, help));
}

Option Command::option(const std::string& names, std::optional<double>& value,
                       const std::string& type, const std::string& help) {
  return Option(add(app_, names, value, type, help)->check(refuse_no_decimal));
}

void Command::flag(const std::string& names, bool& value, const std::string& help) {
  app_->add_flag(names, value, help);
}

std::vector<std::string> Command::given() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->parse_order()) names.push_back(option->get_name());
  return names;
}

void Command::example(const std::string& command_line) {
  app_->footer("Example:\n  " + command_line);
}

Option Command::output(const std::string& names, std::string& value, const std::string& type,
                       const std::string& help, OutputKind kind) {
  CLI::Option* const option = add(app_, names, value, type, help);
  outputs_->push_back({option, kind});
  return Option(option);
}

void Command::claim(const CLI::App& app, const std::vector<Output>& outputs) {
  record_inputs();
  std::vector<const CLI::Option*> options;  // but the outputs
  for (const CLI::Option* option : app.get_options()) {
    if (std::ranges::find(outputs, option, &Output::option) == outputs.end())
      options.push_back(option);
  }
  const std::vector<NamedInput> inputs = named_inputs(options);
  for (const Output& output : outputs) {
    if (output.option->count() == 0) continue;
    const std::string name = output.option->get_name();
    const std::string path = output.option->as<std::string>();
    for (const auto& [input, is_log] : inputs) {
      if ((is_log && output.kind == OutputKind::kContinued) || !is_same_file(path, input)) continue;
      throw UsageError(
          fmt::format("{} {} is the input {}, which would be overwritten", name, path, input));
    }
    for (const Output& other : outputs) {
      if (&other == &output) break;
      if (other.option->count() == 0 || !is_same_file(path, other.option->as<std::string>()))
        continue;
      throw UsageError(
          fmt::format("{} and {} name the same file, {}", other.option->get_name(), name, path));
    }
    claim_output(name, path, output.kind);
  }
}

void Command::action(std::function<void()> work) {
  app_->callback([app = app_, outputs = outputs_, work = std::move(work)] {
    claim(*app, *outputs);
    work();
  });
}

const std::string& command_line() { return command_line_text; }

void print_note(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> printed;
  const std::lock_guard lock(mutex);
  if (!printed.insert(text).second) return;
  // Not fmt::print: it throws where stderr is closed or full.
  std::fputs(fmt::format("note: {}\n", printable(on_one_line(text))).c_str(), stderr);
}

Tool::Tool(const std::string& name, const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->set_version_flag("--version", name + " " + version);
}

Tool::~Tool() = default;

Command Tool::subcommand(const std::string& name, const std::string& description) {
  app_->require_subcommand(1);
  if (app_->get_footer().empty())
    app_->footer(fmt::format("Example:\n  {} {} --help", app_->get_name(), name));
  return Command(app_->add_subcommand(name, description));
}

Command Tool::command() { return Command(app_.get()); }

int Tool::run(int argc, char** argv) {
  keep_standard_descriptors();
  tool_name = app_->get_name();
  command_line_text = tool_name;
  for (int i = 1; i < argc; ++i) command_line_text += " " + quoted(argv[i]);
  handle_signals();
  int status = kExitDone;
  try {
    status = parse_and_run(*app_, argc, argv);
  } catch (const std::bad_alloc&) {
    return report_error(*app_, "out of memory", kExitError);
  } catch (const std::exception& error) {
    return report_error(*app_, error.what(), kExitError);
  }
  try {
    flush_out();
  } catch (const Error& error) {
    return report_error(*app_, error.what(), kExitError);
  }
  return status;
}

void end_on_bus_error(const std::string& message) {
  bus_error_text = error_line(tool_name, message);
  std::signal(SIGBUS, handle_bus_error);
}

void without_interruption(const std::function<void()>& action) {
  const InterruptionPause pause;
  action();
}

RemovedOnInterruption::RemovedOnInterruption(std::string path) : path_(std::move(path)) {
  claim_slot();
}

RemovedOnInterruption::RemovedOnInterruption(const std::function<std::string()>& make) {
  const InterruptionPause pause;
  path_ = make();
  claim_slot();
}

void RemovedOnInterruption::claim_slot() {
  for (const char* expected = nullptr;; ++slot_, expected = nullptr) {
    VTA_ASSERT(slot_ < kMaxRemoved, "too many files to remove on an interruption");
    if (removed_paths[slot_].compare_exchange_strong(expected, path_.c_str())) return;
  }
}

RemovedOnInterruption::~RemovedOnInterruption() { removed_paths[slot_] = nullptr; }

}  // namespace vta
