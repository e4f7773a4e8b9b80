// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/estimate/design_bits.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>
#include <variant>

#include "base/errors/error.h"
#include "hw/hlsc/estimate/arithmetic.h"
#include "hw/hlsc/estimate/word_expression.h"

namespace vta::hlsc::estimate {
namespace {

using rtl::Expression;
using rtl::Form;
using rtl::Module;
using rtl::Statement;
using rtl::StatementKind;

// Fewer flip-flops on one enable get it as gates before D (hw/fpga/flow/synthesis.py).
constexpr size_t kMinEnabled = 4;
// FIFOs of at most so many items are LUT RAM; the first without a register at its output
// (hw/rtl/hls_fifo.sv). That of a larger one is the output register of a block RAM.
constexpr uint32_t kMaxUnbufferedItems = 32, kMaxLutRamItems = 64;

// How often the design is made again with what its registers turned out to be.
constexpr int kMaxPasses = 6;
constexpr Bit kVariable = ~Bit{0};

// What a register turned out to be: bits that only ever take one constant, and where it is.
struct KnownRegister {
  SourceKind kind = SourceKind::kFlipFlop;
  Bits constants;  // kVariable: none
  bool operator==(const KnownRegister&) const = default;
};
using KnownRegisters = std::map<std::pair<std::string, std::string>, KnownRegister>;

// One assignment of a register, or of some of its bits.
struct Update {
  Bit condition;
  Bits next;
  uint32_t low;
};

// An instance of a module: its nets are computed when they are read.
struct Scope {
  const Module* module = nullptr;
  std::string name;
  uint16_t block = 0;
  Scope* parent = nullptr;
  const rtl::Instance* instance = nullptr;
  std::unordered_map<std::string, Expression> values;  // of wires
  std::unordered_map<std::string, Expression> inputs;  // in the parent
  std::unordered_map<std::string, SourceKind> sources;
  std::unordered_map<std::string, std::pair<Scope*, std::string>> outputs;  // of inner instances
  std::unordered_map<std::string, Bits> nets;
  std::set<std::string> signed_variables;
  std::set<std::string> reset;  // registers with a reset
  std::map<std::string, std::vector<Update>> updates;
  std::map<std::string, Bits> registers;
};

SourceKind source_of(const rtl::Instance& instance, const std::string& port) {
  if (port == "rq" || port.ends_with("_rq")) {  // of a RAM, in hw/rtl or with initial contents
    const bool is_lut_ram =
        std::ranges::any_of(instance.parameters, [](const auto& it) { return it.name == "STYLE"; });
    return is_lut_ram ? SourceKind::kFlipFlop : SourceKind::kBlockRam;
  }
  if (instance.module == "hls_fifo" && port == "dout") {
    for (const rtl::Parameter& parameter : instance.parameters) {
      if (parameter.name != "DEPTH") continue;
      if (parameter.value <= kMaxUnbufferedItems) return SourceKind::kLutRam;
      if (parameter.value > kMaxLutRamItems) return SourceKind::kBlockRam;
    }
  }
  return SourceKind::kFlipFlop;
}

// The bits that a node reads.
Bits read_by(const BitGraph& graph, const Node& node) {
  switch (node.kind) {
    case NodeKind::kConstant:
    case NodeKind::kSource:
      return {};
    case NodeKind::kAnd:
    case NodeKind::kXor:
      return {node.a, node.b};
    case NodeKind::kSum:
    case NodeKind::kCarry: {
      const Chain& chain = graph.chains()[node.a];
      Bits bits = {chain.carry_in};
      for (uint32_t i = 0; i <= node.b; ++i) {
        bits.push_back(chain.select[i]);
        if (i < node.b || node.kind == NodeKind::kCarry) bits.push_back(chain.data[i]);
      }
      return bits;
    }
    case NodeKind::kProduct:
      return graph.products()[node.a].operands;
  }
  return {};
}

// Synthesis removes registers' bits that reach no pin.
void drop_unread(DesignBits& design) {
  const std::vector<Node>& nodes = design.graph.nodes();
  std::unordered_map<uint32_t, std::pair<size_t, size_t>> registers;  // by source
  for (size_t i = 0; i < design.registers.size(); ++i) {
    const Bits& now = design.registers[i].now;
    for (size_t bit = 0; bit < now.size(); ++bit)
      if (node_of(now[bit]) != 0) registers[node_of(now[bit])] = {i, bit};
  }
  std::vector<bool> is_read(nodes.size());
  Bits open = design.pins;
  while (!open.empty()) {
    const uint32_t node = node_of(open.back());
    open.pop_back();
    if (is_read[node]) continue;
    is_read[node] = true;
    const Bits before = read_by(design.graph, nodes[node]);
    open.insert(open.end(), before.begin(), before.end());
    if (const auto at = registers.find(node); at != registers.end()) {
      const RegisterBits& it = design.registers[at->second.first];
      open.push_back(it.next[at->second.second]);
      open.push_back(it.enable);
    }
  }
  for (RegisterBits& it : design.registers) {
    for (size_t bit = 0; bit < it.now.size(); ++bit) {
      if (!is_read[node_of(it.now[bit])]) it.next[bit] = kZero;
    }
  }
}

class Flattener {
 public:
  Flattener(const rtl::File& file, const KnownRegisters& known) : known_(known) {
    for (const rtl::Unit& unit : file.units) modules_.emplace(unit.module.name, &unit.module);
    top_ = file.units.back().module.name;
  }

