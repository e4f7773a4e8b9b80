// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/top_rams.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "hw/hlsc/emit/expression.h"

namespace vta::hlsc::emit {

using ir::Opcode;

namespace {

std::string bank_name(const ir::Object& ram, uint32_t bank) {
  return ram.banks == 1 ? ram.name : fmt::format("{}{}", ram.name, bank);
}

// hls_ram, or the bank's own module.
std::string bank_module(const ir::Design& design, const ir::Object& ram, uint32_t bank) {
  return ram.initial.empty() ? "hls_ram"
                             : fmt::format("{}_{}_ram", design.name, bank_name(ram, bank));
}

// One RAM. Its words are in `banks` instances, each with the ports that bind/ram_ports.h describes;
// the top bits of an index select the bank.
class TopRam {
 public:
  TopRam(const ir::Design& design, const ir::Object& ram, const bind::RamPorts& ports,
         rtl::Module& top)
      : design_(design), ram_(ram), ports_(ports), top_(top) {}

  void emit() {
    for (size_t process : ports_.readers) declare_reader(process);
    for (size_t process : ports_.writers) declare_writer(process);
    if (ports_.is_true_dual_port) return true_dual_port_instance();
    grants(ports_.readers, "_r");
    grants(ports_.writers, "_w");
    for (uint32_t bank = 0; bank < ram_.banks; ++bank) bank_instance(bank);
    for (size_t process : ports_.readers) {
      ram_.banks == 1 ? assign(word(process, "_rq"), bank_word(0)) : select_bank_word(process);
    }
  }

 private:
  Expression wire(uint32_t width, const std::string& name) {
    top_.nets.push_back({rtl::NetKind::kWire, width, name, {}});
    return rtl::net(name, width);
  }
  Expression reg(uint32_t width, const std::string& name) {
    top_.nets.push_back({rtl::NetKind::kRegister, width, name, {}});
    return rtl::net(name, width);
  }
  void assign(const Expression& target, const Expression& value) {
    top_.items.push_back(rtl::Assignment{target, value});
  }

  // --- The signals of a process at the RAM ---

  std::string name(size_t process, const std::string& suffix) const {
    return process_signal(design_, process, ram_.name + suffix);
  }
  Expression bit(size_t process, const std::string& suffix) const {
    return rtl::net(name(process, suffix));
  }
  Expression address(size_t process, const std::string& suffix) const {
    return rtl::net(name(process, suffix), bind::address_bits(ram_));
  }
  Expression lanes(size_t process) const {
    return rtl::net(name(process, "_we"), bind::num_lanes(ram_));
  }
  Expression word(size_t process, const std::string& suffix) const {
    return rtl::net(name(process, suffix), ram_.width);
  }

  void declare_reader(size_t process) {
    if (ports_.is_shared(process, Opcode::kRamRead)) wire(1, name(process, "_rreq"));
    if (ports_.may_wait(process, Opcode::kRamRead)) wire(1, name(process, "_rgnt"));
    wire(1, name(process, "_re"));
    wire(bind::address_bits(ram_), name(process, "_ra"));
    wire(ram_.width, name(process, "_rq"));
  }
  void declare_writer(size_t process) {
    if (ports_.is_shared(process, Opcode::kRamWrite)) wire(1, name(process, "_wreq"));
    if (ports_.may_wait(process, Opcode::kRamWrite)) wire(1, name(process, "_wgnt"));
    wire(bind::num_lanes(ram_), name(process, "_we"));
    wire(bind::address_bits(ram_), name(process, "_wa"));
    wire(ram_.width, name(process, "_wd"));
  }

  // --- Banks ---

  Expression bank_of(const Expression& address) const {
    const uint32_t bits = bind::bank_bits(ram_);
    return rtl::bits(address, bind::address_bits(ram_) - bits, bits);
  }
  // Whether an address is in the bank; absent if there is only one.
  Expression in_bank(const Expression& address, uint32_t bank) const {
    if (ram_.banks == 1) return {};
    return rtl::equal(bank_of(address), rtl::literal(bind::bank_bits(ram_), bank));
  }
  // The index of a word within its bank.
  Expression within_bank(const Expression& address) const {
    if (ram_.banks == 1) return address;
    return rtl::bits(address, 0, bind::address_bits(ram_) - bind::bank_bits(ram_));
  }
  Expression bank_word(uint32_t bank) const {
    return rtl::net(bank_name(ram_, bank) + "_word", ram_.width);
  }

