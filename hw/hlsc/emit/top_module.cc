// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/top_module.h"

#include <fmt/format.h>

#include <bit>
#include <set>
#include <span>
#include <vector>

#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/emit/ports.h"

namespace vta::hlsc::emit {
namespace {

using ir::Object;
using ir::ObjectId;
using ir::ObjectKind;
using ir::Opcode;

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

  std::string text() {
    for (ObjectId id = 0; id < design_.objects.size(); ++id) {
      if (used_.contains(id)) object(id);
    }
    for (size_t process = 0; process < design_.processes.size(); ++process) instance(process);
    return fmt::format("module {} (\n  input wire clk,\n  input wire rst{}\n);\n{}{}endmodule\n",
                       design_.name, ports_, wires_, instances_);
  }

 private:
  void port(bool output, uint32_t width, const std::string& name) {
    ports_ += fmt::format(",\n  {} wire {}{}", output ? "output" : "input", range(width), name);
  }
  void wire(uint32_t width, const std::string& name) {
    wires_ += fmt::format("  wire {}{};\n", range(width), name);
  }

  void object(ObjectId id) {
    const Object& object = design_.objects[id];
    switch (object.kind) {
      case ObjectKind::kRegister:
        if (written_.contains(id)) {
          port(true, object.width, object.name);
        } else {  // read, and 0 for ever
          wires_ +=
              fmt::format("  wire {}{} = {}'d0;\n", range(object.width), object.name, object.width);
        }
        return;
      case ObjectKind::kInput:
        return port(false, object.width, object.name);
      case ObjectKind::kStream:
        return stream(id);
      case ObjectKind::kReadPort:
        if (dram_ports_ == DramPorts::kAxi) return axi_read(object);
        outward(object.name + "_request", 48);
        return inward(object.name + "_beat", 64);
      case ObjectKind::kWritePort:
        if (dram_ports_ == DramPorts::kAxi) return axi_write(object);
        outward(object.name + "_request", 48);
        outward(object.name + "_beat", 64);
        return port(false, 1, object.name + "_idle");
      default:
        return ram(id);
    }
  }

  void inward(const std::string& name, uint32_t width) {
    if (width != 0) port(false, width, name + "_data");
    port(false, 1, name + "_empty");
    port(true, 1, name + "_pop");
  }
  void outward(const std::string& name, uint32_t width) {
    if (width != 0) port(true, width, name + "_data");
    port(false, 1, name + "_full");
    port(true, 1, name + "_push");
  }

  struct Signal {
    const char* name;
    uint32_t width;
    bool output;
  };
  // An adaptor of hw/rtl between a port's streams and an AXI master of the top.
  void axi(const Object& object, const char* module, std::span<const Signal> streams,
           std::span<const Signal> master) {
    std::string connections = ".clk(clk), .rst(rst)";
    for (const Signal& signal : streams) {
      wire(signal.width, object.name + signal.name);
      connections += fmt::format(", .{}({}{})", signal.name + 1, object.name, signal.name);
    }
    for (const Signal& signal : master) {
      port(signal.output, signal.width, object.name + signal.name);
      connections += fmt::format(", .{}({}{})", signal.name + 1, object.name, signal.name);
    }
    instances_ += fmt::format("  {} #(.BURSTS({})) {}_axi ({});\n", module, object.depth,
                              object.name, connections);
  }
  void axi_read(const Object& object) {
    static constexpr Signal kStreams[] = {{"_request_data", 48, true}, {"_request_full", 1, true},
                                          {"_request_push", 1, true},  {"_beat_data", 64, true},
                                          {"_beat_empty", 1, true},    {"_beat_pop", 1, true}};
    static constexpr Signal kMaster[] = {
        {"_arvalid", 1, true}, {"_arready", 1, false}, {"_araddr", 32, true}, {"_arlen", 8, true},
        {"_rvalid", 1, false}, {"_rready", 1, true},   {"_rdata", 64, false}, {"_rresp", 2, false},
        {"_rlast", 1, false},  {"_error", 1, true}};
    axi(object, "hls_axi_read", kStreams, kMaster);
  }
  void axi_write(const Object& object) {
    static constexpr Signal kStreams[] = {{"_request_data", 48, true}, {"_request_full", 1, true},
                                          {"_request_push", 1, true},  {"_beat_data", 64, true},
                                          {"_beat_full", 1, true},     {"_beat_push", 1, true},
                                          {"_idle", 1, true}};
    static constexpr Signal kMaster[] = {
        {"_awvalid", 1, true}, {"_awready", 1, false}, {"_awaddr", 32, true}, {"_awlen", 8, true},
        {"_wvalid", 1, true},  {"_wready", 1, false},  {"_wdata", 64, true},  {"_wlast", 1, true},
        {"_bvalid", 1, false}, {"_bready", 1, true},   {"_bresp", 2, false},  {"_error", 1, true}};
    axi(object, "hls_axi_write", kStreams, kMaster);
  }

