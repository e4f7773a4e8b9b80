// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "sim/tool/batched_inference.h"
#include "sim/tool/commands.h"
#include "sim/tool/dataset.h"
#include "sim/tool/device_options.h"
#include "sim/tool/evaluate.h"
#include "sim/tool/program_source.h"
#include "sim/tool/report.h"
#include "sim/tool/stopwatch.h"

namespace vta::sim {
namespace {

struct EvalOptions {
  ProgramOptions program;
  DeviceOptions device;
  std::string dataset;
  bool json = false;
};

void eval(const EvalOptions& options) {
  if (names_program_file(options.program.name)) {
    throw UsageError(options.program.name + ": eval compares with fp32, which only a network has");
  }
  WaveformFile waveform(options.device.waveform);
  TraceFile trace(options.device.trace);
  const DatasetSpec spec = parse_dataset_spec(options.dataset);
  Progress progress(stderr);
  const LoadedProgram loaded = compile_network(options.program, progress);
  const Program& program = loaded.program;
  const ProgramInput& input = program.inputs.at(0);
  TensorType one_image = input_type(program);
  one_image.shape.at(0) = 1;
  const Dataset dataset = read_dataset(spec, one_image, input.image);

  const auto device = open_device(options.device, program.core);
  if (!device->describe().computes) {
    fail(ErrorCode::kInvalidArgument, "eval: device '{}' computes no outputs",
         device->describe().uri);
  }
  RunReport report = begin_report(program, device->describe().uri, loaded.compile_seconds);
  waveform.record(*device);
  trace.record(*device);
  with_context(spec.file.string(), [&] { evaluate(loaded, dataset, *device, progress, report); });
  waveform.finish();
  trace.finish();
  report.wall_seconds = process_seconds();
  if (options.json) {
    fmt::print("{}\n", to_json(report));
    return;
  }
  fmt::print("{} on {} ({}), {} schedule, {} scales, {} at once\n", report.network, report.core,
             report.device, report.mode, report.quantize, batch_of(program));
  fmt::print("\n{}", accuracy_text(*report.accuracy));
}

}  // namespace

void add_eval(Tool& tool) {
  Command command = tool.subcommand("eval", "Measure accuracy on labelled images, beside fp32");
  const auto options = std::make_shared<EvalOptions>();
  add_program_options(command, options->program);
  add_device_options(command, options->device);
  command
      .option("--dataset", options->dataset, "cifar10:FILE[:COUNT]|npz:FILE[:COUNT]",
              "Labelled images")
      .required();
  command.flag("--json", options->json, "Print one JSON object");
  command.example("vta-sim eval digits.json --dataset npz:digits/test.npz");
  command.action([options] { eval(*options); });
}

}  // namespace vta::sim
