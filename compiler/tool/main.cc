// SPDX-License-Identifier: Apache-2.0
//
// vta-compile: from a network file to a program file.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "compiler/compile.h"
#include "compiler/tool/summary.h"
#include "runtime/base/command_line.h"
#include "runtime/base/progress.h"

namespace vta {
namespace {

struct Options {
  std::string network, output;
  std::string core = "vta_1x16";
  std::string quantize, mode = "fused";
  import::NetworkOptions import;
  std::vector<std::string> dump_after;
  std::string stop_after;
  bool json = false;
};

void add_options(CLI::App& app, Options& options) {
  const CLI::IsMember stages(stage_names());
  app.add_option("network", options.network, "Network file, or the name of an installed one")
      ->required()
      ->type_name("NET");
  app.add_option("-o,--out", options.output, "The program (.vta); without it nothing is written")
      ->type_name("FILE");
  app.add_option("--core", options.core, "Core to compile for: a name or a file")
      ->capture_default_str()
      ->type_name("NAME");
  app.add_option("--quantize", options.quantize, "How scales are chosen (default: the network's)")
      ->check(CLI::IsMember({"global", "max", "mse"}));
  app.add_option("--mode", options.mode, "Schedule")
      ->capture_default_str()
      ->check(CLI::IsMember({"fused", "compatible"}));
  app.add_option("--weights", options.import.weights,
                 "Weights instead of the network's own, or 'synthetic'")
      ->type_name("FILE");
  app.add_option("--seed", options.import.seed, "Of synthetic weights")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--dump-after", options.dump_after, "Print the graph after this stage")
      ->check(stages);
  app.add_option("--stop-after", options.stop_after, "Run the stages up to this one")
      ->check(stages);
  app.add_flag("--json", options.json, "Print the summary as one JSON object");
  app.footer("Example:\n  vta-compile resnet18.json -o resnet18.vta --mode compatible");
}

void run(const Options& options) {
  if (options.json && !options.dump_after.empty()) {
    throw UsageError("--dump-after prints text; it does not go with --json");
  }
  Progress progress(stderr);
  CompileOptions compile_options;
  compile_options.core = load_core_config(options.core);
  compile_options.quantize = options.quantize;
  compile_options.mode = options.mode;
  compile_options.stop_after = options.stop_after;
  compile_options.on_progress = [&](const std::string& what, double fraction) {
    progress.update(what, fraction);
  };
  compile_options.on_stage = [&](const std::string& stage, const std::string& text) {
    const auto& wanted = options.dump_after;
    if (std::find(wanted.begin(), wanted.end(), stage) == wanted.end()) return;
    progress.clear();
    fmt::print("; after {}\n{}\n", stage, text);
  };
  progress.update("loading " + options.network, 0);
  const import::Network network = import::load_network(options.network, options.import);
  const CompileResult result = compile(network, compile_options);
  progress.clear();
  if (!options.stop_after.empty() && result.program.steps.empty()) return;
  if (!options.output.empty()) {
    without_interruption([&] { write_program(result.program, options.output); });
  }
  fmt::print("{}\n", options.json ? summary_json(result) : summary_text(result));
}

}  // namespace
}  // namespace vta

int main(int argc, char** argv) {
  vta::Options options;
  CLI::App app("Compiles a network for a VTA core.", "vta-compile");
  app.set_version_flag("--version", VTA_VERSION);
  vta::add_options(app, options);
  app.callback([&] { vta::run(options); });
  return vta::run_tool(app, argc, argv);
}
