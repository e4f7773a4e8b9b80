// SPDX-License-Identifier: Apache-2.0
//
// The accesses of a process at its ports, from all states and stages, and the continuous
// assignments that drive the ports.
#ifndef VTA_HW_HLSC_EMIT_PORTS_H_
#define VTA_HW_HLSC_EMIT_PORTS_H_

#include <map>
#include <string>
#include <vector>

#include "hw/hlsc/bind/ram_ports.h"
#include "hw/hlsc/emit/context.h"

namespace vta::hlsc::emit {

// Bits of a burst's request at a port: the address, and above it the number of beats.
constexpr uint32_t kBeatCountBits = 16;
constexpr uint32_t kRequestBits = ir::kRequestOperandBits + kBeatCountBits;

// An access of one state or stage. `wanted` does not depend on whether the port is free; `happens`
// is true in the one cycle of the access.
struct Access {
  Expression wanted{}, happens{};
  Expression address{};        // RAM
  Expression lanes{}, data{};  // RAM: enables, word; stream: the item
};

class Ports {
 public:
  Ports(const ir::Design& design, const std::map<ir::ObjectId, bind::RamPorts>& rams,
        size_t process);

  void pop(ir::ObjectId stream, const Expression& happens) {
    pops_[name(stream)].push_back(happens);
  }
  void push(ir::ObjectId stream, Access access) {
    pushes_[name(stream)].push_back(std::move(access));
  }
  void pop_beat(ir::ObjectId port, const Expression& happens);
  void push_request(ir::ObjectId port, Access access);
  void push_beat(ir::ObjectId port, Access access);
  void read_ram(ir::ObjectId ram, Access access) { reads_[ram].push_back(std::move(access)); }
  void write_ram(ir::ObjectId ram, Access access) { writes_[ram].push_back(std::move(access)); }

  // The process stalls on the operation's object.
  void wait(const ir::Op& op, const Expression& when) {
    waits_[op.object].push_back(rtl::parentheses(when));
  }

  // Whether the operation could proceed, apart from its predicate.
  Expression ready(const ir::Op& op) const;
  // The item or beat that the operation takes.
  Expression item(const ir::Op& op) const;

  // `ended`: the process has halted.
  std::vector<rtl::Item> assignments(const Expression& ended) const;

 private:
  const std::string& name(ir::ObjectId object) const { return design_.objects[object].name; }
  using Items = std::vector<rtl::Item>;
  void ram_read(ir::ObjectId ram, const std::vector<Access>& accesses, Items& items) const;
  void ram_write(ir::ObjectId ram, const std::vector<Access>& accesses, Items& items) const;
  // Whether the process stalls on the object.
  Expression waits(ir::ObjectId object) const;

  const ir::Design& design_;
  const std::map<ir::ObjectId, bind::RamPorts>& rams_;
  size_t process_;
  std::map<std::string, std::vector<Expression>> pops_;
  std::map<std::string, std::vector<Access>> pushes_;
  std::map<ir::ObjectId, std::vector<Access>> reads_, writes_;
  std::map<ir::ObjectId, std::vector<Expression>> waits_;
};

// A signal of a stream at the module that reads or writes the stream; an output is driven by that
// module. Width 0 (tokens): no data.
struct StreamSignal {
  std::string suffix;
  uint32_t width;
  bool is_output;
};
std::vector<StreamSignal> reader_signals(uint32_t width);  // _data, _empty, _pop
std::vector<StreamSignal> writer_signals(uint32_t width);  // _data, _full, _push

enum class PortRole : uint8_t {
  kClock,   // clk or rst
  kObject,  // a signal of Port::object
  kWaits,   // 1 while the process stalls on Port::object
  kEnded,   // 1 after a halt
};

// A port of a process module, for its declaration and for its connection in the top.
struct ProcessPort {
  bool is_output = false;
  uint32_t width = 1;
  std::string name;
  PortRole role = PortRole::kClock;
  ir::ObjectId object = ir::kNoObject;
};
// In a fixed order: clk, rst, by object, the waits by object, ended.
std::vector<ProcessPort> module_ports(const ir::Design& design,
                                      const std::map<ir::ObjectId, bind::RamPorts>& rams,
                                      size_t process);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_PORTS_H_
