// SPDX-License-Identifier: Apache-2.0
//
// What a process does at its ports, gathered from its states and stages, and the assignments that
// follow from it.
#ifndef VTA_HW_HLSC_EMIT_PORTS_H_
#define VTA_HW_HLSC_EMIT_PORTS_H_

#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/bind/ram_ports.h"
#include "hw/hlsc/emit/context.h"

namespace vta::hlsc::emit {

// An access of one state or stage. `wanted` does not depend on whether the port is free; `happens`
// is true in the one cycle of the access.
struct Access {
  std::string wanted, happens;
  std::string address;      // RAM
  std::string lanes, data;  // RAM: enables, word; stream: the item
};

class Ports {
 public:
  Ports(const ir::Design& design, const std::map<ir::ObjectId, bind::RamPorts>& rams,
        size_t process);

  void pop(ir::ObjectId stream, const std::string& happens) {
    pops_[name(stream)].push_back(happens);
  }
  void push(ir::ObjectId stream, Access access) {
    pushes_[name(stream)].push_back(std::move(access));
  }
  void pop_beat(ir::ObjectId port, const std::string& happens);
  void push_request(ir::ObjectId port, Access access);
  void push_beat(ir::ObjectId port, Access access);
  void read_ram(ir::ObjectId ram, Access access) { reads_[ram].push_back(std::move(access)); }
  void write_ram(ir::ObjectId ram, Access access) { writes_[ram].push_back(std::move(access)); }

  // The process stands still because of the operation's object.
  void wait(const ir::Op& op, const std::string& when) {
    waits_[op.object].push_back("(" + when + ")");
  }

  // Whether the operation could go on, apart from its predicate.
  std::string ready(const ir::Op& op) const;
  // The item or beat that the operation takes.
  std::string item(const ir::Op& op) const;

  std::string assignments() const;

 private:
  const std::string& name(ir::ObjectId object) const { return design_.objects[object].name; }
  std::string ram_read(ir::ObjectId ram, const std::vector<Access>& accesses) const;
  std::string ram_write(ir::ObjectId ram, const std::vector<Access>& accesses) const;

  const ir::Design& design_;
  const std::map<ir::ObjectId, bind::RamPorts>& rams_;
  size_t process_;
  std::map<std::string, std::vector<std::string>> pops_;
  std::map<std::string, std::vector<Access>> pushes_;
  std::map<ir::ObjectId, std::vector<Access>> reads_, writes_;
  std::map<ir::ObjectId, std::vector<std::string>> waits_;
};

// One port of a module, for its declaration and for the connections of the top.
enum class PortRole : uint8_t { kObject, kWaits };
struct Port {
  bool output = false;
  uint32_t width = 1;
  std::string name;
  ir::ObjectId object = ir::kNoObject;
  PortRole role = PortRole::kObject;
};
// In a fixed order: clk, rst, then by object.
std::vector<Port> module_ports(const ir::Design& design,
                               const std::map<ir::ObjectId, bind::RamPorts>& rams, size_t process);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_PORTS_H_