  void stream(ObjectId id) {
    const Object& object = design_.objects[id];
    if (!written_.contains(id)) return inward(object.name, object.width);
    if (!read_.contains(id)) return outward(object.name, object.width);
    for (const char* suffix : {"_full", "_push", "_empty", "_pop"}) wire(1, object.name + suffix);
    const std::string common = fmt::format(
        ".clk(clk), .rst(rst), .push({0}_push), .full({0}_full), .pop({0}_pop), .empty({0}_empty)",
        object.name);
    if (object.width == 0) {
      port(true, static_cast<uint32_t>(std::bit_width(object.depth)), object.name + "_count");
      instances_ += fmt::format("  hls_tokens #(.DEPTH({})) {}_fifo ({}, .count({}_count));\n",
                                object.depth, object.name, common, object.name);
      return;
    }
    wire(object.width, object.name + "_in");
    wire(object.width, object.name + "_out");
    instances_ += fmt::format(
        "  hls_fifo #(.WIDTH({}), .DEPTH({})) {}_fifo ({}, .din({}_in), .dout({}_out));\n",
        object.width, object.depth, object.name, common, object.name, object.name);
  }

  // A process's own signal at a RAM.
  std::string of(size_t process, const std::string& signal) const {
    return design_.processes[process].name + "_" + signal;
  }

  void ram(ObjectId id) {
    const Object& object = design_.objects[id];
    const bind::RamPorts& ports = rams_.at(id);
    const uint32_t address = bind::address_bits(object), lanes = object.width / object.lane_width;
    for (size_t process : ports.readers) {
      if (ports.read_asks(process)) wire(1, of(process, object.name + "_rreq"));
      if (ports.read_waits(process)) wire(1, of(process, object.name + "_rgnt"));
      wire(1, of(process, object.name + "_re"));
      wire(address, of(process, object.name + "_ra"));
      wire(object.width, of(process, object.name + "_rq"));
    }
    for (size_t process : ports.writers) {
      if (ports.write_asks(process)) wire(1, of(process, object.name + "_wreq"));
      if (ports.write_waits(process)) wire(1, of(process, object.name + "_wgnt"));
      wire(lanes, of(process, object.name + "_we"));
      wire(address, of(process, object.name + "_wa"));
      wire(object.width, of(process, object.name + "_wd"));
    }
    if (ports.two_ports) return ram_of_two_ports(object, ports);
    grants(object, ports.readers, "_r", "_ra");
    grants(object, ports.writers, "_w", "_wa");
    for (uint32_t bank = 0; bank < object.banks; ++bank) ram_bank(object, ports, bank);
    words(object, ports);
  }

  void assign(const std::string& target, const std::string& value) {
    instances_ += fmt::format("  assign {} = {};\n", target, value);
  }

  // An earlier process goes first, where both want the same bank.
  void grants(const Object& object, const std::vector<size_t>& processes, const std::string& kind,
              const std::string& address) {
    for (size_t i = 1; i < processes.size(); ++i) {
      std::string taken;
      for (size_t j = 0; j < i; ++j) {
        std::string clash = of(processes[j], object.name + kind + "req");
        if (object.banks > 1)
          clash +=
              fmt::format(" & {} == {}", bank_of(object, of(processes[i], object.name + address)),
                          bank_of(object, of(processes[j], object.name + address)));
        taken = either(taken, "(" + clash + ")");
      }
      assign(of(processes[i], object.name + kind + "gnt"), fmt::format("~({})", taken));
    }
  }
  std::string bank_of(const Object& object, const std::string& address) const {
    const uint32_t bits = bind::address_bits(object),
                   bank_bits = static_cast<uint32_t>(std::bit_width(object.banks - 1));
    return bank_bits == 1 ? fmt::format("{}[{}]", address, bits - 1)
                          : fmt::format("{}[{}:{}]", address, bits - 1, bits - bank_bits);
  }
  // Whether an address lies in the bank; "" if there is one only.
  std::string in_bank(const Object& object, const std::string& address, uint32_t bank) const {
    if (object.banks == 1) return "";
    return fmt::format(" & {} == {}'d{}", bank_of(object, address),
                       std::bit_width(object.banks - 1), bank);
  }

