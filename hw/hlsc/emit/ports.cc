// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/ports.h"

#include <fmt/format.h>

#include <functional>
#include <set>
#include <utility>

#include "hw/hlsc/emit/expression.h"
#include "runtime/base/error.h"

namespace vta::hlsc::emit {

using ir::Object;
using ir::ObjectId;
using ir::ObjectKind;
using ir::Opcode;

namespace {

Expression any_of(const std::vector<Access>& accesses, Expression Access::* member) {
  std::vector<Expression> terms;
  for (const Access& access : accesses) terms.push_back(access.*member);
  return any(terms);
}

// The member of the first access that is wanted; of the last if none is.
Expression chosen(const std::vector<Access>& accesses, Expression Access::* member) {
  Expression choice = accesses.back().*member;
  for (size_t i = accesses.size() - 1; i-- > 0;)
    choice = rtl::conditional(accesses[i].wanted, accesses[i].*member, choice);
  return choice;
}

using Uses = std::set<std::pair<ObjectId, Opcode>>;
void add_waits(const ir::Design& design, const std::map<ObjectId, bind::RamPorts>& rams,
               size_t process, const Uses& uses, std::vector<Port>& ports) {
  std::set<ObjectId> added;
  for (const auto& [id, opcode] : uses) {
    const bool is_ram_access = opcode == Opcode::kRamRead || opcode == Opcode::kRamWrite;
    const bool waits = is_ram_access ? rams.at(id).may_wait(process, opcode) : ir::may_wait(opcode);
    if (!waits) continue;
    if (added.insert(id).second)
      ports.push_back({true, 1, "waits_" + design.objects[id].name, id, PortRole::kWaits});
  }
}

rtl::Item assign(const std::string& target, const Expression& value, uint32_t width = 1) {
  return rtl::Assignment{rtl::net(target, width), value};
}

}  // namespace

Ports::Ports(const ir::Design& design, const std::map<ObjectId, bind::RamPorts>& rams,
             size_t process)
    : design_(design), rams_(rams), process_(process) {}

void Ports::pop_beat(ObjectId port, const Expression& happens) {
  pops_[name(port) + "_beat"].push_back(happens);
}
void Ports::push_request(ObjectId port, Access access) {
  pushes_[name(port) + "_request"].push_back(std::move(access));
}
void Ports::push_beat(ObjectId port, Access access) {
  pushes_[name(port) + "_beat"].push_back(std::move(access));
}

Expression Ports::ready(const ir::Op& op) const {
  const std::string& object = name(op.object);
  switch (op.opcode) {
    case Opcode::kStreamRead:
      return ~rtl::net(object + "_empty");
    case Opcode::kStreamWrite:
      return ~rtl::net(object + "_full");
    case Opcode::kReadRequest:
    case Opcode::kWriteRequest:
      return ~rtl::net(object + "_request_full");
    case Opcode::kReadBeat:
      return ~rtl::net(object + "_beat_empty");
    case Opcode::kWriteBeat:
      return ~rtl::net(object + "_beat_full");
    case Opcode::kWriteWait:
      return rtl::net(object + "_idle");
    case Opcode::kRamRead:
    case Opcode::kRamWrite:
    case Opcode::kRegisterRead:
    case Opcode::kRegisterWrite:
    case Opcode::kInputRead:
    case Opcode::kHalt:
    VTA_HLSC_CASES_OF_PURE:
      break;
  }
  VTA_ASSERT(false, "ready() of an operation that does not wait for its object");
  return {};
}

Expression Ports::item(const ir::Op& op) const {
  return rtl::net(name(op.object) + (op.opcode == Opcode::kReadBeat ? "_beat_data" : "_data"),
                  op.width);
}

void Ports::ram_read(ObjectId ram, const std::vector<Access>& accesses, Items& items) const {
  const std::string& m = name(ram);
  if (rams_.at(ram).is_shared(process_, Opcode::kRamRead))
    items.push_back(assign(m + "_rreq", any_of(accesses, &Access::wanted)));
  items.push_back(assign(m + "_re", any_of(accesses, &Access::happens)));
  items.push_back(assign(m + "_ra", chosen(accesses, &Access::address),
                         bind::address_bits(design_.objects[ram])));
}

void Ports::ram_write(ObjectId ram, const std::vector<Access>& accesses, Items& items) const {
  const std::string& m = name(ram);
  const Object& object = design_.objects[ram];
  const uint32_t lanes = bind::num_lanes(object);
  if (rams_.at(ram).is_shared(process_, Opcode::kRamWrite))
    items.push_back(assign(m + "_wreq", any_of(accesses, &Access::wanted)));
  std::vector<Expression> enables;
  for (const Access& access : accesses)
    enables.push_back(rtl::parentheses(for_lanes(lanes, access.happens) & access.lanes));
  items.push_back(assign(m + "_we", any(enables), lanes));
  items.push_back(
      assign(m + "_wa", chosen(accesses, &Access::address), bind::address_bits(object)));
  items.push_back(assign(m + "_wd", chosen(accesses, &Access::data), object.width));
}

std::vector<rtl::Item> Ports::assignments(const Expression& ended) const {
  Items items;
  for (const auto& [stream, terms] : pops_) items.push_back(assign(stream + "_pop", any(terms)));
  for (const auto& [stream, accesses] : pushes_) {
    items.push_back(assign(stream + "_push", any_of(accesses, &Access::happens)));
    if (accesses[0].data.empty()) continue;
    const Expression data = chosen(accesses, &Access::data);
    items.push_back(assign(stream + "_data", data, data.width()));
  }
  for (const auto& [ram, accesses] : reads_) ram_read(ram, accesses, items);
  for (const auto& [ram, accesses] : writes_) ram_write(ram, accesses, items);
  for (const Port& port : module_ports(design_, rams_, process_)) {
    if (port.role != PortRole::kWaits) continue;
    const auto found = waits_.find(port.object);
    const bool is_end = port.object == ir::kNoObject;
    items.push_back(assign(port.name, is_end                  ? ended
                                      : found == waits_.end() ? rtl::literal_text("1'b0", 1)
                                                              : any(found->second)));
  }
  return items;
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
        if (ram.is_shared(process, opcode)) add(true, 1, "_rreq");
        if (ram.may_wait(process, opcode)) add(false, 1, "_rgnt");
        add(true, 1, "_re");
        add(true, bind::address_bits(object), "_ra");
        add(false, object.width, "_rq");
        break;
      }
      case Opcode::kRamWrite: {
        const bind::RamPorts& ram = rams.at(id);
        if (ram.is_shared(process, opcode)) add(true, 1, "_wreq");
        if (ram.may_wait(process, opcode)) add(false, 1, "_wgnt");
        add(true, bind::num_lanes(object), "_we");
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
        writes("_request", kRequestBits);
        break;
      case Opcode::kReadBeat:
        reads("_beat", ir::kBeatBits);
        break;
      case Opcode::kWriteBeat:
        writes("_beat", ir::kBeatBits);
        break;
      case Opcode::kWriteWait:
        add(false, 1, "_idle");
        break;
      case Opcode::kHalt:
      VTA_HLSC_CASES_OF_PURE:
        break;
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