  // A small ROM is logic. yosys refuses it as LUT RAM.
  const char* lut_style() const { return ports_.writers.empty() ? "auto" : "distributed"; }
  uint32_t address_bits() const { return bind::address_bits(ram_) - bind::bank_bits(ram_); }

  // --- Arbitration ---

  // An earlier process has priority where both request the same bank. `kind`: "_r" or "_w".
  void grants(const std::vector<size_t>& processes, const std::string& kind) {
    for (size_t i = 1; i < processes.size(); ++i) {
      Expression taken;
      for (size_t j = 0; j < i; ++j) {
        Expression clash = bit(processes[j], kind + "req");
        if (ram_.banks > 1)
          clash = clash & rtl::equal(bank_of(address(processes[i], kind + "a")),
                                     bank_of(address(processes[j], kind + "a")));
        taken = either(taken, rtl::parentheses(clash));
      }
      assign(bit(processes[i], kind + "gnt"), ~rtl::parentheses(taken));
    }
  }

  // The choice of the previous processes, unless this one, which has priority, uses the port.
  static void choose(Expression& choice, const Expression& uses, const Expression& value) {
    choice = choice.empty() ? value : rtl::conditional(uses, value, choice);
  }

  struct ReadPort {
    Expression enable, address;
  };
  // From the last process, whose address is the default, to the first, which has priority.
  ReadPort read_port(uint32_t bank) const {
    if (ports_.readers.empty()) return {rtl::literal(1, 0), rtl::literal(address_bits(), 0)};
    ReadPort port;
    std::vector<Expression> enables;  // by priority
    for (size_t i = ports_.readers.size(); i-- > 0;) {
      const Expression at = address(ports_.readers[i], "_ra");
      const Expression reads =
          rtl::parentheses(both(bit(ports_.readers[i], "_re"), in_bank(at, bank)));
      enables.insert(enables.begin(), reads);
      choose(port.address, reads, within_bank(at));
    }
    port.enable = any(enables);
    return port;
  }

  struct WritePort {
    Expression enables, address, data;
  };
  // Likewise.
  WritePort write_port(uint32_t bank) const {
    if (ports_.writers.empty())
      return {rtl::literal(bind::num_lanes(ram_), 0), rtl::literal(address_bits(), 0),
              rtl::literal(ram_.width, 0)};
    WritePort port;
    std::vector<Expression> all_enables;  // by priority
    for (size_t i = ports_.writers.size(); i-- > 0;) {
      const size_t process = ports_.writers[i];
      const Expression at = address(process, "_wa"), here = in_bank(at, bank);
      const Expression enables =
          here.empty()
              ? lanes(process)
              : rtl::parentheses(lanes(process) & rtl::replication(bind::num_lanes(ram_), here));
      // A process that requests the port has it, before all later ones.
      const Expression writes = ports_.is_shared(process, Opcode::kRamWrite)
                                    ? rtl::parentheses(both(bit(process, "_wreq"), here))
                                    : rtl::reduce_or(enables);
      all_enables.insert(all_enables.begin(), enables);
      choose(port.address, writes, within_bank(at));
      choose(port.data, writes, word(process, "_wd"));
    }
    port.enables = any(all_enables);
    return port;
  }

  // The registers before a write port (bind/posted_writes.h).
  WritePort posted(const WritePort& port, const std::string& bank) {
    const WritePort registers{reg(bind::num_lanes(ram_), bank + "_posted_we"),
                              reg(address_bits(), bank + "_posted_wa"),
                              reg(ram_.width, bank + "_posted_wd")};
    top_.items.push_back(rtl::Always{rtl::Trigger::kClock,
                                     {rtl::nonblocking(registers.enables, port.enables),
                                      rtl::nonblocking(registers.address, port.address),
                                      rtl::nonblocking(registers.data, port.data)}});
    return registers;
  }

  // --- Instances ---

