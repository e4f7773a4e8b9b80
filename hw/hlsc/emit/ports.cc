// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/ports.h"

#include <fmt/format.h>

#include <functional>
#include <set>
#include <utility>

#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

using ir::Object;
using ir::ObjectId;
using ir::ObjectKind;
using ir::Opcode;

namespace {

std::string any_of(const std::vector<Access>& accesses, std::string Access::* member) {
  std::vector<std::string> terms;
  for (const Access& access : accesses) terms.push_back(access.*member);
  return any(terms);
}

// The member of the access that is wanted; of the last if none is.
std::string chosen(const std::vector<Access>& accesses, std::string Access::* member) {
  std::string text;
  for (size_t i = 0; i + 1 < accesses.size(); ++i)
    text += fmt::format("{} ? {} : ", accesses[i].wanted, accesses[i].*member);
  return text + accesses.back().*member;
}

using Uses = std::set<std::pair<ObjectId, Opcode>>;
void add_waits(const ir::Design& design, const std::map<ObjectId, bind::RamPorts>& rams,
               size_t process, const Uses& uses, std::vector<Port>& ports) {
  std::set<ObjectId> added;
  for (const auto& [id, opcode] : uses) {
    const bool ram_waits = (opcode == Opcode::kRamRead && rams.at(id).read_waits(process)) ||
                           (opcode == Opcode::kRamWrite && rams.at(id).write_waits(process));
    if (!ram_waits && !ir::may_wait(opcode)) continue;
    if (added.insert(id).second)
      ports.push_back({true, 1, "waits_" + design.objects[id].name, id, PortRole::kWaits});
  }
}

std::string assign(const std::string& target, const std::string& value) {
  return fmt::format("  assign {} = {};\n", target, value);
}

}  // namespace

Ports::Ports(const ir::Design& design, const std::map<ObjectId, bind::RamPorts>& rams,
             size_t process)
    : design_(design), rams_(rams), process_(process) {}

void Ports::pop_beat(ObjectId port, const std::string& happens) {
  pops_[name(port) + "_beat"].push_back(happens);
}
void Ports::push_request(ObjectId port, Access access) {
  pushes_[name(port) + "_request"].push_back(std::move(access));
}
void Ports::push_beat(ObjectId port, Access access) {
  pushes_[name(port) + "_beat"].push_back(std::move(access));
}

std::string Ports::ready(const ir::Op& op) const {
  switch (op.opcode) {
    case Opcode::kStreamRead:
      return fmt::format("~{}_empty", name(op.object));
    case Opcode::kStreamWrite:
      return fmt::format("~{}_full", name(op.object));
    case Opcode::kReadRequest:
    case Opcode::kWriteRequest:
      return fmt::format("~{}_request_full", name(op.object));
    case Opcode::kReadBeat:
      return fmt::format("~{}_beat_empty", name(op.object));
    case Opcode::kWriteBeat:
      return fmt::format("~{}_beat_full", name(op.object));
    default:
      return fmt::format("{}_idle", name(op.object));
  }
}

std::string Ports::item(const ir::Op& op) const {
  return name(op.object) + (op.opcode == Opcode::kReadBeat ? "_beat_data" : "_data");
}

std::string Ports::ram_read(ObjectId ram, const std::vector<Access>& accesses) const {
  const std::string& m = name(ram);
  std::string text;
  if (rams_.at(ram).read_asks(process_))
    text += assign(m + "_rreq", any_of(accesses, &Access::wanted));
  text += assign(m + "_re", any_of(accesses, &Access::happens));
  return text + assign(m + "_ra", chosen(accesses, &Access::address));
}

std::string Ports::ram_write(ObjectId ram, const std::vector<Access>& accesses) const {
  const std::string& m = name(ram);
  const uint32_t lanes = design_.objects[ram].width / design_.objects[ram].lane_width;
  std::string text;
  if (rams_.at(ram).write_asks(process_))
    text += assign(m + "_wreq", any_of(accesses, &Access::wanted));
  std::vector<std::string> enables;
  for (const Access& access : accesses) {
    const std::string mask =
        lanes == 1 ? fmt::format("{} & {}", access.happens, access.lanes)
                   : fmt::format("{{{}{{{}}}}} & {}", lanes, access.happens, access.lanes);
    enables.push_back("(" + mask + ")");
  }
  text += assign(m + "_we", any(enables));
  text += assign(m + "_wa", chosen(accesses, &Access::address));
  return text + assign(m + "_wd", chosen(accesses, &Access::data));
}

