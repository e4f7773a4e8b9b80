// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <thread>

#include "base/errors/printable.h"
#include "tools/compile/network_arguments.h"
#include "tools/sim/batched_inference.h"
#include "tools/sim/commands.h"
#include "tools/sim/device_options.h"
#include "tools/sim/evaluate.h"
#include "tools/sim/program_source.h"
#include "tools/sim/result_file.h"
#include "tools/sim/run_report.h"
#include "tools/sim/stopwatch.h"

namespace vta::sim {
namespace {

struct EvalOptions {
  ProgramOptions program;
  DeviceOptions device;
  std::string dataset, output;
  std::optional<uint64_t> limit, threads;
  bool json = false;
};

void check_options(const EvalOptions& options) {
  if (names_program_file(options.program.name)) {
    throw UsageError(options.program.name +
                     ": eval needs the fp32 network to compare with; a program does not hold it");
  }
  if (records(options.device) && options.threads.value_or(1) > 1) {
    throw UsageError("--wave and --trace record one device: use --threads 1");
  }
}

void check_preprocessing(const NetworkArguments& how, const Dataset& dataset) {
  if (dataset.preprocesses || !how.preprocess.any()) return;
  if (how.calibrate) return;  // on pixels, perhaps
  throw UsageError(
      "the data set holds the network's inputs, not pixels; it excludes --preprocess, --mean, "
      "--std, --scale, --channels, --layout and --resize");
}

// One device per thread, and no more threads than batches.
std::vector<std::unique_ptr<driver::Device>> open_devices(const EvalOptions& options,
                                                          const Program& program,
                                                          int64_t num_images) {
  const uint64_t hardware = std::clamp(std::thread::hardware_concurrency(), 1u, 64u);
  const uint64_t wanted = options.threads.value_or(records(options.device) ? 1 : hardware);
  const auto num_batches = static_cast<uint64_t>((num_images - 1) / batch_of(program) + 1);
  const uint64_t count = std::min(wanted, num_batches);
  std::vector<std::unique_ptr<driver::Device>> devices;
  for (uint64_t i = 0; i < count; ++i) {
    devices.push_back(open_device(options.device, program.core));
  }
  return devices;
}

std::vector<DatasetInput> inputs_of_image(const Program& program) {
  check_batched(program);
  std::vector<DatasetInput> inputs;
  for (const ProgramInput& input : program.inputs) {
    const ProgramValue& value = program.values.at(input.value);
    inputs.push_back({value.name, sample_type(program, input.value), input.image});
  }
  return inputs;
}

void eval(const EvalOptions& options) {
  check_options(options);
  check_device(options.device);
  std::optional<ResultFile> results;
  if (!options.output.empty()) results.emplace(options.output);
  WaveformFile waveform(options.device.waveform);
  TraceFile trace(options.device.trace);
  Progress progress(stderr);
  ProgramOptions how = options.program;
  how.network.calibrate_otherwise = options.dataset;
  const LoadedProgram loaded = compile_network(how, progress);
  const bool on_own_images = calibrates_otherwise(*loaded.network, how.network);
  const Program& program = loaded.program;
  Dataset dataset = find_dataset(options.dataset, inputs_of_image(program));
  check_preprocessing(how.network, dataset);
  if (options.limit) {
    const uint64_t limit = std::min<uint64_t>(*options.limit, dataset.num_images);
    dataset = first_images(dataset, static_cast<int64_t>(limit));
  }

  const auto devices = open_devices(options, program, dataset.num_images);
  const driver::DeviceDescription info = devices[0]->describe();
  if (!info.computes) {
    fail(ErrorCode::kInvalidArgument, "eval: device '{}' computes no outputs", info.uri);
  }
  RunReport report = begin_report(program, info.uri, loaded.compile_seconds);
  report.clock_mhz = clock_of(options.device);
  report.calibration = loaded.calibration + (on_own_images ? " of the data set" : "");
  waveform.record(*devices[0]);
  trace.record(*devices[0]);
  std::vector<ImageOutputs> of_images;
  with_context(options.dataset, [&] {
    evaluate(loaded, dataset, devices, progress, report, results ? &of_images : nullptr);
  });
  if (results) {
    results->set_outputs(program);
    for (size_t i = 0; i < of_images.size(); ++i)
      results->add(fmt::format("{}:{}", options.dataset, i), of_images[i]);
    without_interruption([&] { results->write(); });
  }
  waveform.finish();
  trace.finish();
  report.wall_seconds = process_seconds();
  if (options.json) {
    print_out("{}\n", to_json(report));
    return;
  }
  print_out("{} on {} ({}), {} schedule, {} scales, batch size {}\n", report.network, report.core,
            report.device, report.mode, report.quantize, batch_of(program));
  if (on_own_images)
    print_out(
        "Scales were calibrated on {}; --calibrate chooses others, and gives vta-compile and run "
        "such scales, too\n",
        report.calibration);
  print_out("\n{}", accuracy_text(*report.accuracy));
}

}  // namespace

void add_eval(Tool& tool) {
  Command command = tool.subcommand(
      "eval", "Measure accuracy on labelled images or other inputs, compared with fp32");
  const auto options = std::make_shared<EvalOptions>();
  add_network_options(command, options->program);
  add_device_options(command, options->device);
  command
      .option("--dataset", options->dataset, kDatasetForms,
              "Labelled images, or arrays of each input")
      .required();
  add_output_option(command, options->output);
  command.option("--limit", options->limit, "N", "Evaluate at most the first N images").at_least(1);
  command
      .option("--threads", options->threads, "N",
              "Images (or batches) in parallel (default: one per processor)")
      .at_least(1)
      .at_most(kMaxThreads);
  command.flag("--json", options->json, "Print one JSON object");
  command.example("vta-sim eval digits.json --dataset npz:digits/test.npz");
  command.action([options] { eval(*options); });
}

}  // namespace vta::sim
