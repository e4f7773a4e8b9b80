// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/top_module.h"

#include <fmt/format.h>

#include <bit>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "hw/hlsc/emit/ports.h"
#include "hw/hlsc/rtl/verify.h"

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
        } else {  // only read: always 0
          module_.nets.push_back(
              {rtl::NetKind::kWire, object.width, object.name, rtl::literal(object.width, 0)});
        }
        return;
      case ObjectKind::kInput:
        return port(false, object.width, object.name);
      case ObjectKind::kStream:
        return stream(id);
      case ObjectKind::kReadPort:
        if (dram_ports_ == DramPorts::kAxi) return axi_read(object);
        outward(object.name + "_request", kRequestBits);
        return inward(object.name + "_beat", ir::kBeatBits);
      case ObjectKind::kWritePort:
        if (dram_ports_ == DramPorts::kAxi) return axi_write(object);
        outward(object.name + "_request", kRequestBits);
        outward(object.name + "_beat", ir::kBeatBits);
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
  // An adapter of hw/rtl between a port's streams and an AXI master of the top.
  void axi(const Object& object, const char* module, std::span<const Signal> streams,
           std::span<const Signal> master) {
    rtl::Instance adapter{
        module, object.name + "_axi", {{"BURSTS", object.depth}}, clock_and_reset()};
    for (const Signal& signal : streams) wire(signal.width, object.name + signal.name);
    for (const Signal& signal : master)
      port(signal.output, signal.width, object.name + signal.name);
    for (std::span<const Signal> signals : {streams, master}) {
      for (const Signal& signal : signals)
        adapter.connections.push_back(
            {signal.name + 1, rtl::net(object.name + signal.name, signal.width)});
    }
    module_.items.push_back(std::move(adapter));
  }
  static std::vector<rtl::Connection> clock_and_reset() {
    return {{"clk", rtl::net("clk")}, {"rst", rtl::net("rst")}};
  }
  void axi_read(const Object& object) {
    static constexpr Signal kStreams[] = {{"_request_data", kRequestBits, true},
                                          {"_request_full", 1, true},
                                          {"_request_push", 1, true},
                                          {"_beat_data", ir::kBeatBits, true},
                                          {"_beat_empty", 1, true},
                                          {"_beat_pop", 1, true}};
    static constexpr Signal kMaster[] = {
        {"_arvalid", 1, true}, {"_arready", 1, false}, {"_araddr", 32, true}, {"_arlen", 8, true},
        {"_rvalid", 1, false}, {"_rready", 1, true},   {"_rdata", 64, false}, {"_rresp", 2, false},
        {"_rlast", 1, false},  {"_error", 1, true}};
    axi(object, "hls_axi_read", kStreams, kMaster);
  }
  void axi_write(const Object& object) {
    static constexpr Signal kStreams[] = {{"_request_data", kRequestBits, true},
                                          {"_request_full", 1, true},
                                          {"_request_push", 1, true},
                                          {"_beat_data", ir::kBeatBits, true},
                                          {"_beat_full", 1, true},
                                          {"_beat_push", 1, true},
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

  // The name and the net of a process's own signal at a RAM.
  std::string of(size_t process, const std::string& signal) const {
    return design_.processes[process].name + "_" + signal;
  }

  void ram(ObjectId id) {
    const Object& object = design_.objects[id];
    const bind::RamPorts& ports = rams_.at(id);
    const uint32_t address = bind::address_bits(object), lanes = bind::num_lanes(object);
    for (size_t process : ports.readers) {
      if (ports.is_shared(process, Opcode::kRamRead)) wire(1, of(process, object.name + "_rreq"));
      if (ports.may_wait(process, Opcode::kRamRead)) wire(1, of(process, object.name + "_rgnt"));
      wire(1, of(process, object.name + "_re"));
      wire(address, of(process, object.name + "_ra"));
      wire(object.width, of(process, object.name + "_rq"));
    }
    for (size_t process : ports.writers) {
      if (ports.is_shared(process, Opcode::kRamWrite)) wire(1, of(process, object.name + "_wreq"));
      if (ports.may_wait(process, Opcode::kRamWrite)) wire(1, of(process, object.name + "_wgnt"));
      wire(lanes, of(process, object.name + "_we"));
      wire(address, of(process, object.name + "_wa"));
      wire(object.width, of(process, object.name + "_wd"));
    }
    if (ports.is_true_dual_port) return true_dual_port_ram(object, ports);
    grants(object, ports.readers, "_r");
    grants(object, ports.writers, "_w");
    for (uint32_t bank = 0; bank < object.banks; ++bank) ram_bank(object, ports, bank);
    words(object, ports);
  }

  void assign(const Expression& target, const Expression& value) {
    module_.items.push_back(rtl::Assignment{target, value});
  }

  // A process's signals at a RAM: of one bit, an address, the lanes, a word.
  Expression bit(size_t process, const Object& object, const std::string& suffix) const {
    return rtl::net(of(process, object.name + suffix));
  }
  Expression address(size_t process, const Object& object, const std::string& suffix) const {
    return rtl::net(of(process, object.name + suffix), bind::address_bits(object));
  }
  Expression lanes(size_t process, const Object& object) const {
    return rtl::net(of(process, object.name + "_we"), bind::num_lanes(object));
  }
  Expression word(size_t process, const Object& object, const std::string& suffix) const {
    return rtl::net(of(process, object.name + suffix), object.width);
  }

  // An earlier process has priority where both request the same bank.
  void grants(const Object& object, const std::vector<size_t>& processes, const std::string& kind) {
    for (size_t i = 1; i < processes.size(); ++i) {
      Expression taken;
      for (size_t j = 0; j < i; ++j) {
        Expression clash = bit(processes[j], object, kind + "req");
        if (object.banks > 1)
          clash = clash & rtl::equal(bank_of(object, address(processes[i], object, kind + "a")),
                                     bank_of(object, address(processes[j], object, kind + "a")));
        taken = either(taken, rtl::parentheses(clash));
      }
      assign(bit(processes[i], object, kind + "gnt"), ~rtl::parentheses(taken));
    }
  }
  static Expression bank_of(const Object& object, const Expression& address) {
    return rtl::bits(address, bind::address_bits(object) - bind::bank_bits(object),
                     bind::bank_bits(object));
  }
  // Whether an address is in the bank; absent if there is only one.
  static Expression in_bank(const Object& object, const Expression& address, uint32_t bank) {
    if (object.banks == 1) return {};
    return rtl::equal(bank_of(object, address), rtl::literal(bind::bank_bits(object), bank));
  }

  // The ports of a bank's RAM.
  struct BankPorts {
    Expression re, ra, we, wa, wd;
  };

  BankPorts bank_ports(const Object& object, const bind::RamPorts& ports, uint32_t bank) const {
    BankPorts all;
    // From the last process, whose signals are the default, to the first, which has priority.
    const auto choose = [](Expression& choice, const Expression& condition,
                           const Expression& value) {
      choice = choice.empty() ? value : rtl::conditional(condition, value, choice);
    };
    std::vector<Expression> reads, writes;
    for (size_t i = ports.readers.size(); i-- > 0;) {
      const size_t process = ports.readers[i];
      const Expression at = address(process, object, "_ra");
      const Expression here =
          rtl::parentheses(both(bit(process, object, "_re"), in_bank(object, at, bank)));
      reads.insert(reads.begin(), here);
      choose(all.ra, here, within_bank(object, at));
    }
    for (size_t i = ports.writers.size(); i-- > 0;) {
      const size_t process = ports.writers[i];
      const Expression at = address(process, object, "_wa"), enables = lanes(process, object);
      const Expression inside = in_bank(object, at, bank);
      const Expression mask =
          inside.empty()
              ? enables
              : rtl::parentheses(enables & rtl::replication(bind::num_lanes(object), inside));
      writes.insert(writes.begin(), mask);
      // A process that requests the port has it, before all later ones.
      const Expression here = ports.is_shared(process, Opcode::kRamWrite)
                                  ? rtl::parentheses(both(bit(process, object, "_wreq"), inside))
                                  : rtl::reduce_or(mask);
      choose(all.wa, here, within_bank(object, at));
      choose(all.wd, here, word(process, object, "_wd"));
    }
    for (const Expression& read : reads) all.re = either(all.re, read);
    for (const Expression& write : writes) all.we = either(all.we, write);
    for (Expression* port : {&all.re, &all.ra, &all.we, &all.wa, &all.wd}) {
      if (port->empty()) *port = rtl::fill();
    }
    return all;
  }

  void ram_bank(const Object& object, const bind::RamPorts& ports, uint32_t bank) {
    const std::string name =
        object.banks == 1 ? object.name : fmt::format("{}{}", object.name, bank);
    const BankPorts bank_ports = this->bank_ports(object, ports, bank);
    const Expression word = wire(object.width, name + "_word");
    module_.items.push_back(rtl::Instance{"hls_ram",
                                          name + "_ram",
                                          {{"WIDTH", object.width},
                                           {"DEPTH", object.depth / object.banks},
                                           {"LANE", object.lane_width}},
                                          {{"clk", rtl::net("clk")},
                                           {"re", bank_ports.re},
                                           {"ra", bank_ports.ra},
                                           {"rq", word},
                                           {"we", bank_ports.we},
                                           {"wa", bank_ports.wa},
                                           {"wd", bank_ports.wd}}});
  }
  // The index of a word within its bank.
  static Expression within_bank(const Object& object, const Expression& address) {
    return object.banks == 1
               ? address
               : rtl::bits(address, 0, bind::address_bits(object) - bind::bank_bits(object));
  }

  // With banks, the word is that of the bank of the process's last read.
  void words(const Object& object, const bind::RamPorts& ports) {
    const auto bank_word = [&](const std::string& bank) {
      return rtl::net(object.name + bank + "_word", object.width);
    };
    for (size_t process : ports.readers) {
      if (object.banks == 1) {
        assign(word(process, object, "_rq"), bank_word(""));
        continue;
      }
      const uint32_t bits = bind::bank_bits(object);
      const Expression last = rtl::net(of(process, object.name + "_bank"), bits);
      module_.nets.push_back({rtl::NetKind::kRegister, bits, last.text(), {}});
      module_.items.push_back(rtl::Always{
          rtl::Trigger::kClock,
          {rtl::if_then(
              bit(process, object, "_re"),
              rtl::nonblocking(last, bank_of(object, address(process, object, "_ra"))))}});
      Expression choice = bank_word("0");
      for (uint32_t bank = 1; bank < object.banks; ++bank)
        choice = rtl::conditional(rtl::equal(last, rtl::literal(bits, bank)),
                                  bank_word(fmt::format("{}", bank)), choice);
      assign(word(process, object, "_rq"), choice);
    }
  }

  void true_dual_port_ram(const Object& object, const bind::RamPorts& ports) {
    const size_t first = ports.readers[0], second = ports.readers[1], writer = ports.writers[0];
    assign(bit(second, object, "_rgnt"), ~bit(writer, object, "_wreq"));
    const Expression writes = lanes(writer, object);
    module_.items.push_back(rtl::Instance{
        "hls_ram_tdp",
        object.name + "_ram",
        {{"WIDTH", object.width}, {"DEPTH", object.depth}},
        {{"clk", rtl::net("clk")},
         {"a_re", bit(first, object, "_re")},
         {"a_ra", address(first, object, "_ra")},
         {"a_rq", word(first, object, "_rq")},
         {"b_re", bit(second, object, "_re")},
         {"b_we", writes},
         {"b_a",
          rtl::conditional(writes, address(writer, object, "_wa"), address(second, object, "_ra"))},
         {"b_wd", word(writer, object, "_wd")},
         {"b_rq", word(second, object, "_rq")}}});
  }

  void instance(size_t process) {
    const std::string& name = design_.processes[process].name;
    rtl::Instance instance{design_.name + "_" + name, "i_" + name, {}, {}};
    for (const Port& port : module_ports(design_, rams_, process)) {
      std::string outer = port.name;
      if (port.role == PortRole::kWaits) {
        outer = of(process, port.name);
        this->port(true, 1, outer);
      } else if (port.object != ir::kNoObject) {
        outer = outer_name(process, port);
      }
      instance.connections.push_back({port.name, rtl::net(outer, port.width)});
    }
    module_.items.push_back(std::move(instance));
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
  rtl::Module module_;
};

}  // namespace

rtl::Module top_module(const ir::Design& design, const std::map<ObjectId, bind::RamPorts>& rams,
                       DramPorts dram_ports) {
  return Top(design, rams, dram_ports).module();
}

}  // namespace vta::hlsc::emit
