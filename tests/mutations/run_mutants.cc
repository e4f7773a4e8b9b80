// SPDX-License-Identifier: Apache-2.0
//
// run_mutants, run_model_mutants: runs mutants of the core's Verilog, or of its cycle model, until
// each differs from the cycle model, one process a mutant. Prints a line of JSON for each.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>

#include "base/command_line/command_line.h"
#include "base/errors/error.h"
#include "tests/mutations/core_runs.h"
#include "tests/mutations/mutated_core.h"

namespace vta::mutations {
namespace {

// A changed model may grow without bounds.
constexpr rlim_t kMaxMemoryBytes = 4ull << 30;

// What a process reports of its mutant.
struct Report {
  char by[16] = "abort";  // an assertion or a limit ends the process
  uint32_t run = 0;
};

void write_report(int pipe, const std::string& by, size_t run) {
  Report report;
  std::snprintf(report.by, sizeof report.by, "%s", by.c_str());
  report.run = static_cast<uint32_t>(run);
  if (write(pipe, &report, sizeof report) != sizeof report) _exit(1);
}

void limit(int resource, rlim_t most) {
  const rlimit both = {most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

// In a process of its own, which the mutant may abort.
[[noreturn]] void run_mutant(const CoreRuns& runs, uint16_t mutant, int pipe) {
  if (std::freopen("/dev/null", "w", stdout) == nullptr ||
      std::freopen("/dev/null", "w", stderr) == nullptr)
    _exit(1);
  limit(RLIMIT_CPU, max_processor_seconds());
  limit(RLIMIT_AS, kMaxMemoryBytes);
  select_mutant(mutant);
  size_t current = 0;
  try {
    const auto before = [&](sim::TimedCore& core, size_t run) {
      current = run;
      prepare_run(core, runs.runs[run], run);
    };
    const Difference found =
        first_difference(runs, make_mutated_core, mutated_cores_compute(), before);
    std::string in = found.in;
    if (in.empty() && has_wrong_port_errors()) in = "bus error";
    write_report(pipe, in.empty() ? "none" : in, found.run);
  } catch (const EndlessRun&) {
    write_report(pipe, "endless", current);
  } catch (const std::exception&) {
    write_report(pipe, "error", current);
  }
  _exit(0);
}

Report report_of(const CoreRuns& runs, uint16_t mutant) {
  int ends[2];
  if (pipe(ends) != 0) fail(ErrorCode::kIo, "cannot make a pipe");
  const pid_t child = fork();
  if (child < 0) fail(ErrorCode::kIo, "cannot start a process");
  if (child == 0) {
    close(ends[0]);
    run_mutant(runs, mutant, ends[1]);
  }
  close(ends[1]);
  Report report;
  if (read(ends[0], &report, sizeof report) != sizeof report) report = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return report;
}

void print(const CoreRuns& runs, uint16_t mutant, const Report& report, double seconds) {
  const bool has_run =
      std::string_view(report.by) != "none" && std::string_view(report.by) != "abort";
  fmt::print(
      "{{\"mutant\": {}, \"noticed_by\": \"{}\", \"run\": {}, \"program\": \"{}\", \"seconds\": "
      "{:.2f}}}\n",
      mutant, report.by, report.run, has_run ? runs.runs[report.run].name : "", seconds);
  std::fflush(stdout);
}

uint16_t number_of(const std::string& text) {
  uint16_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    fail(ErrorCode::kInvalidArgument, "mutant '{}': expected an integer from 0 to {}", text,
         UINT16_MAX);
  return number;
}

void run(uint64_t seed, uint64_t programs, const std::vector<std::string>& texts) {
  std::vector<uint16_t> mutants;
  for (const std::string& text : texts) mutants.push_back(number_of(text));
  limit(RLIMIT_CORE, 0);
  const CoreRuns runs = make_core_runs(seed, programs);
  for (const uint16_t mutant : mutants) {
    const auto start = std::chrono::steady_clock::now();
    const Report report = report_of(runs, mutant);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    print(runs, mutant, report, taken.count());
  }
}

}  // namespace
}  // namespace vta::mutations

int main(int argc, char** argv) {
  uint64_t seed = 0, programs = 200;
  std::vector<std::string> mutants;
  vta::Tool tool("run_mutants",
                 "Runs mutants of the core until each differs from the cycle model, and prints a "
                 "line of JSON for each. Mutant 0 is the original.",
                 "1");
  vta::Command command = tool.command();
  command.arguments("mutants", mutants, "NUMBER", "Mutants");
  command.option("--seed", seed, "NUMBER", "First seed of the programs");
  command.option("--programs", programs, "COUNT", "Legal programs").at_least(1);
  command.example("run_mutants 0 1 2 --programs 100");
  command.action([&] { vta::mutations::run(seed, programs, mutants); });
  return tool.run(argc, argv);
}