  DesignBits run() {
    design_.blocks.emplace_back();
    Scope& top = add_scope(*modules_.at(top_), nullptr, nullptr);
    for (const rtl::Item& item : top.module->items) {
      if (const auto* instance = std::get_if<rtl::Instance>(&item)) connect(top, *instance);
    }
    for (const auto& scope : scopes_) clocked(*scope);
    for (const auto& scope : scopes_) finish(*scope);
    pins(top);
    drop_unread(design_);
    return std::move(design_);
  }

 private:
  Scope& add_scope(const Module& module, Scope* parent, const rtl::Instance* instance) {
    scopes_.push_back(std::make_unique<Scope>());
    Scope& scope = *scopes_.back();
    scope.module = &module;
    scope.parent = parent;
    scope.instance = instance;
    if (parent != nullptr) {
      scope.name = instance->name.substr(instance->name.find('_') + 1);  // i_<process>
      scope.block = static_cast<uint16_t>(design_.blocks.size());
      design_.blocks.push_back(scope.name);
      for (const rtl::Connection& it : instance->connections) scope.inputs[it.port] = it.value;
    }
    for (const rtl::Net& net : module.nets) {
      if (!net.value.empty()) scope.values[net.name] = net.value;
    }
    for (const rtl::Item& item : module.items) {
      if (const auto* it = std::get_if<rtl::Assignment>(&item)) {
        if (it->target.form() == Form::kNet) scope.values[it->target.text()] = it->value;
      }
    }
    return scope;
  }

  void connect(Scope& top, const rtl::Instance& instance) {
    const auto module = modules_.find(instance.module);
    if (module == modules_.end()) {
      for (const rtl::Connection& it : instance.connections) {
        if (it.value.form() == Form::kNet)
          top.sources[it.value.text()] = source_of(instance, it.port);
      }
      return;
    }
    Scope& inner = add_scope(*module->second, &top, &instance);
    for (const rtl::Port& port : module->second->ports) {
      const auto value = inner.inputs.find(port.name);
      if (port.is_output && value != inner.inputs.end() && value->second.form() == Form::kNet)
        top.outputs[value->second.text()] = {&inner, port.name};
    }
  }

