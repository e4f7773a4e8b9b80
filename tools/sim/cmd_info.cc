// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <nlohmann/json.hpp>

#include "base/errors/printable.h"
#include "configs/board_config.h"
#include "configs/config_files.h"
#include "configs/core_config.h"
#include "configs/core_text.h"
#include "driver/device.h"
#include "runtime/program/host_work.h"
#include "runtime/program/macs.h"
#include "tools/sim/build_facts.h"
#include "tools/sim/commands.h"
#include "tools/sim/program_source.h"

namespace vta::sim {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  ProgramOptions program;  // without a name: facts of the installation
  bool json = false;
};

std::string core_line(const CoreConfig& core) {
  return fmt::format("{:<15} {}", core.name, describe(core));
}

std::string board_line(const BoardConfig& board) {
  return fmt::format("{:<15} {}, {} at {:.6g} or {:.6g} MHz, {} MiB of memory", board.name,
                     board.part, board.core, board.clock_hz / 1e6, board.fast_clock_hz / 1e6,
                     board.memory_bytes >> 20);
}

Json board_json(const BoardConfig& board) {
  return {{"name", board.name},
          {"part", board.part},
          {"core", board.core},
          {"clock_hz", board.clock_hz},
          {"fast_clock_hz", board.fast_clock_hz},
          {"memory_bytes", board.memory_bytes}};
}

// Network files that commands accept by name: "resnet18.json".
std::vector<std::string> installed_network_files() {
  std::vector<std::string> files = installed_config_names("networks");
  for (std::string& name : files) name += ".json";
  return files;
}

void print_text() {
  print_out("Devices:\n");
  for (const auto& [scheme, kind] : driver::registered_devices())
    print_out("\t{:<33}{}\n", kind.uri, kind.what);
  print_out("Cores:\n");
  for (const std::string& name : installed_core_names())
    print_out("\t{}\n", core_line(load_core_config(name)));
  print_out("Memories:\n");
  for (const std::string& name : installed_config_names("memories")) print_out("\t{}\n", name);
  print_out("Boards:\n");
  for (const std::string& name : installed_config_names("boards"))
    print_out("\t{}\n", board_line(load_board_config(name)));
  print_out("Networks:\n");
  for (const std::string& name : installed_network_files()) print_out("\t{}\n", name);
  print_out("Build:\n");
  for (const auto& [key, value] : build_facts()) print_out("\t{:<16}: {}\n", key, value);
}

void print_json() {
  Json json = {{"devices", Json::array()},
               {"cores", Json::array()},
               {"memories", installed_config_names("memories")},
               {"boards", Json::array()},
               {"networks", installed_network_files()},
               {"build", Json::object()}};
  for (const auto& [scheme, kind] : driver::registered_devices()) json["devices"].push_back(scheme);
  for (const std::string& name : installed_core_names()) {
    json["cores"].push_back(Json::parse(to_json(load_core_config(name))));
  }
  for (const std::string& name : installed_config_names("boards"))
    json["boards"].push_back(board_json(load_board_config(name)));
  for (const auto& [key, value] : build_facts()) json["build"][key] = value;
  print_out("{}\n", json.dump(2));
}

void print_program(const InfoOptions& options) {
  Progress progress(stderr);
  const Program program = load_program(options.program, progress).program;
  if (!options.json) {
    print_out("{} on {}, {} schedule\n{}", program.network, program.core.name, program.mode,
              placement_text(program));
    return;
  }
  const MacSums macs = macs_of(program);
  const Json json = {{"network", program.network},   {"core", program.core.name},
                     {"mode", program.mode},         {"macs", macs.all},
                     {"macs_on_core", macs.on_core}, {"host", to_json(host_work(program))}};
  print_out("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_info(const InfoOptions& options) {
  if (!options.program.name.empty()) return print_program(options);
  if (options.program.network.any())
    throw UsageError("options of networks need a network or program");
  options.json ? print_json() : print_text();
}

}  // namespace

void add_info(Tool& tool) {
  Command command = tool.subcommand("info",
                                    "List devices, cores, memories, boards, networks and build "
                                    "settings, or what the core computes of a "
                                    "network and why it does not compute the rest");
  const auto options = std::make_shared<InfoOptions>();
  command.optional_argument("program", options->program.name, "NET|PROGRAM",
                            "Network (.json, .onnx, .vtaq) or program (.vta)");
  add_network_arguments(command, options->program.network);
  command.flag("--json", options->json, "Print one JSON object");
  command.example("vta-sim info mobilenet_v3_small.json");
  command.action([options] { print_info(*options); });
}

}  // namespace vta::sim
