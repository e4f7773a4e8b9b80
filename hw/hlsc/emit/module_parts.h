// SPDX-License-Identifier: Apache-2.0
//
// A process's module while it is built: the nets and statements that states, stages and counters
// add to it, and clocked blocks with variables of their own.
#ifndef VTA_HW_HLSC_EMIT_MODULE_PARTS_H_
#define VTA_HW_HLSC_EMIT_MODULE_PARTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hw/hlsc/emit/expression.h"
#include "hw/hlsc/rtl/module.h"

namespace vta::hlsc::emit {

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

}  // namespace vta::hlsc::emit

#endif  // VTA_HW_HLSC_EMIT_MODULE_PARTS_H_