  // What is read outside the processes.
  void pins(Scope& top) {
    design_.graph.set_block(0);
    const auto add = [&](const Bits& bits) {
      design_.pins.insert(design_.pins.end(), bits.begin(), bits.end());
    };
    for (const rtl::Port& port : top.module->ports) {
      if (port.is_output) add(net_bits(top, port.name, port.width));
    }
    for (const rtl::Item& item : top.module->items) {
      const auto* instance = std::get_if<rtl::Instance>(&item);
      if (instance == nullptr || modules_.contains(instance->module)) continue;
      for (const rtl::Connection& it : instance->connections) add(evaluate(top, it.value, 0));
    }
  }

  Bits evaluate(Scope& scope, const Expression& expression, uint32_t width) {
    const NetReader reader{
        [&](const Expression& net) { return net_bits(scope, net.text(), net.width()); },
        [&](const std::string& net) { return scope.signed_variables.contains(net); }};
    Bits bits = bits_of(design_.graph, expression, width, reader);
    if (width > 0) bits.resize(width);
    return bits;
  }

  Bits net_bits(Scope& scope, const std::string& name, uint32_t width) {
    if (const auto known = scope.nets.find(name); known != scope.nets.end()) return known->second;
    const uint16_t block = design_.graph.block();
    design_.graph.set_block(scope.block);
    Bits bits = new_bits(scope, name, width);
    design_.graph.set_block(block);
    scope.nets[name] = bits;
    return bits;
  }

  Bits new_bits(Scope& scope, const std::string& name, uint32_t width) {
    if (const auto value = scope.values.find(name); value != scope.values.end())
      return evaluate(scope, value->second, width);
    if (const auto inner = scope.outputs.find(name); inner != scope.outputs.end())
      return net_bits(*inner->second.first, inner->second.second, width);
    const bool is_register = std::ranges::any_of(scope.module->ports, [&](const rtl::Port& port) {
      return port.name == name && port.is_output;
    });
    if (const auto outer = scope.inputs.find(name); outer != scope.inputs.end() && !is_register)
      return evaluate(*scope.parent, outer->second, width);
    const auto source = scope.sources.find(name);
    const auto known = known_.find({scope.name, name});
    SourceKind kind = SourceKind::kFlipFlop;
    if (source != scope.sources.end()) kind = source->second;
    if (known != known_.end()) kind = known->second.kind;
    Bits bits;
    for (uint32_t i = 0; i < width; ++i) {
      const Bit constant = known == known_.end() ? kVariable : known->second.constants[i];
      bits.push_back(constant == kVariable ? design_.graph.source(kind) : constant);
    }
    return bits;
  }

  void clocked(Scope& scope) {
    design_.graph.set_block(scope.block);
    for (const rtl::Item& item : scope.module->items) {
      if (const auto* always = std::get_if<rtl::Always>(&item)) {
        for (const Statement& statement : always->body) execute(scope, statement, kOne);
      }
    }
  }

  void execute(Scope& scope, const Statement& statement, Bit condition) {
    if (statement.view == rtl::View::kSimulation) return;
    switch (statement.kind) {
      case StatementKind::kBlocking:
        scope.nets[statement.target.text()] =
            evaluate(scope, statement.value, statement.target.width());
        return;
      case StatementKind::kNonblocking:
        return update(scope, statement, condition);
      case StatementKind::kIf:
      case StatementKind::kSequence:
      case StatementKind::kBlock:
        return branch(scope, statement, condition);
    }
  }

  void branch(Scope& scope, const Statement& statement, Bit condition) {
    // The reset of a process is a pin of its flip-flops.
    if (!statement.condition.empty() && statement.condition.form() == Form::kNet &&
        statement.condition.text() == "rst") {
      for (const Statement& inner : statement.then) scope.reset.insert(net_of(inner.target).text());
      return;
    }
    for (const rtl::Variable& variable : statement.variables) {
      scope.nets.erase(variable.name);
      if (variable.is_signed) scope.signed_variables.insert(variable.name);
    }
    Bit taken = kOne;
    if (!statement.condition.empty()) taken = evaluate(scope, statement.condition, 1)[0];
    for (const Statement& inner : statement.then)
      execute(scope, inner, design_.graph.both(condition, taken));
    for (const Statement& inner : statement.otherwise)
      execute(scope, inner, design_.graph.both(condition, inverted(taken)));
    for (const rtl::Variable& variable : statement.variables) {
      scope.nets.erase(variable.name);
      scope.signed_variables.erase(variable.name);
    }
  }

