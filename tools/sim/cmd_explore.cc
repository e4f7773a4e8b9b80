// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/command_line/progress.h"
#include "base/errors/counted.h"
#include "base/errors/error.h"
#include "base/errors/printable.h"
#include "base/files/file.h"
#include "configs/core_fields.h"
#include "configs/parts.h"
#include "sim/analysis/explore/explore.h"
#include "sim/analysis/explore/explore_report.h"
#include "sim/timed/timed_device.h"
#include "tools/compile/network_arguments.h"
#include "tools/compile/noted_options.h"
#include "tools/sim/cache_folder.h"
#include "tools/sim/commands.h"
#include "tools/sim/made_by.h"

namespace vta::sim {
namespace {

namespace fs = std::filesystem;

struct ExploreOptions {
  std::vector<std::string> networks;
  NetworkArguments network;
  std::array<std::optional<std::string>, std::size(kCoreFields)> fields;  // lists of values
  std::optional<std::string> blocks;                                      // of both kinds
  std::optional<std::string> memories, choose;
  std::string clocks = "100", part = kDefaultPart, core_file, page, cache, compiler;
  double max_share_percent = 100;
  uint64_t workers = 1;
  bool json = false;
};

// The options of the fields, in the order of core_fields.def.
constexpr const char* kFieldOptions[] = {
    "--batch",      "--block-in",   "--block-out",           "--uop-buffer",        "--inp-buffer",
    "--wgt-buffer", "--acc-buffer", "--command-queue-depth", "--token-queue-depth", "--alu-folding",
    "--pixels"};
static_assert(std::size(kFieldOptions) == std::size(kCoreFields), "an option for each field");

CoreSpace space_of(const ExploreOptions& options) {
  std::map<std::string, std::vector<uint32_t>> values;
  for (size_t i = 0; i < std::size(kCoreFields); ++i) {
    const std::optional<std::string>& list = options.fields[i];
    if (!list) continue;
    values[kCoreFields[i].key] = with_context(kFieldOptions[i], [&] { return parse_sizes(*list); });
  }
  if (options.blocks)
    values["block"] = with_context("--block", [&] { return parse_sizes(*options.blocks); });
  const auto clocks = with_context("--clock", [&] { return parse_clocks(options.clocks); });
  return make_core_space(load_noted_core(options.network.core.value_or(kDefaultCore)), values,
                         clocks);
}

void check(const ExploreOptions& options) {
  if (!(options.max_share_percent > 0 && options.max_share_percent <= 100))
    throw UsageError("--max-share must be more than 0 and at most 100 percent");
  if (options.choose && options.core_file.empty())
    throw UsageError("--choose is the core that -o writes; it needs -o");
  check_calibration(options.network);
}

// The networks, quantized.
std::vector<ExploredNetwork> load_networks(const ExploreOptions& options, Progress& progress) {
  std::vector<ExploredNetwork> networks;
  for (const std::string& name : options.networks) {
    progress.update("loading " + name, 0);
    const import::Network network = load_network(name, options.network);
    CompileOptions how = noted_compile_options(network, options.network);
    how.on_progress = [&](const std::string& what, double fraction) {
      progress.update(name + ": " + what, fraction);
    };
    networks.push_back(make_explored_network(network, how));
  }
  return networks;
}

void show(const ExploreProgress& now, Progress& progress) {
  const std::string best =
      now.best_ms ? fmt::format("best {:.3f} ms", *now.best_ms) : std::string("none fits yet");
  progress.update(fmt::format("core {} of {}, {}", now.done, now.cores, best),
                  static_cast<double>(now.done) / static_cast<double>(now.cores));
}

// Errors: kNotFound if --choose names none of the cores.
void check_choice(const ExploreOptions& options, const CoreSpace& space) {
  if (!options.choose) return;
  for (const CoreChoice& choice : space.cores) {
    if (choice.core.name == *options.choose) return;
  }
  fail(ErrorCode::kNotFound, "--choose {}: {} explored, none with this name", *options.choose,
       counted(space.cores.size(), "core"));
}

// The core that the user names, else the fastest that fits.
const CoreConfig& chosen(const ExploreResult& result, const ExploreOptions& options) {
  if (!options.choose) {
    if (!result.front.empty()) return result.cores[result.front[0]].choice.core;
    fail(ErrorCode::kUnsupported,
         "none of the cores fits {} and is scheduled for its clock: -o {} is not written",
         result.part.name, options.core_file);
  }
  const auto named = std::ranges::find_if(result.cores, [&](const ExploredCore& core) {
    return core.choice.core.name == *options.choose;
  });
  return named->choice.core;
}

// Which tilings the cores have been measured with.
std::string tilings_text(const ExploreOptions& options) {
  if (!options.network.schedules.empty()) return "";
  return "tilings: the tuned ones that ship, of cores that have the same tasks, else the search's; "
         "--schedules none takes the search's for all cores\n";
}

void explore(const ExploreOptions& options) {
  check(options);
  Progress progress(stderr);
  const CoreSpace space = space_of(options);
  check_choice(options, space);
  const fs::path cache = cache_folder(options.cache);
  ModelCache models(cache / "models", find_model_tools(options.compiler));
  ExploreRequest request;
  request.cores = space.cores;
  request.memories = parse_list(options.memories.value_or(kDefaultMemory));
  request.part = find_fpga_part(options.part);
  request.max_share = options.max_share_percent / 100;
  request.results = cache / "runs";
  request.workers = options.workers;
  request.networks = load_networks(options, progress);
  request.on_progress = [&](const ExploreProgress& now) { show(now, progress); };
  progress.update(fmt::format("core 0 of {}", request.cores.size()), 0);
  const ExploreResult result = explore(request, models);
  progress.clear();
  const std::string json = to_json(result, space, load_core_config(kDefaultCore));
  print_out("{}", options.json ? json + "\n" : to_text(result, space) + tilings_text(options));
  without_interruption([&] {
    if (!options.page.empty()) write_file(options.page, explore_page(made_by(), json));
    if (!options.core_file.empty()) write_file(options.core_file, to_json(chosen(result, options)));
  });
}

void add_space_options(Command& command, ExploreOptions& options) {
  constexpr const char* kMeanings[] = {
#define VTA_CORE_FIELD(key, max, power_of_two, meaning) #key ", " meaning,
#include "configs/core_fields.def"
  };
  for (size_t i = 0; i < std::size(kCoreFields); ++i) {
    command.option(
        kFieldOptions[i], options.fields[i], "LIST",
        fmt::format("Values of {}, such as 8,16 or 32K (default: that of --core)", kMeanings[i]));
  }
  command.option("--block", options.blocks, "LIST",
                 "Values of block_in and block_out, which the compiler needs to be equal");
  command.option(
      "--clock", options.clocks, "LIST",
      "Clocks in MHz that the cores are scheduled for, if vta-hlsc can; memories in bytes "
      "per second follow them");
  command.option("--memory", options.memories, "LIST",
                 "DRAM models: names or files (default ideal64)");
}

}  // namespace

void add_explore(Tool& tool) {
  Command command = tool.subcommand(
      "explore",
      "Measure networks on many cores with their cycle models, and find the cores worth building; "
      "a call that was ended continues");
  const auto options = std::make_shared<ExploreOptions>();
  command.arguments("networks", options->networks, "NET...", "Networks (.json, .onnx, .vtaq)");
  add_space_options(command, *options);
  command.option("--part", options->part, "", "FPGA that the core shall fit")
      .choices(fpga_part_names());
  command.option("--max-share", options->max_share_percent, "PERCENT",
                 "Share of each resource of the FPGA that the core may take");
  command.output("-o,--out", options->core_file, "FILE",
                 "Write the chosen core, for --core and configs/cores");
  command.option("--choose", options->choose, "NAME",
                 "The core that -o writes (default: the fastest that fits)");
  command.output("--page", options->page, "FILE",
                 "Write the plot and the table: one HTML file that needs no network");
  command
      .option("--workers", options->workers, "N",
              "Threads; the result does not depend on their number")
      .at_least(1)
      .at_most(kMaxThreads);
  command.option("--cache", options->cache, "FOLDER",
                 "Where models and results are kept (default: vta in the user's cache folder)");
  command.option("--compiler", options->compiler, "PROGRAM",
                 "C++ compiler for cycle models (default clang++-19)");
  command.flag("--json", options->json, "Print one JSON object");
  add_network_arguments(command, options->network);
  command.example(
      "vta-sim explore resnet18.json --block 8,16 --wgt-buffer 64K,128K "
      "--workers 2 --page cores.html -o core.json");
  command.action([options] { explore(*options); });
}

}  // namespace vta::sim
