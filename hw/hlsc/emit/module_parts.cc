// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/module_parts.h"

namespace vta::hlsc::emit {

Expression ModuleParts::add_register(const std::string& name, uint32_t width) {
  registers.push_back({rtl::NetKind::kRegister, width, name, {}});
  return rtl::net(name, width);
}

Expression ModuleParts::add_flag(const std::string& name) {
  const Expression net = add_register(name, 1);
  reset(net, rtl::literal_text("1'b0", 1));
  return net;
}

void ModuleParts::reset(const Expression& target, const Expression& value) {
  resets.push_back(rtl::nonblocking(target, value));
}

rtl::Statement clocked_block(const Expression& condition, const std::string& label,
                             const Block& block, std::vector<rtl::Statement> actions) {
  rtl::Statement statement;
  statement.kind = rtl::StatementKind::kBlock;
  statement.condition = condition;
  statement.label = label;
  statement.variables = block.variables;
  statement.then = block.assignments;
  for (rtl::Statement& action : actions) statement.then.push_back(std::move(action));
  return statement;
}

}  // namespace vta::hlsc::emit