  static const Expression& net_of(const Expression& target) {
    return target.form() == Form::kNet ? target : target.operands()[0];
  }

  void update(Scope& scope, const Statement& statement, Bit condition) {
    const Expression& target = statement.target;
    const Expression& net = net_of(target);
    uint32_t low = 0;
    if (target.form() == Form::kRange) low = target.low();
    if (target.form() == Form::kIndex) {
      const Bits at = evaluate(scope, target.operands()[1], 0);
      for (size_t i = 0; i < at.size() && i < 32; ++i) low |= (at[i] == kOne ? 1u : 0u) << i;
    }
    scope.registers[net.text()] = net_bits(scope, net.text(), net.width());
    scope.updates[net.text()].push_back(
        {condition, evaluate(scope, statement.value, target.width()), low});
  }

  // Flip-flops by their enable, of which there must be enough.
  void finish(Scope& scope) {
    design_.graph.set_block(scope.block);
    std::map<Bit, size_t> enabled;
    const size_t first = design_.registers.size();
    for (const auto& [name, updates] : scope.updates) {
      RegisterBits found{scope.name, name, scope.registers.at(name), {}, kZero};
      Bits next(found.now.size(), kZero);
      std::vector<bool> is_set(next.size());
      for (const Update& it : updates) {
        found.enable = design_.graph.either(found.enable, it.condition);
        for (size_t i = 0; i < it.next.size(); ++i) {
          Bit& bit = next[it.low + i];
          bit =
              is_set[it.low + i] ? design_.graph.select(it.condition, it.next[i], bit) : it.next[i];
          is_set[it.low + i] = true;
        }
      }
      found.next = std::move(next);
      found.is_in_dsp = design_.graph.is_dsp_output(found.next);
      found.has_reset = scope.reset.contains(name);
      enabled[found.enable] += found.next.size();
      design_.registers.push_back(std::move(found));
    }
    for (size_t i = first; i < design_.registers.size(); ++i) {
      RegisterBits& found = design_.registers[i];
      if (found.is_in_dsp || found.enable == kOne || enabled[found.enable] >= kMinEnabled) continue;
      found.next = select(design_.graph, found.enable, found.next, found.now);
      found.enable = kOne;
    }
  }

  const KnownRegisters& known_;
  std::map<std::string, const Module*> modules_;
  std::string top_;
  DesignBits design_;
  std::vector<std::unique_ptr<Scope>> scopes_;
};

KnownRegisters known_registers(const DesignBits& design) {
  const auto kind_of = [&](const RegisterBits& it) {
    if (!it.is_in_dsp) return SourceKind::kFlipFlop;
    const bool is_sum = std::ranges::any_of(it.next, [&](Bit bit) {
      const Node& node = design.graph.nodes()[node_of(bit)];
      return node.kind == NodeKind::kProduct && design.graph.products()[node.a].is_sum;
    });
    return is_sum ? SourceKind::kSumRegister : SourceKind::kProductRegister;
  };
  KnownRegisters known;
  for (const RegisterBits& it : design.registers) {
    KnownRegister& found = known[{it.process, it.name}];
    found.kind = kind_of(it);
    for (Bit bit : it.next)
      found.constants.push_back(node_of(bit) == 0 && !it.has_reset ? bit : kVariable);
  }
  return known;
}

}  // namespace

DesignBits design_bits(const rtl::File& file) {
  KnownRegisters known;
  for (int pass = 1;; ++pass) {
    DesignBits design = Flattener(file, known).run();
    KnownRegisters found = known_registers(design);
    if (found == known || pass == kMaxPasses) return design;
    known = std::move(found);
  }
}

}  // namespace vta::hlsc::estimate
