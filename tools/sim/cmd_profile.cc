// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include "base/errors/printable.h"
#include "tools/sim/build_facts.h"
#include "tools/sim/commands.h"
#include "tools/sim/stopwatch.h"
#include "tools/sim/workload.h"

namespace vta::sim {
namespace {

struct ProfileOptions {
  WorkloadOptions workload;
  std::optional<uint64_t> repeat;
  std::string by = "kernel";
  bool json = false, csv = false;
};

void run_plain(Workload& workload, Profile& profile) {
  const Stopwatch stopwatch;
  workload.run();
  profile.plain_seconds.push_back(stopwatch.seconds());
}

void run_profiled(Workload& workload, CpuCounters& counters, Profile& profile) {
  const Stopwatch stopwatch;
  workload.run_profiled(counters);
  profile.profiled_seconds.push_back(stopwatch.seconds());
  workload.add_sample(profile.rows);
}

// Without --repeat: pairs until the percentage that is printed is known well enough. A machine that
// does other work makes it uncertain for longer: twenty seconds may have ten pairs of which half
// differ by 20 %.
constexpr uint64_t kMinPairs = 10, kMaxPairs = 20000;
constexpr double kMaxPercentError = 0.5, kMaxSeconds = 20;
constexpr double kMaxPercentErrorOfBusyMachine = 2, kMaxSecondsOfBusyMachine = 180;

bool is_enough(const Profile& profile, std::optional<uint64_t> repeat, double seconds) {
  const uint64_t pairs = profile.plain_seconds.size();
  if (repeat) return pairs >= *repeat;
  if (pairs < kMinPairs) return false;
  if (pairs >= kMaxPairs || seconds > kMaxSecondsOfBusyMachine) return true;
  const double most = seconds > kMaxSeconds ? kMaxPercentErrorOfBusyMachine : kMaxPercentError;
  // As many pairs begin with either inference; the error takes longer the more pairs there are.
  const uint64_t step = 2 * std::max<uint64_t>(1, pairs / 32);
  return pairs % step == 0 && profile.percent_error() <= most;
}

// Plain and profiled inferences in pairs, so that both see the same state of the machine. Which of
// the two runs first alternates, as the second one finds warmer caches.
Profile measure(Workload& workload, std::optional<uint64_t> repeat, Progress& progress) {
  CpuCounters counters;
  Profile profile;
  profile.description = workload.description();
  profile.configuration = workload.configuration();
  for (const auto& [name, value] : build_facts()) profile.configuration.emplace_back(name, value);
  profile.rows = workload.rows();
  if (workload.counts_cpu()) {
    profile.cpu_counters = counters.names();
    profile.no_cpu_counters = counters.missing();
  }
  workload.run();  // to warm up
  const Stopwatch whole;
  for (uint64_t sample = 0; !is_enough(profile, repeat, whole.seconds()); ++sample) {
    const double pairs = static_cast<double>(sample);
    progress.update("running", repeat ? pairs / static_cast<double>(*repeat)
                                      : std::max(pairs / kMaxPairs,
                                                 whole.seconds() / kMaxSecondsOfBusyMachine));
    const bool plain_first = sample % 2 == 0;
    if (plain_first) run_plain(workload, profile);
    run_profiled(workload, counters, profile);
    if (!plain_first) run_plain(workload, profile);
  }
  progress.clear();
  return profile;
}

void profile(const ProfileOptions& options) {
  if (options.json && options.csv) throw UsageError("--json and --csv exclude each other");
  Progress progress(stderr);
  const std::unique_ptr<Workload> workload = open_workload(options.workload, progress);
  const Profile layers = measure(*workload, options.repeat, progress);
  const Profile result = options.by == "kernel" ? by_kernel(layers) : layers;
  if (options.json) {
    print_out("{}\n", to_json(result));
  } else {
    print_out("{}", options.csv ? to_csv(result) : to_text(result));
  }
}

}  // namespace

void add_profile(Tool& tool) {
  Command command = tool.subcommand(
      "profile", "Time an inference operator by operator, on a device or in fp32 on the host");
  const auto options = std::make_shared<ProfileOptions>();
  options->workload.default_device = "cycle";
  add_workload_options(command, options->workload);
  command
      .option("--repeat", options->repeat, "N",
              "Pairs of a plain and a profiled inference (default: 10 or more, until the error of "
              "Sum in percent of Plain is 0.5; after 20 seconds, 2; at most 3 minutes)")
      .at_least(1);
  command
      .option("--by", options->by, "",
              "Rows: kernel (equal layers together, the slowest first) or layer (in their order)")
      .choices({"kernel", "layer"});
  command.flag("--json", options->json, "Print one JSON object");
  command.flag("--csv", options->csv, "Print comma-separated values, a line per row");
  command.example("vta-sim profile resnet18.json --fp32 --repeat 20");
  command.action([options] { profile(*options); });
}

}  // namespace vta::sim