std::string Ports::assignments() const {
  std::string text;
  for (const auto& [stream, terms] : pops_) text += assign(stream + "_pop", any(terms));
  for (const auto& [stream, accesses] : pushes_) {
    text += assign(stream + "_push", any_of(accesses, &Access::happens));
    if (!accesses[0].data.empty())
      text += assign(stream + "_data", chosen(accesses, &Access::data));
  }
  for (const auto& [ram, accesses] : reads_) text += ram_read(ram, accesses);
  for (const auto& [ram, accesses] : writes_) text += ram_write(ram, accesses);
  for (const Port& port : module_ports(design_, rams_, process_)) {
    if (port.role != PortRole::kWaits) continue;
    if (port.object == ir::kNoObject) {
      text += assign(port.name, "hls_state == S_END");
      continue;
    }
    const auto found = waits_.find(port.object);
    text += assign(port.name, found == waits_.end() ? "1'b0" : any(found->second));
  }
  return text;
}

std::vector<Port> module_ports(const ir::Design& design,
                               const std::map<ObjectId, bind::RamPorts>& rams, size_t process) {
  std::set<std::pair<ObjectId, Opcode>> uses;
  for (const ir::Op& op : design.processes[process].ops) {
    if (op.object != ir::kNoObject) uses.emplace(op.object, op.opcode);
  }
  std::vector<Port> ports{{false, 1, "clk", ir::kNoObject}, {false, 1, "rst", ir::kNoObject}};
  std::set<std::string> names;
  for (const auto& [id, opcode] : uses) {
    const Object& object = design.objects[id];
    const auto add = [&, at = id](bool output, uint32_t width, const std::string& suffix) {
      const std::string name = object.name + suffix;
      if (names.insert(name).second) ports.push_back({output, width, name, at});
    };
    const auto reads = [&](const std::string& stream, uint32_t width) {
      if (width != 0) add(false, width, stream + "_data");
      add(false, 1, stream + "_empty");
      add(true, 1, stream + "_pop");
    };
    const auto writes = [&](const std::string& stream, uint32_t width) {
      if (width != 0) add(true, width, stream + "_data");
      add(false, 1, stream + "_full");
      add(true, 1, stream + "_push");
    };
    switch (opcode) {
      case Opcode::kRamRead: {
        const bind::RamPorts& ram = rams.at(id);
        if (ram.read_asks(process)) add(true, 1, "_rreq");
        if (ram.read_waits(process)) add(false, 1, "_rgnt");
        add(true, 1, "_re");
        add(true, bind::address_bits(object), "_ra");
        add(false, object.width, "_rq");
        break;
      }
      case Opcode::kRamWrite: {
        const bind::RamPorts& ram = rams.at(id);
        if (ram.write_asks(process)) add(true, 1, "_wreq");
        if (ram.write_waits(process)) add(false, 1, "_wgnt");
        add(true, object.width / object.lane_width, "_we");
        add(true, bind::address_bits(object), "_wa");
        add(true, object.width, "_wd");
        break;
      }
      case Opcode::kRegisterWrite:
        add(true, object.width, "");
        break;
      case Opcode::kRegisterRead:
        if (!uses.contains({id, Opcode::kRegisterWrite})) add(false, object.width, "");
        break;
      case Opcode::kInputRead:
        add(false, object.width, "");
        break;
      case Opcode::kStreamRead:
        reads("", object.width);
        break;
      case Opcode::kStreamWrite:
        writes("", object.width);
        break;
      case Opcode::kReadRequest:
      case Opcode::kWriteRequest:
        writes("_request", 48);
        break;
      case Opcode::kReadBeat:
        reads("_beat", 64);
        break;
      case Opcode::kWriteBeat:
        writes("_beat", 64);
        break;
      default:
        add(false, 1, "_idle");
    }
  }
  add_waits(design, rams, process, uses, ports);
  for (const ir::Op& op : design.processes[process].ops) {
    if (op.opcode != Opcode::kHalt) continue;
    ports.push_back({true, 1, "ended", ir::kNoObject, PortRole::kWaits});
    break;
  }
  return ports;
}

}  // namespace vta::hlsc::emit
