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

#include "hw/hlsc/emit/product_pairs.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::emit {

// What all parts of a module's text share.
struct ModuleText {
  std::string wires;      // declarations with assignments, in order
  std::string registers;  // declarations
  std::string clocked;    // statements under the clock
  std::string resets;     // statements under the reset, after those
  int next_name = 0;
};

class Context {
 public:
  // `source`: the name of a value that stands somewhere already (a register, a port), or "" if this
  // context computes it. `suffix` distinguishes its wires from those of other contexts.
  using Source = std::function<std::string(ir::ValueId)>;
  Context(const ir::Process& process, ModuleText& text, std::string suffix, Source source);

  // An identifier or literal for the value, computed by wires of the module, or by variables of the
  // clocked block that statements() opens.
  std::string wire(ir::ValueId value);
  std::string variable(ir::ValueId value);

  // Products that share a multiplier where they are computed by variables.
  void set_pairs(std::map<ir::ValueId, ProductPair> pairs) { pairs_ = std::move(pairs); }

  // Sums of products as one expression each: what compilers of simulators vectorize.
  void inline_products() { inlines_products_ = true; }

  // `condition ? ...` and so on want a wire of an expression.
  std::string add_wire(const std::string& name, uint32_t width, const std::string& expression);

  // Declarations and assignments of the variables so far.
  const std::string& declarations() const { return declarations_; }
  const std::string& assignments() const { return assignments_; }

 private:
  std::string name_of(ir::ValueId value) const;
  void declare_variable(const std::string& name, uint32_t width);
  void assign_pair(const ProductPair& pair);
  std::string sum_of_products(const ir::Op& op);
  std::string signed_operand(ir::ValueId value);

  const ir::Process& process_;
  ModuleText& text_;
  std::string suffix_;
  Source source_;
  std::map<ir::ValueId, std::string> wires_, variables_;
  std::map<ir::ValueId, ProductPair> pairs_;
  bool inlines_products_ = false;
  std::string declarations_, assignments_;
};

// <source name>_<number of the value>
std::string value_name(const ir::Process& process, ir::ValueId value);

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_CONTEXT_H_
