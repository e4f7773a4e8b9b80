// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <nlohmann/json.hpp>

#include "configs/config_files.h"
#include "configs/core_config.h"
#include "driver/device.h"
#include "runtime/base/printable.h"
#include "sim/tool/build_facts.h"
#include "sim/tool/commands.h"

namespace vta::sim {
namespace {

std::string core_line(const CoreConfig& core) {
  return fmt::format("{:<10} batch {}, block {}x{}, buffers uop {}, inp {}, wgt {}, acc {} bytes{}",
                     core.name, core.batch, core.block_in, core.block_out, core.uop_buffer_bytes,
                     core.inp_buffer_bytes, core.wgt_buffer_bytes, core.acc_buffer_bytes,
                     core.extension ? ", extension" : "");
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
  print_out("Networks:\n");
  for (const std::string& name : installed_network_files()) print_out("\t{}\n", name);
  print_out("Build:\n");
  for (const auto& [key, value] : build_facts()) print_out("\t{:<16}: {}\n", key, value);
}

void print_json() {
  using Json = nlohmann::ordered_json;
  Json json = {{"devices", Json::array()},
               {"cores", Json::array()},
               {"memories", installed_config_names("memories")},
               {"networks", installed_network_files()},
               {"build", Json::object()}};
  for (const auto& [scheme, kind] : driver::registered_devices()) json["devices"].push_back(scheme);
  for (const std::string& name : installed_core_names()) {
    json["cores"].push_back(Json::parse(to_json(load_core_config(name))));
  }
  for (const auto& [key, value] : build_facts()) json["build"][key] = value;
  print_out("{}\n", json.dump(2));
}

}  // namespace

void add_info(Tool& tool) {
  Command command =
      tool.subcommand("info", "List devices, cores, memories, networks and build settings");
  const auto json = std::make_shared<bool>(false);
  command.flag("--json", *json, "Print one JSON object");
  command.example("vta-sim info --json");
  command.action([json] { *json ? print_json() : print_text(); });
}

}  // namespace vta::sim
