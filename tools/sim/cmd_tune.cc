// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "base/errors/printable.h"
#include "configs/memory_clock.h"
#include "configs/memory_config.h"
#include "driver/device.h"
#include "sim/analysis/explore/core_space.h"
#include "sim/analysis/tune/tune_network.h"
#include "sim/analysis/tune/tune_report.h"
#include "sim/timed/timed_device.h"
#include "tools/compile/network_arguments.h"
#include "tools/compile/noted_options.h"
#include "tools/sim/commands.h"
#include "tools/sim/device_options.h"
#include "tools/sim/program_source.h"

namespace vta::sim {
namespace {

struct TuneOptions {
  ProgramOptions network;
  std::string log, memory = kDefaultMemory, tuner = "genetic";
  uint64_t trials = 64, seed = 1, workers = 1, candidates = 4, early_stopping = 0;
  std::optional<double> clock;  // MHz
  bool independent = false, json = false;
  std::optional<std::string> only;
};

constexpr const char* kNoTasks = "none";

void check(const TuneOptions& options) {
  const NetworkArguments& how = options.network.network;
  if (how.mode == "compatible" || how.per_layer_streams) {
    throw UsageError(
        "tilings are tuned for layers that overlap; tune excludes --mode compatible "
        "and --per-layer-streams");
  }
  if (how.tuned_for) {
    throw UsageError("tune takes the tilings of --memory; it excludes --tuned-for");
  }
  if (options.only && !options.independent)
    throw UsageError("--tasks measures some of the tasks; it needs --independent");
}

// Numbers of tasks. Errors: kInvalidArgument.
std::optional<std::vector<size_t>> tasks_of(const TuneOptions& options) {
  if (!options.only) return std::nullopt;
  std::vector<size_t> tasks;
  if (*options.only == kNoTasks) return tasks;
  for (const uint32_t task : with_context("--tasks", [&] { return parse_sizes(*options.only); }))
    tasks.push_back(task);
  return tasks;
}

// The graph that is lowered.
graph::Graph integer_graph(const import::Network& network, CompileOptions how, Progress& progress) {
  how.on_progress = [&](const std::string& what, double fraction) {
    progress.update(what, fraction);
  };
  graph::Graph graph = graph_to_lower(network, std::move(how));
  progress.clear();
  return graph;
}

void print_to_log(const std::string& text) {
  std::fputs(text.c_str(), stderr);  // fmt::print throws on a terminal that is gone
  std::fflush(stderr);
}

// On a terminal, a line that is redrawn until its task is done; elsewhere only its last state.
void show(const TuneProgress& progress, double clock_mhz) {
  const bool on_terminal = ::isatty(::fileno(stderr)) != 0;
  if (!on_terminal && !progress.is_done) return;
  print_to_log((on_terminal ? "\r\x1b[K" : "") + progress_line(progress, clock_mhz) +
               (progress.is_done ? "\n" : ""));
}

void tune(const TuneOptions& options) {
  check(options);
  const double clock_mhz = load_memory_at(options.memory, options.clock).clock_mhz;
  const std::string memory = name_at_clock(split_memory_clock(options.memory).name, clock_mhz);
  check_calibration(options.network.network);
  Progress progress(stderr);
  progress.update("loading " + options.network.name, 0);
  const import::Network network = load_network(options.network.name, options.network.network);
  const std::string log =
      options.log.empty() ? network.graph.name + ".schedules.jsonl" : options.log;
  if (options.log.empty()) claim_output("the log", log, OutputKind::kContinued);
  const CompileOptions how = noted_compile_options(network, options.network.network);
  const graph::Graph graph = integer_graph(network, how, progress);
  TuneRequest request{
      .graph = graph, .core = how.core, .memory = memory, .network = network.graph.name};
  request.schedules = load_schedules(how.schedules, how.core, memory, network.graph.name);
  request.tuner = tuner_from_string(options.tuner);
  request.trials = options.trials;
  request.seed = options.seed;
  request.workers = options.workers;
  request.candidates = options.candidates;
  request.log = log;
  request.independent = options.independent;
  request.only = tasks_of(options);
  request.open_device = [&] { return driver::open("timing:" + memory, how.core); };
  request.early_stopping = options.early_stopping;
  if (!options.json || ::isatty(::fileno(stderr)) != 0) {  // a caller of --json reads errors there
    request.on_progress = [&](const TuneProgress& p) { show(p, clock_mhz); };
    request.on_phase = [](const std::string& phase) { print_to_log(phase + "\n"); };
  }
  const TuneResult result = tune_network(request);
  if (options.json) return print_out("{}\n", to_json(result));
  const std::string tuned_for = memory == kScheduleMemory ? "" : " and --tuned-for " + memory;
  print_out("{}Log: {} (vta-compile and vta-sim read it with --schedules{})\n", to_text(result),
            log, tuned_for);
}

}  // namespace

void add_tune(Tool& tool) {
  Command command = tool.subcommand(
      "tune",
      "Search for faster tilings of a network's layers by measuring them on the cycle "
      "model; Ctrl-C leaves a log that the next call resumes");
  const auto options = std::make_shared<TuneOptions>();
  add_network_options(command, options->network);
  command.output("--log", options->log, "FILE",
                 "JSON lines of measurements, appended; those in it are not repeated (default: "
                 "<network>.schedules.jsonl)",
                 OutputKind::kContinued);
  command.option("--memory", options->memory, "NAME", "DRAM model: a name or a file");
  command.option("--trials", options->trials, "N", "Tilings to measure, of each task").at_least(1);
  command.option("--early-stopping", options->early_stopping, "N",
                 "End a task's stage after N trials in a row that are not faster; 0: never");
  command.option("--tuner", options->tuner, "", "How tilings are proposed").choices(tuner_names());
  command.option("--tuner-seed", options->seed, "N", "Seed of random and genetic");
  command
      .option("--workers", options->workers, "N",
              "Threads; the result does not depend on their number")
      .at_least(1)
      .at_most(kMaxThreads);
  command
      .option(
          "--candidates", options->candidates, "N",
          "Fastest tilings of each task that a pass over the whole network combines at the end; "
          "1: no pass")
      .at_least(1)
      .at_most(64);
  command.flag("--independent", options->independent,
               "Measure each task between the tilings that its neighbours start with: tasks do not "
               "depend on each other");
  command.option("--tasks", options->only, "LIST|none",
                 "With --independent: measure only these tasks, from 1 on, and try nothing on the "
                 "network; --json shows which are open");
  add_clock_option(command, options->clock);
  command.flag("--json", options->json, "Print one JSON object");
  command.example("vta-sim tune resnet18.json --trials 64 --workers 2");
  command.action([options] { tune(*options); });
}

}  // namespace vta::sim
