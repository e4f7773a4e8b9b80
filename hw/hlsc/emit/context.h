// SPDX-License-Identifier: Apache-2.0
//
// The values that one state, pipeline stage or set of counters can see, written on demand.
#ifndef VTA_HW_HLSC_EMIT_CONTEXT_H_
#define VTA_HW_HLSC_EMIT_CONTEXT_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/bind/binding.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// What all parts of a module's text share.
struct ModuleText {
  std::string wires;      // declarations with assignments, in order
  std::string registers;  // declarations
  std::string clocked;  // statements under the clock; what reads a register before what writes it:
                        // simulators then write it at once
  std::string resets;   // statements under the reset, after those
  // Values that are looked at only while a condition is true, and computed only then; by the
  // condition. For simulators: they are latches.
  std::map<std::string, std::string> gated;
};

// Variables of a clocked block: their declarations, and their assignments in order.
struct BlockText {
  std::string declarations, assignments;
};

class Context {
 public:
  // `source`: the name of a value that stands somewhere already (a register, a port), or "" if this
  // context computes it. `suffix` distinguishes its wires from those of other contexts.
  using Source = std::function<std::string(ir::ValueId)>;
  // Variables go to `block`; to one of this context's own if there is none.
  // Products are computed as `binding` says where they are variables.
  Context(const ir::Process& process, const bind::ProcessBinding& binding, ModuleText& text,
          std::string suffix, Source source, BlockText* block = nullptr);

  // An identifier or literal for the value, computed by wires of the module, or by variables.
  std::string wire(ir::ValueId value);
  std::string variable(ir::ValueId value);

  // Sums of products as one expression each: what compilers of simulators vectorize.
  void inline_products() { inlines_products_ = true; }

  // From now on values are computed only while `gate` is true, if they are not variables.
  void set_gate(const std::string& gate) { gate_ = gate; }
  // A value of an expression, to be looked at only then.
  std::string add_value(const std::string& name, uint32_t width, const std::string& expression);

  // `condition ? ...` and so on want a wire of an expression.
  std::string add_wire(const std::string& name, uint32_t width, const std::string& expression);

  const Source& source() const { return source_; }

  // A variable of an expression, as add_wire().
  std::string add_variable(const std::string& name, uint32_t width, const std::string& expression);

  // The variables so far.
  const BlockText& variables() const { return block_ == nullptr ? own_block_ : *block_; }

 private:
  std::string name_of(ir::ValueId value) const;
  BlockText& block() { return block_ == nullptr ? own_block_ : *block_; }
  void declare_variable(const std::string& name, uint32_t width);
  void assign_pair(const bind::ProductPair& pair);
  std::string assign_wide_product(ir::ValueId value);
  void assign_packed(ir::ValueId value, const bind::PackedSum& sum);
  void add_packed_sums(const bind::PackedSum& sum, bool wires);
  uint32_t factor_bits(const ir::Op& product) const;
  std::string sum_of_products(const ir::Op& op);
  std::string signed_operand(ir::ValueId value);

  const ir::Process& process_;
  const bind::ProcessBinding& binding_;
  ModuleText& text_;
  std::string suffix_;
  std::string gate_;
  Source source_;
  std::map<ir::ValueId, std::string> wires_, variables_;
  bool inlines_products_ = false;
  BlockText own_block_;
  BlockText* block_;
};

// <source name>_<number of the value>
std::string value_name(const ir::Process& process, ir::ValueId value);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_CONTEXT_H_
