// SPDX-License-Identifier: Apache-2.0
//
// vta-run: a compiled network on the machine that it runs on, without compiler and simulators: on a
// board, from image files to classes.
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/command_line/command_line.h"
#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/errors/printable.h"
#include "base/limits/stopwatch.h"
#include "base/numbers/statistics.h"
#include "tools/run/image_run.h"

namespace vta::run {
namespace {

struct Options {
  std::string program, device = "uio:";
  std::vector<std::string> inputs;
  std::optional<uint64_t> count;
  uint64_t in_flight = 2, top = 5;
  bool loop = false, json = false;
};

struct Statistics {
  std::vector<double> seconds;  // of each inference
  vta_counters counters{};      // of the last one
  Stopwatch whole;
};

std::string label_of(const Program& program, size_t index) {
  const vta_program_info& info = *vta_program_info_of(program.get());
  // Random weights recognize nothing.
  if (info.num_labels == 0 || std::string(info.weights).starts_with("synthetic"))
    return fmt::format("class {}", index);
  const char* label = nullptr;
  check(vta_program_label(program.get(), index, &label));
  return label;
}

std::string classes_text(const Program& program, const Inference& inference, size_t top) {
  std::string text;
  for (const size_t index : best_classes(inference.scores, top)) {
    text += fmt::format("{}{} ({:.3f})", text.empty() ? "" : ", ", label_of(program, index),
                        inference.scores[index]);
  }
  return text;
}

std::string summary_text(const Statistics& statistics, size_t in_flight, const Device& device) {
  const std::vector<double>& all = statistics.seconds;
  std::string text = fmt::format(
      "{} on {}, {:.2f} images per second, {} in flight; latency in ms: mean {:.2f}, "
      "50 % {:.2f}, 90 % {:.2f}, 99 % {:.2f}, maximum {:.2f}",
      counted(all.size(), "image"), vta_device_info_of(device.get())->uri,
      static_cast<double>(all.size()) / statistics.whole.seconds(), in_flight, 1e3 * mean(all),
      1e3 * percentile(all, 50), 1e3 * percentile(all, 90), 1e3 * percentile(all, 99),
      1e3 * percentile(all, 100));
  if (statistics.counters.has_cycles != 0)
    text += fmt::format("; {}", counted(statistics.counters.cycles, "cycle"));
  return text;
}

nlohmann::ordered_json inference_json(const Program& program, const Inference& inference,
                                      size_t top) {
  nlohmann::ordered_json json = {{"input", inference.input}, {"seconds", inference.seconds}};
  json["cycles"] = inference.counters.has_cycles != 0
                       ? nlohmann::ordered_json(inference.counters.cycles)
                       : nlohmann::ordered_json(nullptr);
  for (const size_t index : best_classes(inference.scores, top)) {
    json["top"].push_back({{"index", index},
                           {"score", inference.scores[index]},
                           {"label", label_of(program, index)}});
  }
  return json;
}

void print_line(const std::string& line) {
  print_out("{}\n", line);
  flush_out();  // the output of a loop is read while it runs
}

std::vector<std::string> names_of(const Options& options) {
  if (!options.inputs.empty()) return options.inputs;
  return {""};  // the network's sample
}

void run(const Options& options) {
  if (options.loop && options.count) throw UsageError("--loop has no end; it excludes --count");
  const Program program = open_program(options.program);
  const Device device = open_device(options.device, program);
  ImageRun images(program, device, options.in_flight);
  const std::vector<std::string> names = names_of(options);
  const std::unique_ptr<Inputs> inputs = open_inputs(names);
  const uint64_t count =
      options.loop ? std::numeric_limits<uint64_t>::max() : options.count.value_or(names.size());
  Statistics statistics;
  images.run(*inputs, count, [&](const Inference& inference) {
    // A loop reports the last inferences, or its memory would grow.
    constexpr size_t kMaxKept = 1000;
    if (statistics.seconds.size() == kMaxKept && options.loop) statistics = {};
    statistics.seconds.push_back(inference.seconds);
    statistics.counters = inference.counters;
    if (options.json) {
      print_line(inference_json(program, inference, options.top)
                     .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
      return;
    }
    const std::string name = inference.input.empty() ? "sample" : inference.input;
    print_line(fmt::format("{}: {}; {:.2f} ms", name, classes_text(program, inference, options.top),
                           1e3 * inference.seconds));
    if (options.loop && statistics.seconds.size() % 100 == 0)
      print_line(summary_text(statistics, images.in_flight(), device));
  });
  if (!options.json) print_line(summary_text(statistics, images.in_flight(), device));
}

void add_options(Command& command, Options& options) {
  command.argument("program", options.program, "PROGRAM", "Compiled network (.vta)");
  command.option("--device", options.device, "URI",
                 "Device to run on: uio:[NAME], rpc://HOST:PORT or functional");
  command.option(
      "--input", options.inputs, "IMAGE",
      "JPEG, PNG, WebP or BMP files, or noise:SEED (default: the network's sample); or "
      "camera:DEVICE, a Video4Linux device or a file or pipe of JPEG images one after another");
  command.option("--count", options.count, "N", "Inferences (default: one of each input)")
      .at_least(1);
  command.flag("--loop", options.loop,
               "Run the inputs again and again, until Ctrl-C or the end of the camera's file");
  command
      .option("--in-flight", options.in_flight, "N",
              "Inferences in flight: the processor works on one while the core works on another")
      .at_least(1)
      .at_most(16);
  command.option("--top", options.top, "N", "Classes to print").at_least(1);
  command.flag("--json", options.json, "Print one JSON object per inference and line");
  command.example("vta-run digits.vta --input digit.png");
  command.example("vta-run resnet18.vta --input camera:/dev/video0 --loop");
}

}  // namespace
}  // namespace vta::run

int main(int argc, char** argv) {
  vta::run::Options options;
  vta::Tool tool("vta-run", "Runs a compiled network on this machine.", VTA_VERSION);
  vta::Command command = tool.command();
  vta::run::add_options(command, options);
  command.action([&] { vta::run::run(options); });
  return tool.run(argc, argv);
}
