// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/top_module.h"

#include <fmt/format.h>

#include <bit>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/emit/ports.h"
#include "hw/hlsc/emit/top_rams.h"
#include "hw/hlsc/rtl/verify.h"

namespace vta::hlsc::emit {
namespace {

using ir::Object;
using ir::ObjectId;
using ir::ObjectKind;
using ir::Opcode;

// A signal of an AXI master of the top: the channels that the adapters of hw/rtl use, and `error`.
struct AxiSignal {
  const char* suffix;
  uint32_t width;
  bool is_output;
};
constexpr AxiSignal kAxiRead[] = {
    {"_arvalid", 1, true}, {"_arready", 1, false}, {"_araddr", 32, true}, {"_arlen", 8, true},
    {"_rvalid", 1, false}, {"_rready", 1, true},   {"_rdata", 64, false}, {"_rresp", 2, false},
    {"_rlast", 1, false},  {"_error", 1, true}};
constexpr AxiSignal kAxiWrite[] = {
    {"_awvalid", 1, true}, {"_awready", 1, false}, {"_awaddr", 32, true}, {"_awlen", 8, true},
    {"_wvalid", 1, true},  {"_wready", 1, false},  {"_wdata", 64, true},  {"_wlast", 1, true},
    {"_bvalid", 1, false}, {"_bready", 1, true},   {"_bresp", 2, false},  {"_error", 1, true}};

class Top {
 public:
  Top(const ir::Design& design, const std::map<ObjectId, bind::RamPorts>& rams,
      DramPorts dram_ports)
      : design_(design), rams_(rams), dram_ports_(dram_ports) {
    for (const ir::Process& process : design.processes) {
      for (const ir::Op& op : process.ops) {
        if (op.opcode == Opcode::kStreamRead) read_.insert(op.object);
        if (op.opcode == Opcode::kStreamWrite) written_.insert(op.object);
        if (op.opcode == Opcode::kRegisterWrite) written_.insert(op.object);
        if (op.object != ir::kNoObject) used_.insert(op.object);
      }
    }
  }

  rtl::Module module() {
    module_.name = design_.name;
    port(false, 1, "clk");
    port(false, 1, "rst");
    for (ObjectId id = 0; id < design_.objects.size(); ++id) {
      if (used_.contains(id)) object(id);
    }
    for (size_t process = 0; process < design_.processes.size(); ++process) instance(process);
    rtl::verify(module_);
    return std::move(module_);
  }

 private:
  void port(bool output, uint32_t width, const std::string& name) {
    module_.ports.push_back({output, false, width, name});
  }
  Expression wire(uint32_t width, const std::string& name) {
    module_.nets.push_back({rtl::NetKind::kWire, width, name, {}});
    return rtl::net(name, width);
  }

  void object(ObjectId id) {
    const Object& object = design_.objects[id];
    switch (object.kind) {
      case ObjectKind::kRegister:
        if (written_.contains(id)) {
          port(true, object.width, object.name);
        } else {  // only read
          module_.nets.push_back(
              {rtl::NetKind::kWire, object.width, object.name, reset_literal(object)});
        }
        return;
      case ObjectKind::kInput:
        return port(false, object.width, object.name);
      case ObjectKind::kStream:
        return stream(id);
      case ObjectKind::kReadPort:
      case ObjectKind::kWritePort:
        return dram_port(object);
      case ObjectKind::kRam:
        return add_top_ram(design_, id, rams_.at(id), module_);
    }
  }

  void inward(const std::string& name, uint32_t width) {
    for (const StreamSignal& signal : reader_signals(width))
      port(signal.is_output, signal.width, name + signal.suffix);
  }
  void outward(const std::string& name, uint32_t width) {
    for (const StreamSignal& signal : writer_signals(width))
      port(signal.is_output, signal.width, name + signal.suffix);
  }

  // The streams of a DRAM port, <object>_request and <object>_beat, as the processes see them.
  static std::vector<StreamSignal> dram_signals(const Object& object) {
    const bool reads = object.kind == ObjectKind::kReadPort;
    std::vector<StreamSignal> all;
    for (const StreamSignal& signal : writer_signals(kRequestBits))
      all.push_back({"_request" + signal.suffix, signal.width, signal.is_output});
    for (const StreamSignal& signal :
         reads ? reader_signals(ir::kBeatBits) : writer_signals(ir::kBeatBits))
      all.push_back({"_beat" + signal.suffix, signal.width, signal.is_output});
    if (!reads) all.push_back({"_idle", 1, false});
    return all;
  }

