// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_TOOLS_COMPILE_NOTED_OPTIONS_H_
#define VTA_TOOLS_COMPILE_NOTED_OPTIONS_H_

#include "tools/compile/network_arguments.h"
#include "tools/compile/noted_core.h"

namespace vta {

// compile_options(), with the notes of load_noted_core() and those of the network's import: for
// tools only.
inline CompileOptions noted_compile_options(const import::Network& network,
                                            const NetworkArguments& arguments) {
  for (const std::string& note : network.notes) print_note(network.weights + ": " + note);
  if (arguments.core) load_noted_core(*arguments.core);
  return compile_options(network, arguments);
}

}  // namespace vta

#endif  // VTA_TOOLS_COMPILE_NOTED_OPTIONS_H_
