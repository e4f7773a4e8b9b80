// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_COMPILE_NOTED_CORE_H_
#define VTA_TOOLS_COMPILE_NOTED_CORE_H_

#include <string>
#include <vector>

#include "base/command_line/command_line.h"
#include "configs/core_config.h"

namespace vta {

// load_core_config(), and a note on standard error for each key that is ignored: for tools only.
inline CoreConfig load_noted_core(const std::string& name) {
  std::vector<std::string> notes;
  CoreConfig core = load_core_config(name, &notes);
  for (const std::string& note : notes) print_note("core " + name + ": " + note);
  return core;
}

}  // namespace vta

#endif  // VTA_TOOLS_COMPILE_NOTED_CORE_H_
