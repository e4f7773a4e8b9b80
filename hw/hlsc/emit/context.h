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
#include "hw/hlsc/emit/module_parts.h"
#include "hw/hlsc/emit/packed_sums.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

class Context {
 public:
  // The net that holds a value already (a register, a port); absent if this context computes it.
  using Source = std::function<Expression(ir::ValueId)>;
  // `suffix` distinguishes the context's nets from those of others. Variables go to `block`, or to
  // a block of this context if it is null. Products and their sums are computed as `binding` says.
  Context(const ir::Process& process, const bind::ProcessBinding& binding, ModuleParts& parts,
          std::string suffix, Source source, Block* block = nullptr);

  const Source& source() const { return source_; }
  // The variables so far, with their assignments.
  const Block& variables() const { return block_ == nullptr ? own_block_ : *block_; }

  // --- Options, before any value is used ---

  // Wires are computed only while the net `gate` is true: for simulators.
  void set_gate(const Expression& gate) { gate_ = gate; }
  // Sums of products become one expression each, which compilers of simulators vectorize.
  void inline_products() { inlines_products_ = true; }
  // The registers of a sum's partial sums, in the stage that adds them.
  void set_partial_sums(ir::ValueId sum, std::vector<Expression> registers);

  // --- Values ---

  // A net or literal for the value, computed by wires of the module, or by variables.
  Expression wire(ir::ValueId value);
  Expression variable(ir::ValueId value);
  // The partial sums of a sum that a later stage adds (schedule.h), as variables; a packed sum's
  // are those of both sums.
  std::vector<Expression> partial_sums(ir::ValueId sum);

  // What these need from the source, without computing anything, for kept_values.h. Each must
  // follow its function: a module that needs more than was found is an assertion
  // (process_module.cc).
  void need_wire(ir::ValueId value);
  void need_variable(ir::ValueId value);
  void need_partial_sums(ir::ValueId sum);

  // --- Nets for other expressions ---

  // A net to be used only while the gate is true.
  Expression add_value(const std::string& name, uint32_t width, const Expression& value);
  // A wire that is not gated.
  Expression add_wire(const std::string& name, uint32_t width, const Expression& value);
  Expression add_variable(const std::string& name, uint32_t width, const Expression& value);

 private:
  std::string name_of(ir::ValueId value) const;
  Expression compute_wire(ir::ValueId value);
  Expression compute_variable(ir::ValueId value);
  // The operands as wires or variables, or the registers of partial sums in place of them.
  std::vector<Expression> operand_wires(ir::ValueId value);
  std::vector<Expression> operand_variables(ir::ValueId value);

  Block& block() { return block_ == nullptr ? own_block_ : *block_; }
  Expression declare_variable(const std::string& name, uint32_t width);
  Expression declare_for_synthesis(const std::string& name, uint32_t width);
  void assign(const Expression& target, const Expression& value, rtl::View view);

  // Product pairs: both products at once.
  void assign_pair(const bind::ProductPair& pair);
  void add_pair_wires(const bind::ProductPair& pair);
  void need_pair(const bind::ProductPair& pair);

  // Packed sums: both sums at once. Packed products: the q of a pair.
  Expression compute_packed_product(const bind::ProductPair& pair);
  void add_packed_sums(const bind::PackedSum& sum, bool wires);
  std::vector<Expression> packed_partial_sums(const bind::PackedSum& sum, const std::string& name,
                                              const AddVariable& add);
  AddVariable as_variables();
  void need_packed_sum(const bind::PackedSum& sum);

  // Inlined products.
  uint32_t full_product_bits(const ir::Op& product) const;
  const ir::Op* inlined_product(const ir::Op& sum, ir::ValueId term) const;
  Expression sum_of_products(const ir::Op& op);
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
