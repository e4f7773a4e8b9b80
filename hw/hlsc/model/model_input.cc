// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/model/model_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/errors/error.h"
#include "hw/hlsc/ir/walk.h"
#include "hw/hlsc/schedule/counter_operations.h"

namespace vta::hlsc::model {

using ir::ObjectId;
using ir::ObjectKind;
using ir::Op;
using ir::Opcode;
using ir::ValueId;

namespace {

const char* prefix(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kRam:
      return "ram_";
    case ObjectKind::kRegister:
      return "register_";
    case ObjectKind::kInput:
      return "input_";
    case ObjectKind::kStream:
      return "stream_";
    case ObjectKind::kReadPort:
    case ObjectKind::kWritePort:
      return "dram_";
  }
  VTA_ASSERT(false, "a kind of object without a prefix");
  return "";
}

}  // namespace

std::optional<SharedPort> shared_port(const ModelInput& input, ObjectId ram, size_t process,
                                      Opcode access) {
  const bind::RamPorts& ports = input.rams.at(ram);
  const std::string& name = input.design.objects[ram].name;
  const std::vector<size_t> clients = ports.clients(process, access);
  if (clients.empty()) return std::nullopt;
  const char* prefix = ports.is_true_dual_port      ? "port_"
                       : access == Opcode::kRamRead ? "reads_port_"
                                                    : "writes_port_";
  return SharedPort{prefix + name, clients};
}

std::vector<SharedPort> shared_ports(const ModelInput& input, ObjectId ram) {
  const bind::RamPorts& ports = input.rams.at(ram);
  std::vector<SharedPort> shared;
  const auto add = [&](size_t process, Opcode access) {
    const auto port = shared_port(input, ram, process, access);
    const auto is_same = [&](const SharedPort& other) { return other.arbiter == port->arbiter; };
    if (port && std::none_of(shared.begin(), shared.end(), is_same)) shared.push_back(*port);
  };
  for (size_t process : ports.readers) add(process, Opcode::kRamRead);
  for (size_t process : ports.writers) add(process, Opcode::kRamWrite);
  return shared;
}

// Names start with the kind of object, so they cannot clash with each other or with a keyword.
std::string object_name(const ir::Object& object) { return prefix(object.kind) + object.name; }

std::string object_number(const ir::Object& object) { return "number_of_" + object.name; }

std::string content_type(const ModelInput& input, ObjectId object) {
  const uint32_t width = input.design.objects[object].width;
  return input.slice.contents[object] && width > 0 ? fmt::format("bits<{}>", width) : "NoContent";
}

std::map<ObjectId, uint32_t> late_registers(const ModelInput& input) {
  std::map<ObjectId, uint32_t> late;
  for (size_t p = 0; p < input.design.processes.size(); ++p) {
    const ir::Process& process = input.design.processes[p];
    for (const auto& [outermost, nest] : input.schedule.processes[p].nests) {
      std::set<ObjectId> read, written;
      schedule::for_each_counter_operation(nest.levels, [&](ValueId value) {
        const Op& op = process.ops[value];
        if (op.opcode == Opcode::kRegisterRead) read.insert(op.object);
      });
      ir::for_each_op(nest.levels.back()->body, [&](ValueId value) {
        const Op& op = process.ops[value];
        if (op.opcode == Opcode::kRegisterWrite) written.insert(op.object);
      });
      for (ObjectId id : read) {
        if (written.contains(id)) late[id] = std::max(late[id], nest.stages + 2);
      }
    }
  }
  return late;
}

}  // namespace vta::hlsc::model
