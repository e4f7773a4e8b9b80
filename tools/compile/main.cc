// SPDX-License-Identifier: Apache-2.0
//
// vta-compile: compiles a network file to a program file.
#include <algorithm>
#include <filesystem>

#include "base/command_line/command_line.h"
#include "base/command_line/progress.h"
#include "base/errors/printable.h"
#include "base/files/file.h"
#include "base/limits/freed_memory.h"
#include "compiler/compile.h"
#include "compiler/import/quantized_file.h"
#include "tools/compile/network_arguments.h"
#include "tools/compile/noted_options.h"
#include "tools/compile/sensitivity_report.h"
#include "tools/compile/summary.h"

namespace vta {
namespace {

constexpr const char* kQuantizePass = "quantize";

struct Options {
  std::string network, output;
  NetworkArguments how;
  std::string save_quantized;
  bool sensitivity = false;
  std::vector<std::string> dump_after;
  std::string stop_after;
  bool json = false;
};

void add_options(Command& command, Options& options) {
  command.argument("network", options.network, "NET",
                   "Network (.json, .onnx, .vtaq), or the name of an installed one");
  command.output("-o,--out", options.output, "FILE",
                 "Write the program (.vta); without it only the summary is printed");
  add_network_arguments(command, options.how);
  command.option("--labels", options.how.labels, "FILE",
                 "Class names, one per line, that the program holds (default: the network's)");
  command.output("--save-quantized", options.save_quantized, "FILE",
                 "Write the quantized network (.vtaq), which is accepted as NET");
  command.flag("--sensitivity", options.sensitivity,
               "Print the quantization error of each layer instead of compiling");
  command.option("--dump-after", options.dump_after, "", "Print the graph after this pass")
      .choices(pass_names());
  command.option("--stop-after", options.stop_after, "", "Stop after this pass")
      .choices(pass_names());
  command.flag("--json", options.json, "Print the summary as one JSON object");
  command.example("vta-compile resnet18.json -o resnet18.vta --mode compatible");
}

void check_files(const Options& options) {
  // It would be taken for a network, and shadow an installed network of that name.
  if (import::has_network_suffix(options.output)) {
    throw UsageError("-o " + options.output + " has the name of a network; programs end in .vta");
  }
}

void check_sensitivity(const Options& options) {
  const bool writes = !options.output.empty() || !options.save_quantized.empty();
  if (writes || !options.stop_after.empty() || !options.dump_after.empty() ||
      options.how.any_of_lowering()) {
    throw UsageError(
        "--sensitivity does not compile; it excludes -o, --save-quantized, --dump-after, "
        "--stop-after, --core, --mode, --per-layer-streams, --schedules, --tuned-for, --start, "
        "--stop and --first-convolution");
  }
}

// Rejects arguments that contradict each other.
void check(const Options& options) {
  if (options.json && !options.dump_after.empty()) {
    throw UsageError("--dump-after prints text; it excludes --json");
  }
  check_files(options);
  if (options.how.labels && options.output.empty())
    throw UsageError("--labels is for the program; it needs -o");
  if (options.sensitivity) return check_sensitivity(options);
  check_calibration(options.how);
  if (options.stop_after.empty()) return;
  const std::vector<std::string> passes = pass_names();
  if (options.json && options.stop_after != passes.back()) {
    throw UsageError("--stop-after " + options.stop_after + " leaves no summary to print (--json)");
  }
  const auto stop = std::ranges::find(passes, options.stop_after);
  if (!options.output.empty() && options.stop_after != passes.back()) {
    throw UsageError("--stop-after " + options.stop_after + " leaves no program to write");
  }
  if (!options.save_quantized.empty() && stop < std::ranges::find(passes, kQuantizePass)) {
    throw UsageError("--stop-after " + options.stop_after + " leaves no quantized network to save");
  }
  for (const std::string& pass : options.dump_after) {
    if (std::ranges::find(passes, pass) > stop) {
      throw UsageError("--stop-after " + options.stop_after + " leaves nothing to dump after " +
                       pass);
    }
  }
}

void save_quantized(const import::Network& network, const graph::Graph& graph,
                    const std::string& file) {
  import::Network quantized = network;
  quantized.graph = graph;
  const std::vector<uint8_t> bytes = import::to_quantized_file(quantized);
  without_interruption([&] { write_file(file, bytes); });
}

void report_sensitivity(const Options& options, const import::Network& network,
                        const CompileOptions& compile_options, Progress& progress) {
  const quantize::Sensitivity result = measure_sensitivity(network, compile_options);
  progress.clear();
  print_out("{}\n", options.json ? sensitivity_json(result) : sensitivity_text(result));
}

void run(const Options& options) {
  check(options);
  Progress progress(stderr);
  progress.update("loading " + options.network, 0);
  const import::Network network = load_network(options.network, options.how);
  CompileOptions how = noted_compile_options(network, options.how);
  how.stop_after = options.stop_after;
  how.on_progress = [&](const std::string& what, double fraction) {
    progress.update(what, fraction);
  };
  how.on_pass = [&](const PassResult& pass) {
    if (!options.save_quantized.empty() && pass.name == kQuantizePass) {
      save_quantized(network, pass.graph, options.save_quantized);
    }
    const auto& wanted = options.dump_after;
    if (std::find(wanted.begin(), wanted.end(), pass.name) == wanted.end()) return;
    progress.clear();
    print_out("; after {}\n{}\n", pass.name, pass.text());
  };
  if (options.sensitivity) return report_sensitivity(options, network, how, progress);
  const CompileResult result = compile(network, how);
  progress.clear();
  if (!options.stop_after.empty() && options.stop_after != pass_names().back()) return;
  if (!options.output.empty()) {
    without_interruption([&] { write_program(result.program, options.output); });
  }
  print_out("{}\n", options.json ? summary_json(result) : summary_text(result));
}

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  vta::keep_freed_memory();
  vta::Options options;
  vta::Tool tool("vta-compile", "Compiles a network for a VTA core.", VTA_VERSION);
  vta::Command command = tool.command();
  vta::add_options(command, options);
  command.action([&] { vta::run(options); });
  return tool.run(argc, argv);
}
