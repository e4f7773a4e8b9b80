// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/ports.h"

#include <fmt/format.h>

#include <functional>
#include <set>
#include <utility>

#include "base/errors/error.h"
#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

using ir::Object;
using ir::ObjectId;
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
  const char* blocked = ir::takes(op.opcode) ? "_empty" : "_full";
  switch (ir::info(op.opcode).channel) {
    case ir::Channel::kStream:
      return ~rtl::net(object + blocked);
    case ir::Channel::kRequests:
      return ~rtl::net(object + "_request" + blocked);
    case ir::Channel::kBeats:
      return ~rtl::net(object + "_beat" + blocked);
    case ir::Channel::kResponses:
      return rtl::net(object + "_idle");
    case ir::Channel::kNoChannel:
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

Expression Ports::waits(ObjectId object) const {
  const auto found = waits_.find(object);
  return found == waits_.end() ? rtl::literal_text("1'b0", 1) : any(found->second);
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
  for (const ProcessPort& port : module_ports(design_, rams_, process_)) {
    switch (port.role) {
      case PortRole::kClock:
      case PortRole::kObject:
        break;
      case PortRole::kWaits:
        items.push_back(assign(port.name, waits(port.object)));
        break;
      case PortRole::kEnded:
        items.push_back(assign(port.name, ended));
        break;
    }
  }
  return items;
}

namespace {

class PortList {
 public:
  PortList(const ir::Design& design, const std::map<ObjectId, bind::RamPorts>& rams, size_t process)
      : design_(design), rams_(rams), process_(process) {
    for (const ir::Op& op : design.processes[process].ops) {
      if (op.object != ir::kNoObject) uses_.emplace(op.object, op.opcode);
      halts_ |= op.opcode == Opcode::kHalt;
    }
  }

  std::vector<ProcessPort> run() {
    ports_ = {{false, 1, "clk", PortRole::kClock}, {false, 1, "rst", PortRole::kClock}};
    for (const auto& [object, opcode] : uses_) add_signals(object, opcode);
    for (const auto& [object, opcode] : uses_) {
      if (!waits(object, opcode)) continue;
      add({true, 1, "waits_" + design_.objects[object].name, PortRole::kWaits, object});
    }
    if (halts_) add({true, 1, "ended", PortRole::kEnded});
    return std::move(ports_);
  }

 private:
  bool waits(ObjectId object, Opcode opcode) const {
    if (opcode == Opcode::kRamRead || opcode == Opcode::kRamWrite)
      return rams_.at(object).may_wait(process_, opcode);
    return ir::accesses_channel(opcode);
  }

  // Operations on one object may have signals in common.
  void add(ProcessPort port) {
    if (names_.insert(port.name).second) ports_.push_back(std::move(port));
  }
  void add(ObjectId object, bool is_output, uint32_t width, const std::string& suffix) {
    add({is_output, width, design_.objects[object].name + suffix, PortRole::kObject, object});
  }
  void add(ObjectId object, const std::string& suffix, const std::vector<StreamSignal>& signals) {
    for (const StreamSignal& signal : signals)
      add(object, signal.is_output, signal.width, suffix + signal.suffix);
  }

  void add_signals(ObjectId id, Opcode opcode) {
    const uint32_t width = design_.objects[id].width;
    switch (opcode) {
      case Opcode::kRamRead:
        return add_ram_read(id);
      case Opcode::kRamWrite:
        return add_ram_write(id);
      case Opcode::kRegisterWrite:
        return add(id, true, width, "");
      case Opcode::kRegisterRead:
        if (uses_.contains({id, Opcode::kRegisterWrite})) return;
        return add(id, false, width, "");
      case Opcode::kInputRead:
        return add(id, false, width, "");
      case Opcode::kStreamRead:
        return add(id, "", reader_signals(width));
      case Opcode::kStreamWrite:
        return add(id, "", writer_signals(width));
      case Opcode::kReadRequest:
      case Opcode::kWriteRequest:
        return add(id, "_request", writer_signals(kRequestBits));
      case Opcode::kReadBeat:
        return add(id, "_beat", reader_signals(ir::kBeatBits));
      case Opcode::kWriteBeat:
        return add(id, "_beat", writer_signals(ir::kBeatBits));
      case Opcode::kWriteWait:
        return add(id, false, 1, "_idle");
      case Opcode::kHalt:
      VTA_HLSC_CASES_OF_PURE:
        return;
    }
  }

  void add_ram_read(ObjectId id) {
    const Object& ram = design_.objects[id];
    const bind::RamPorts& ports = rams_.at(id);
    if (ports.is_shared(process_, Opcode::kRamRead)) add(id, true, 1, "_rreq");
    if (ports.may_wait(process_, Opcode::kRamRead)) add(id, false, 1, "_rgnt");
    add(id, true, 1, "_re");
    add(id, true, bind::address_bits(ram), "_ra");
    add(id, false, ram.width, "_rq");
  }

  void add_ram_write(ObjectId id) {
    const Object& ram = design_.objects[id];
    const bind::RamPorts& ports = rams_.at(id);
    if (ports.is_shared(process_, Opcode::kRamWrite)) add(id, true, 1, "_wreq");
    if (ports.may_wait(process_, Opcode::kRamWrite)) add(id, false, 1, "_wgnt");
    add(id, true, bind::num_lanes(ram), "_we");
    add(id, true, bind::address_bits(ram), "_wa");
    add(id, true, ram.width, "_wd");
  }

  const ir::Design& design_;
  const std::map<ObjectId, bind::RamPorts>& rams_;
  const size_t process_;
  std::set<std::pair<ObjectId, Opcode>> uses_;
  bool halts_ = false;
  std::vector<ProcessPort> ports_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<StreamSignal> reader_signals(uint32_t width) {
  std::vector<StreamSignal> signals{
      {"_data", width, false}, {"_empty", 1, false}, {"_pop", 1, true}};
  if (width == 0) signals.erase(signals.begin());
  return signals;
}

std::vector<StreamSignal> writer_signals(uint32_t width) {
  std::vector<StreamSignal> signals{
      {"_data", width, true}, {"_full", 1, false}, {"_push", 1, true}};
  if (width == 0) signals.erase(signals.begin());
  return signals;
}

std::vector<ProcessPort> module_ports(const ir::Design& design,
                                      const std::map<ObjectId, bind::RamPorts>& rams,
                                      size_t process) {
  return PortList(design, rams, process).run();
}

}  // namespace vta::hlsc::emit