  void dram_port(const Object& object) {
    if (dram_ports_ == DramPorts::kAxi) return axi(object);
    for (const StreamSignal& signal : dram_signals(object))
      port(signal.is_output, signal.width, object.name + signal.suffix);
  }

  // An adapter of hw/rtl between the port's streams and an AXI master of the top.
  void axi(const Object& object) {
    const bool reads = object.kind == ObjectKind::kReadPort;
    rtl::Instance adapter{reads ? "hls_axi_read" : "hls_axi_write",
                          object.name + "_axi",
                          {{"BURSTS", object.depth}},
                          clock_and_reset()};
    const auto connect = [&](std::string_view suffix, uint32_t width) {
      adapter.connections.push_back(
          {std::string(suffix.substr(1)), rtl::net(object.name + std::string(suffix), width)});
    };
    for (const StreamSignal& signal : dram_signals(object)) {
      wire(signal.width, object.name + signal.suffix);
      connect(signal.suffix, signal.width);
    }
    for (const AxiSignal& signal :
         reads ? std::span<const AxiSignal>(kAxiRead) : std::span<const AxiSignal>(kAxiWrite)) {
      port(signal.is_output, signal.width, object.name + signal.suffix);
      connect(signal.suffix, signal.width);
    }
    module_.items.push_back(std::move(adapter));
  }
  static std::vector<rtl::Connection> clock_and_reset() {
    return {{"clk", rtl::net("clk")}, {"rst", rtl::net("rst")}};
  }

  void stream(ObjectId id) {
    const Object& object = design_.objects[id];
    if (!written_.contains(id)) return inward(object.name, object.width);
    if (!read_.contains(id)) return outward(object.name, object.width);
    const std::string& name = object.name;
    for (const char* suffix : {"_full", "_push", "_empty", "_pop"}) wire(1, name + suffix);
    rtl::Instance fifo{
        object.width == 0 ? "hls_tokens" : "hls_fifo", name + "_fifo", {}, clock_and_reset()};
    if (object.width != 0) fifo.parameters.push_back({"WIDTH", object.width});
    fifo.parameters.push_back({"DEPTH", object.depth});
    for (const char* signal : {"push", "full", "pop", "empty"})
      fifo.connections.push_back({signal, rtl::net(name + "_" + signal)});
    if (object.width == 0) {
      const uint32_t bits = static_cast<uint32_t>(std::bit_width(object.depth));
      port(true, bits, name + "_count");
      fifo.connections.push_back({"count", rtl::net(name + "_count", bits)});
    } else {
      fifo.connections.push_back({"din", wire(object.width, name + "_in")});
      fifo.connections.push_back({"dout", wire(object.width, name + "_out")});
    }
    module_.items.push_back(std::move(fifo));
  }

  void instance(size_t process) {
    const std::string& name = design_.processes[process].name;
    rtl::Instance instance{design_.name + "_" + name, "i_" + name, {}, {}};
    for (const ProcessPort& port : module_ports(design_, rams_, process)) {
      const std::string outer = outer_name(process, port);
      const bool is_status = port.role == PortRole::kWaits || port.role == PortRole::kEnded;
      if (is_status) this->port(true, 1, outer);
      instance.connections.push_back({port.name, rtl::net(outer, port.width)});
    }
    module_.items.push_back(std::move(instance));
  }

  // The net of the top that is connected to the port.
  std::string outer_name(size_t process, const ProcessPort& port) const {
    switch (port.role) {
      case PortRole::kClock:
        return port.name;
      case PortRole::kWaits:
      case PortRole::kEnded:
        return process_signal(design_, process, port.name);
      case PortRole::kObject:
        break;
    }
    const Object& object = design_.objects[port.object];
    if (object.kind == ObjectKind::kRam) return process_signal(design_, process, port.name);
    const bool inside = object.kind == ObjectKind::kStream && read_.contains(port.object) &&
                        written_.contains(port.object);
    // The two ends of a FIFO have data of their own.
    if (inside && port.name == object.name + "_data")
      return object.name + (port.is_output ? "_in" : "_out");
    return port.name;
  }

  const ir::Design& design_;
  const std::map<ObjectId, bind::RamPorts>& rams_;
  const DramPorts dram_ports_;
  std::set<ObjectId> read_, written_, used_;
  rtl::Module module_;
};

}  // namespace

rtl::Module top_module(const ir::Design& design, const std::map<ObjectId, bind::RamPorts>& rams,
                       DramPorts dram_ports) {
  return Top(design, rams, dram_ports).module();
}

}  // namespace vta::hlsc::emit