  void ram_bank(const Object& object, const bind::RamPorts& ports, uint32_t bank) {
    const std::string name =
        object.banks == 1 ? object.name : fmt::format("{}{}", object.name, bank);
    const uint32_t address =
        bind::address_bits(object) -
        (object.banks == 1 ? 0 : static_cast<uint32_t>(std::bit_width(object.banks - 1)));
    const uint32_t lanes = object.width / object.lane_width;
    std::string re, ra, we, wa, wd;
    for (size_t i = 0; i < ports.readers.size(); ++i) {
      const std::string own = of(ports.readers[i], object.name);
      const std::string here = fmt::format("({}_re{})", own, in_bank(object, own + "_ra", bank));
      re = either(re, here);
      ra += (i + 1 == ports.readers.size() ? "" : here + " ? ") +
            low(own + "_ra", object, address) + (i + 1 == ports.readers.size() ? "" : " : ");
    }
    for (size_t i = 0; i < ports.writers.size(); ++i) {
      const std::string own = of(ports.writers[i], object.name);
      const std::string bank_here = in_bank(object, own + "_wa", bank);
      const std::string mask = bank_here.empty() ? own + "_we"
                                                 : fmt::format("({}_we & {{{}{{{}}}}})", own, lanes,
                                                               bank_here.substr(3));
      we = either(we, mask);
      const bool last = i + 1 == ports.writers.size();
      // Whoever asks for the port has it, before all that come later.
      const std::string here = ports.write_asks(ports.writers[i])
                                   ? fmt::format("({}_wreq{})", own, bank_here)
                                   : fmt::format("|{}", mask);
      wa += (last ? "" : here + " ? ") + low(own + "_wa", object, address) + (last ? "" : " : ");
      wd += (last ? "" : here + " ? ") + own + "_wd" + (last ? "" : " : ");
    }
    for (std::string* unused : {&re, &ra, &we, &wa, &wd}) {
      if (unused->empty()) *unused = "'0";
    }
    wire(object.width, name + "_word");
    instances_ += fmt::format(
        "  hls_ram #(.WIDTH({}), .DEPTH({}), .LANE({})) {}_ram (.clk(clk), .re({}), .ra({}), "
        ".rq({}_word), .we({}), .wa({}), .wd({}));\n",
        object.width, object.depth / object.banks, object.lane_width, name, re, ra, name, we, wa,
        wd);
  }
  std::string low(const std::string& address, const Object& object, uint32_t bits) const {
    if (bind::address_bits(object) == bits) return address;
    return bits == 1 ? address + "[0]" : fmt::format("{}[{}:0]", address, bits - 1);
  }

  // With banks, the word comes from where the last read of the process went.
  void words(const Object& object, const bind::RamPorts& ports) {
    for (size_t process : ports.readers) {
      const std::string own = of(process, object.name);
      if (object.banks == 1) {
        assign(own + "_rq", object.name + "_word");
        continue;
      }
      const uint32_t bits = static_cast<uint32_t>(std::bit_width(object.banks - 1));
      wires_ += fmt::format("  reg {}{}_bank;\n", range(bits), own);
      instances_ += fmt::format("  always @(posedge clk) if ({0}_re) {0}_bank <= {1};\n", own,
                                bank_of(object, own + "_ra"));
      std::string word = object.name + "0_word";
      for (uint32_t bank = 1; bank < object.banks; ++bank)
        word = fmt::format("{}_bank == {}'d{} ? {}{}_word : {}", own, bits, bank, object.name, bank,
                           word);
      assign(own + "_rq", word);
    }
  }

  void ram_of_two_ports(const Object& object, const bind::RamPorts& ports) {
    const std::string first = of(ports.readers[0], object.name),
                      second = of(ports.readers[1], object.name),
                      writer = of(ports.writers[0], object.name);
    assign(second + "_rgnt", fmt::format("~{}_wreq", writer));
    instances_ += fmt::format(
        "  hls_ram_tdp #(.WIDTH({}), .DEPTH({})) {}_ram (.clk(clk), .a_re({}_re), .a_ra({}_ra), "
        ".a_rq({}_rq), "
        ".b_re({}_re), .b_we({}_we), .b_a({}_we ? {}_wa : {}_ra), .b_wd({}_wd), .b_rq({}_rq));\n",
        object.width, object.depth, object.name, first, first, first, second, writer, writer,
        writer, second, writer, second);
  }

  void instance(size_t process) {
    std::string connections;
    for (const Port& port : module_ports(design_, rams_, process)) {
      std::string outer = port.name;
      if (port.role == PortRole::kWaits) {
        outer = of(process, port.name);
        this->port(true, 1, outer);
      } else if (port.object != ir::kNoObject) {
        outer = outer_name(process, port);
      }
      connections += fmt::format("{}.{}({})", connections.empty() ? "" : ", ", port.name, outer);
    }
    const std::string& name = design_.processes[process].name;
    instances_ += fmt::format("  {}_{} i_{} ({});\n", design_.name, name, name, connections);
  }

  std::string outer_name(size_t process, const Port& port) const {
    const Object& object = design_.objects[port.object];
    if (object.kind == ObjectKind::kRam) return of(process, port.name);
    const bool inside = object.kind == ObjectKind::kStream && read_.contains(port.object) &&
                        written_.contains(port.object);
    if (inside && port.name == object.name + "_data")
      return object.name + (port.output ? "_in" : "_out");
    return port.name;
  }

  const ir::Design& design_;
  const std::map<ObjectId, bind::RamPorts>& rams_;
  const DramPorts dram_ports_;
  std::set<ObjectId> read_, written_, used_;
  std::string ports_, wires_, instances_;
};

}  // namespace

std::string top_module(const ir::Design& design, const std::map<ObjectId, bind::RamPorts>& rams,
                       DramPorts dram_ports) {
  return Top(design, rams, dram_ports).text();
}

}  // namespace vta::hlsc::emit