  void bank_instance(uint32_t bank) {
    const std::string name = bank_name(ram_, bank);
    const bool is_initialized = !ram_.initial.empty();
    const ReadPort read = read_port(bank);
    WritePort write = write_port(bank);
    if (ports_.posts_writes) write = posted(write, name);
    const Expression word = wire(ram_.width, name + "_word");
    rtl::Instance instance{bank_module(design_, ram_, bank), name + "_ram", {}, {}};
    if (!is_initialized)
      instance.parameters = {
          {"WIDTH", ram_.width}, {"DEPTH", ram_.depth / ram_.banks}, {"LANE", ram_.lane_width}};
    if (bind::is_lut_ram(ram_, ports_)) instance.parameters.push_back({"STYLE", 0, lut_style()});
    instance.connections = {
        {"clk", rtl::net("clk")}, {"re", read.enable}, {"ra", read.address}, {"rq", word}};
    if (!is_initialized || !ports_.writers.empty()) {
      instance.connections.push_back({"we", write.enables});
      instance.connections.push_back({"wa", write.address});
      instance.connections.push_back({"wd", write.data});
    }
    top_.items.push_back(std::move(instance));
  }

  // The word for a process is that of the bank of its last read.
  void select_bank_word(size_t process) {
    const uint32_t bits = bind::bank_bits(ram_);
    const Expression last = reg(bits, name(process, "_bank"));
    const Expression read_bank = bank_of(address(process, "_ra"));
    top_.items.push_back(
        rtl::Always{rtl::Trigger::kClock,
                    {rtl::if_then(bit(process, "_re"), rtl::nonblocking(last, read_bank))}});
    Expression choice = bank_word(0);
    for (uint32_t bank = 1; bank < ram_.banks; ++bank)
      choice =
          rtl::conditional(rtl::equal(last, rtl::literal(bits, bank)), bank_word(bank), choice);
    assign(word(process, "_rq"), choice);
  }

  // Port a: the first reader; port b: the writer, which goes first, and the second reader.
  void true_dual_port_instance() {
    const size_t first = ports_.readers[0], second = ports_.readers[1], writer = ports_.writers[0];
    assign(bit(second, "_rgnt"), ~bit(writer, "_wreq"));
    const Expression writes = lanes(writer);
    top_.items.push_back(rtl::Instance{
        "hls_ram_tdp",
        ram_.name + "_ram",
        {{"WIDTH", ram_.width}, {"DEPTH", ram_.depth}},
        {{"clk", rtl::net("clk")},
         {"a_re", bit(first, "_re")},
         {"a_ra", address(first, "_ra")},
         {"a_rq", word(first, "_rq")},
         {"b_re", bit(second, "_re")},
         {"b_we", writes},
         {"b_a", rtl::conditional(writes, address(writer, "_wa"), address(second, "_ra"))},
         {"b_wd", word(writer, "_wd")},
         {"b_rq", word(second, "_rq")}}});
  }

  const ir::Design& design_;
  const ir::Object& ram_;
  const bind::RamPorts& ports_;
  rtl::Module& top_;
};

}  // namespace

std::string process_signal(const ir::Design& design, size_t process, const std::string& signal) {
  return design.processes[process].name + "_" + signal;
}

void add_top_ram(const ir::Design& design, ir::ObjectId ram, const bind::RamPorts& ports,
                 rtl::Module& top) {
  TopRam(design, design.objects[ram], ports, top).emit();
}

std::vector<rtl::InitializedRam> initialized_rams(
    const ir::Design& design, const std::map<ir::ObjectId, bind::RamPorts>& rams) {
  std::vector<rtl::InitializedRam> result;
  for (const auto& [id, ports] : rams) {
    const ir::Object& ram = design.objects[id];
    const uint32_t words = ram.depth / ram.banks;
    for (uint32_t bank = 0; bank < ram.banks && !ram.initial.empty(); ++bank) {
      rtl::InitializedRam& it = result.emplace_back(bank_module(design, ram, bank), ram.width,
                                                    ram.lane_width, !ports.writers.empty());
      for (uint32_t i = 0; i < words; ++i)
        it.words.push_back(literal(ram.initial[bank * words + i]));
    }
  }
  return result;
}

}  // namespace vta::hlsc::emit
