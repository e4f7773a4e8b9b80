// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include "base/errors/printable.h"
#include "base/files/file.h"
#include "base/numbers/statistics.h"
#include "compiler/calibration.h"
#include "configs/config_files.h"
#include "runtime/host/host_operators.h"
#include "runtime/host/network_input.h"
#include "tools/sim/batched_inference.h"
#include "tools/sim/commands.h"
#include "tools/sim/device_options.h"
#include "tools/sim/findings.h"
#include "tools/sim/network_input.h"
#include "tools/sim/program_source.h"
#include "tools/sim/race_check.h"
#include "tools/sim/result_file.h"
#include "tools/sim/run_report.h"
#include "tools/sim/stopwatch.h"

namespace vta::sim {
namespace {

struct RunOptions {
  ProgramOptions program;
  DeviceOptions device;
  std::vector<std::string> inputs;
  std::string labels, draw, output, postprocess;
  uint64_t number = 1, repeat = 1;
  std::optional<uint64_t> in_flight;
  bool invert = false, unchecked = false, json = false;
};

std::vector<InputFiles> named_or_own_inputs(const RunOptions& options,
                                            const LoadedProgram& loaded) {
  if (!options.inputs.empty()) return input_files(loaded.program, options.inputs);
  const std::string& sample = loaded.program.inputs.at(0).sample;
  if (sample.empty() && loaded.program.inputs.at(0).image) {
    fail(ErrorCode::kInvalidArgument, "{} has no sample input; name one with --input",
         options.program.name);
  }
  if (sample.empty()) return {InputFiles(loaded.program.inputs.size(), kDefaultNoise)};
  return {InputFiles(loaded.program.inputs.size(), find_beside(sample, loaded.folder))};
}

std::vector<std::string> class_labels(const RunOptions& options, const LoadedProgram& loaded,
                                      const RunReport& report) {
  if (has_synthetic_weights(report)) return {};  // random weights recognize nothing
  const int64_t classes = num_named_classes(loaded.program);
  if (classes == 0 && options.labels.empty()) return {};
  if (!options.labels.empty()) return host::read_class_names(options.labels, classes);
  const std::vector<std::string>& held = loaded.program.class_names;
  if (!held.empty() && std::cmp_equal(held.size(), classes)) return held;
  const std::string& own = loaded.program.outputs.at(0).labels;
  if (own.empty()) return {};
  return host::read_class_names(find_beside(own, loaded.folder), classes);
}

std::string weights_text(const RunReport& report) {
  if (!has_synthetic_weights(report)) return "weights " + report.weights;
  return "synthetic weights of seed " + report.weights.substr(report.weights.find(':') + 1);
}

void print_text(const RunReport& report, const RunOptions& options) {
  print_out("{} on {} ({}), {} schedule, {} scales, {}\n", report.network, report.core,
            report.device, report.mode, report.quantize, weights_text(report));
  print_out("{}", report.placement);
  if (report.calibration == kNoise)
    print_out("Scales were calibrated on noise; choose images with --calibrate\n");
  for (const SampleReport& sample : report.samples) {
    if (!sample.is_first) continue;
    const bool is_own = options.inputs.empty() && !sample.input.ends_with(kDefaultNoise);
    print_out("Input {}{}\n", sample.input, is_own ? " (the network's sample)" : "");
  }
  for (const std::string& input : report.inverted_inputs) {
    print_out(
        "{} looks inverted: its border and that of the network's sample differ in lightness; "
        "try it with{} --invert\n",
        input, options.invert ? "out" : "");
  }
  print_out("Seconds: compile {:.3f}, device {:.3f}, host {:.3f}\n", report.compile_seconds,
            report.device_seconds, report.host_seconds);
  if (!report.repeat_seconds.empty()) {
    print_out("{}", repetition_text(report.repeat_seconds, options.number, "inference"));
  }
  if (report.throughput) print_out("{}", throughput_text(*report.throughput));
  print_out("{}", core_time_text(report));
  print_out("\n{}{}", statistics_text(report.inference.counters), predictions_text(report));
}

// Timed samples are inferences by themselves, and recordings of the device are in order of inputs.
size_t max_in_flight(const RunOptions& options) {
  const bool one = options.number * options.repeat > 1 || records(options.device);
  return options.in_flight.value_or(one || options.inputs.size() < 2 ? 1 : 2);
}

// The sample's input, for a network of one channel that classifies the user's own images.
std::optional<Tensor> gray_sample(const RunOptions& options, const LoadedProgram& loaded,
                                  const TensorType& type) {
  const ProgramInput& input = loaded.program.inputs.at(0);
  const bool is_gray = input.image && input.image->channels == "gray";
  if (options.inputs.empty() || input.sample.empty() || !is_gray) return std::nullopt;
  try {
    return read_input(find_beside(input.sample, loaded.folder), type, input.image);
  } catch (const Error&) {
    return std::nullopt;  // only a hint depends on it
  }
}

// Runs every input and fills in the report's samples, counters and seconds. `results`: null if the
// outputs are not wanted in a file.
void classify(const RunOptions& options, const LoadedProgram& loaded, driver::Device& device,
              Progress& progress, RunReport& report, ResultFile* results) {
  const Program& program = loaded.program;
  const std::vector<std::string> labels = class_labels(options, loaded, report);
  const auto files = named_or_own_inputs(options, loaded);
  const std::optional<Tensor> sample =
      gray_sample(options, loaded, sample_type(program, program.inputs.at(0).value));
  Pipeline pipeline(program, device, host::execute, max_in_flight(options));
  std::vector<double> latencies;
  BatchedInference inference;
  double sample_seconds = 0;
  uint64_t sample_runs = 0;
  inference.num_images = static_cast<int64_t>(files.size());
  inference.repeat = options.number * options.repeat;
  inference.next_image = [&](int64_t image) {
    progress.update("running", static_cast<double>(image) / static_cast<double>(files.size()));
    ImageInputs inputs;
    for (size_t i = 0; i < files[image].size(); ++i)
      inputs.push_back(read_program_input(program, i, files[image][i], options.invert));
    if (sample && names_image(files[image][0]) && host::looks_inverted(inputs[0], *sample))
      report.inverted_inputs.push_back(files[image][0].string());
    return inputs;
  };
  inference.on_inference = [&](const InferenceReport& one, double seconds) {
    add_inference(report, one);
    latencies.push_back(seconds);
    if (inference.repeat == 1) return;
    sample_seconds += seconds;
    if (++sample_runs < options.number) return;
    report.repeat_seconds.push_back(sample_seconds / static_cast<double>(options.number));
    sample_seconds = 0;
    sample_runs = 0;
  };
  const bool computes = device.describe().computes;
  inference.on_outputs = [&](int64_t image, const ImageOutputs& outputs) {
    if (!computes) return;
    const std::string input = text_of(program, files[image]);
    if (results != nullptr) results->add(input, outputs);
    for (SampleReport& sample : find(program, input, outputs, labels)) {
      report.samples.push_back(std::move(sample));
    }
  };
  const Stopwatch stopwatch;
  inference.run(program, pipeline);
  progress.clear();
  if (inference.repeat == 1 && latencies.size() > 1) {
    const auto images = static_cast<double>(files.size());
    report.throughput = {pipeline.in_flight(), images / stopwatch.seconds(), mean(latencies),
                         std::ranges::max(latencies)};
  }
}

// Draws the result of the first input.
void write_drawing(const std::string& file, const Program& program, const RunReport& report) {
  const int64_t num_outputs = static_cast<int64_t>(program.outputs.size());
  const auto first = report.samples.begin();
  const auto png = host::encode_png(draw_result(program, {first, first + num_outputs}));
  without_interruption([&] { write_file(file, png); });
}

void run(const RunOptions& options) {
  const bool timed = options.number > 1 || options.repeat > 1;
  if (options.in_flight.value_or(1) > 1 && (timed || records(options.device))) {
    throw UsageError(
        "--in-flight overlaps inferences; --repeat, --number, --wave and --trace do not");
  }
  if (options.unchecked && !names_program_file(options.program.name)) {
    throw UsageError("--unchecked applies to programs; the streams of " + options.program.name +
                     " are compiled here");
  }
  if (options.number > UINT64_MAX / options.repeat) {
    throw UsageError("--number times --repeat overflows 64 bits");
  }
  for (const std::string& input : options.inputs) {
    if (options.invert && !names_image(parse_named_file(input).file))
      throw UsageError("--invert applies to images; " + input + " is not an image");
  }
  if (!names_program_file(options.program.name)) check_device(options.device);
  std::optional<ResultFile> results;
  if (!options.output.empty()) results.emplace(options.output);
  WaveformFile waveform(options.device.waveform);
  TraceFile trace(options.device.trace);
  Progress progress(stderr);
  LoadedProgram loaded = load_program(options.program, progress);
  if (!options.postprocess.empty()) set_postprocess(options.postprocess, loaded.program);
  if (!loaded.network && !options.unchecked)
    with_context(options.program.name, [&] { refuse_races(loaded.program); });
  if (results) results->set_outputs(loaded.program);
  const auto device = open_device(options.device, loaded.program.core);
  const driver::DeviceDescription info = device->describe();
  if (!options.draw.empty() && !info.computes) {
    fail(ErrorCode::kInvalidArgument, "--draw {}: device '{}' computes no outputs", options.draw,
         info.uri);
  }
  if (results && !info.computes) {
    fail(ErrorCode::kInvalidArgument, "--output {}: device '{}' computes no outputs",
         options.output, info.uri);
  }
  RunReport report = begin_report(loaded.program, info.uri, loaded.compile_seconds);
  report.clock_mhz = clock_of(options.device);
  report.calibration = loaded.calibration;
  const std::string& kind = loaded.program.output_spec.kind;
  report.lists_outputs =
      info.computes && (kind == "none" || (kind == "classes" && !has_classes(loaded.program)));
  waveform.record(*device);
  trace.record(*device);
  classify(options, loaded, *device, progress, report, results ? &*results : nullptr);
  waveform.finish();
  trace.finish();
  if (results) without_interruption([&] { results->write(); });
  if (!options.draw.empty()) write_drawing(options.draw, loaded.program, report);
  report.wall_seconds = process_seconds();
  if (options.json) {
    print_out("{}\n", to_json(report));
  } else {
    print_text(report, options);
  }
}

}  // namespace

void add_run(Tool& tool) {
  Command command =
      tool.subcommand("run", "Run inputs through a network and print results and counters");
  const auto options = std::make_shared<RunOptions>();
  options->device.device = "cycle";
  add_program_options(command, options->program);
  add_device_options(command, options->device);
  add_no_compute_option(command, options->device);
  command.option(
      "--input", options->inputs, "[NAME=]IMAGE",
      "JPEG, PNG, WebP, BMP, .npz or .npy files, or noise:SEED (default: the network's "
      "sample); for several inputs NAME=FILE for each, or one .npz with an array for each");
  command.flag("--invert", options->invert,
               "Invert images first: dark digits on light paper for a network of light ones");
  command.option("--labels", options->labels, "FILE", "Class names, one per line");
  command.output(
      "--draw", options->draw, "FILE",
      "Write the first input with the detected boxes drawn into it, or the generated image (PNG)");
  command
      .option("--postprocess", options->postprocess, "",
              "Meaning of the outputs: classes, image, or none, which lists them (default: the "
              "network's; classes if the first one is a vector)")
      .choices({"classes", "image", "none"});
  add_output_option(command, options->output);
  command.option("--repeat", options->repeat, "N", "Time N samples of each input").at_least(1);
  command.option("--number", options->number, "N", "Inferences per sample; its time is their mean")
      .at_least(1);
  command
      .option("--in-flight", options->in_flight, "N",
              "Inferences in flight: the host works on one while the device works on another "
              "(default: 2, or 1 with --repeat, --number, --wave or --trace)")
      .at_least(1)
      .at_most(16);
  command.flag("--unchecked", options->unchecked,
               "Run a program without checking first that tokens order all accesses");
  command.flag("--json", options->json, "Print one JSON object");
  command.example("vta-sim run resnet18.json --mode compatible --json");
  command.action([options] { run(*options); });
}

}  // namespace vta::sim
