// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include "base/errors/printable.h"
#include "tools/sim/bench_result.h"
#include "tools/sim/beside.h"
#include "tools/sim/commands.h"
#include "tools/sim/stopwatch.h"
#include "tools/sim/workload.h"

namespace vta::sim {
namespace {

struct BenchOptions {
  WorkloadOptions workload;
  uint64_t number = 1, repeat = 10, warm_up = 1;
  std::optional<std::string> beside, beside_model;
  bool json = false;
};

// The other runtime's form of the network. Errors: UsageError if there is none.
std::string beside_model(const BenchOptions& options) {
  if (options.beside_model) return *options.beside_model;
  const std::string& name = options.workload.program.name;
  if (options.beside == "onnxruntime" && name.ends_with(".onnx")) return name;
  throw UsageError(fmt::format("--beside {} needs --beside-model with {} of {}", *options.beside,
                               options.beside == "torch" ? "a TorchScript file" : "an ONNX model",
                               name));
}

BenchResult bench_other(const BenchOptions& options, const Workload& workload) {
  return bench_beside({*options.beside, beside_model(options), workload.inputs(), workload.batch(),
                       started_threads(options.workload), options.number, options.repeat,
                       options.warm_up});
}

void bench(const BenchOptions& options) {
  if (options.number > UINT64_MAX / options.repeat) {
    throw UsageError("--repeat times --number overflows 64 bits");
  }
  if (options.beside) beside_model(options);
  if (options.beside_model && !options.beside) throw UsageError("--beside-model needs --beside");
  Progress progress(stderr);
  const std::unique_ptr<Workload> workload = open_workload(options.workload, progress);
  BenchResult result;
  result.description = workload->description();
  result.batch = workload->batch();
  result.number = options.number;
  result.warm_up = options.warm_up;
  for (uint64_t i = 0; i < options.warm_up; ++i) workload->run();
  for (uint64_t sample = 0; sample < options.repeat; ++sample) {
    progress.update("running", static_cast<double>(sample) / static_cast<double>(options.repeat));
    const auto number = static_cast<double>(options.number);
    std::optional<double> remote_seconds;
    const Stopwatch stopwatch;
    for (uint64_t i = 0; i < options.number; ++i) {
      workload->run();
      if (const auto seconds = workload->remote_seconds())
        remote_seconds = remote_seconds.value_or(0) + *seconds;
    }
    result.seconds.push_back(stopwatch.seconds() / number);
    if (remote_seconds) result.remote_seconds.push_back(*remote_seconds / number);
  }
  std::optional<BenchResult> other;
  if (options.beside) {
    progress.update("running " + *options.beside, 0);
    other = bench_other(options, *workload);
  }
  progress.clear();
  if (options.json) return print_out("{}\n", to_json(result, other ? &*other : nullptr));
  print_out("{}{}", to_text(result), other ? to_text(*other) : "");
}

}  // namespace

void add_bench(Tool& tool) {
  Command command = tool.subcommand("bench", "Time inferences, on a device or in fp32 on the host");
  const auto options = std::make_shared<BenchOptions>();
  add_workload_options(command, options->workload);
  command.option("--number", options->number, "N", "Inferences per sample; its time is their mean")
      .at_least(1);
  command.option("--repeat", options->repeat, "N", "Samples").at_least(1);
  command.option("--warm-up", options->warm_up, "N", "Inferences before the first sample");
  command
      .option("--beside", options->beside, "",
              "Also time the network in another runtime, if python3 has it")
      .choices(beside_names());
  command.option("--beside-model", options->beside_model, "FILE",
                 "Its form of the network: an ONNX model (default: NET), for torch TorchScript");
  command.flag("--json", options->json, "Print one JSON object");
  command.example("vta-sim bench resnet18.json --fp32 --threads 2 --number 5 --repeat 20");
  command.action([options] { bench(*options); });
}

}  // namespace vta::sim
