// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/schedule/operation_text.h"

#include <fmt/format.h>

namespace vta::hlsc::schedule {

std::string operation_text(const ir::Design& design, const ir::Op& op) {
  std::string text = ir::mnemonic(op.opcode);
  if (op.object != ir::kNoObject) text += " " + design.objects[op.object].name;
  if (!op.name.empty()) text += fmt::format(" '{}'", op.name);
  return text;
}

std::string place_text(const ir::Location& location) {
  return location.line == 0 ? "" : fmt::format("{}:{}", location.file, location.line);
}

std::string place_prefix(const ir::Location& location) {
  const std::string place = place_text(location);
  return place.empty() ? "" : place + ": ";
}

}  // namespace vta::hlsc::schedule
