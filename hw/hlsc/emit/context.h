// SPDX-License-Identifier: Apache-2.0
//
// The values that one state, pipeline stage or set of counters can use, computed on demand.
#ifndef VTA_HW_HLSC_EMIT_CONTEXT_H_
#define VTA_HW_HLSC_EMIT_CONTEXT_H_

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/emit/packed_sums.h"
#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/rtl/module.h"

namespace vta::hlsc::emit {

// The parts of a process's module, to which states, stages and counters add.
struct ModuleParts {
  std::vector<rtl::Net> registers;  // declared first; wires of kept words are among them
  std::vector<rtl::Net> wires;      // with their values, in the order of their use
  // Under the clock. A statement that reads a register precedes the one that writes it: simulators
  // then write it at once.
  std::vector<rtl::Statement> clocked;
  std::vector<rtl::Statement> resets;  // under the reset, after the clocked statements
  // Values that are used only while a condition is true, and computed only then, by the name of the
  // condition's net. For simulators: they are latches.
  std::map<std::string, std::vector<rtl::Statement>> gated;

  Expression add_register(const std::string& name, uint32_t width);
  // A register of one bit that the reset clears.
  Expression add_flag(const std::string& name);
  void reset(const Expression& target, const Expression& value);
  void clock(rtl::Statement statement) { clocked.push_back(std::move(statement)); }
  void clock(const Expression& target, const Expression& value) {
    clocked.push_back(rtl::nonblocking(target, value));
  }
};

// Variables of a clocked block, and their assignments in order.
struct Block {
  std::vector<rtl::Variable> variables;
  std::vector<rtl::Statement> assignments;
};

// `if (condition) begin : label` with the block's variables, its assignments, then `actions`.
rtl::Statement clocked_block(const Expression& condition, const std::string& label,
                             const Block& block, std::vector<rtl::Statement> actions);

class Context {
 public:
  // `source`: the net that holds a value already (a register, a port); absent if this context
  // computes the value. `suffix` distinguishes its wires from other contexts' wires.
  using Source = std::function<Expression(ir::ValueId)>;
  // Variables go to `block`, or to a block of this context if it is null.
  // Products that are variables are computed as `binding` says.
  Context(const ir::Process& process, const bind::ProcessBinding& binding, ModuleParts& parts,
          std::string suffix, Source source, Block* block = nullptr);

  // A net or literal for the value, computed by wires of the module, or by variables.
  Expression wire(ir::ValueId value);
  Expression variable(ir::ValueId value);

  // What wire() and variable() would need from the source, without computing anything.
  void need_wire(ir::ValueId value);
  void need_variable(ir::ValueId value);

  // The partial sums of a sum that a later stage adds (schedule.h), as variables; a packed sum's
  // are those of both sums.
  std::vector<Expression> partial_sums(ir::ValueId sum);
  void need_partial_sums(ir::ValueId sum);
  // The registers of these, in the stage that adds them.
  void set_partial_sums(ir::ValueId sum, std::vector<Expression> registers);

  // Sums of products as one expression each, which compilers of simulators vectorize.
  void inline_products() { inlines_products_ = true; }

  // From now on wires are computed only while the net `gate` is true.
  void set_gate(const Expression& gate) { gate_ = gate; }
  // A value of an expression, to be used only then.
  Expression add_value(const std::string& name, uint32_t width, const Expression& value);

  // A wire of an expression, whatever the gate.
  Expression add_wire(const std::string& name, uint32_t width, const Expression& value);

  const Source& source() const { return source_; }

  // A variable of an expression, as add_wire().
  Expression add_variable(const std::string& name, uint32_t width, const Expression& value);

  // The variables so far.
  const Block& variables() const { return block_ == nullptr ? own_block_ : *block_; }

 private:
  std::string name_of(ir::ValueId value) const;
  Block& block() { return block_ == nullptr ? own_block_ : *block_; }
  void declare_variable(const std::string& name, uint32_t width);
  Expression declare_signed(const std::string& name, uint32_t width);
  void assign(const Expression& target, const Expression& value, rtl::View view);
  void assign_pair(const bind::ProductPair& pair);
  // The same as wires, for synthesis.
  void add_pair_wires(const bind::ProductPair& pair);
  void assign_packed(ir::ValueId value, const bind::PackedSum& sum);
  void add_packed_sums(const bind::PackedSum& sum, bool wires);
  uint32_t factor_bits(const ir::Op& product) const;
  std::vector<Expression> packed_partial_sums(const bind::PackedSum& sum, const std::string& name,
                                              const AddVariable& add);
  AddVariable as_variables();
  const ir::Op* inlined_product(const ir::Op& sum, ir::ValueId term) const;
  Expression sum_of_products(const ir::Op& op);
  void need_packed(ir::ValueId value, const bind::PackedSum& sum);
  void need_pair(const bind::ProductPair& pair);
  bool need_sum_of_products(const ir::Op& op);
  Expression sliced_word(ir::ValueId value);
  Expression signed_operand(ir::ValueId value);

  const ir::Process& process_;
  const bind::ProcessBinding& binding_;
  ModuleParts& parts_;
  std::string suffix_;
  Expression gate_;
  Source source_;
  std::map<ir::ValueId, Expression> wires_, variables_;
  std::map<ir::ValueId, std::vector<Expression>> partial_sums_;  // in registers
  std::set<ir::ValueId> needed_wires_, needed_variables_;
  bool inlines_products_ = false;
  Block own_block_;
  Block* block_;
};

// <source name>_<number of the value>
std::string value_name(const ir::Process& process, ir::ValueId value);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_CONTEXT_H_
