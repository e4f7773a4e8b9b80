// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/verilog.h"

#include <fmt/format.h>

#include "hw/hlsc/emit/names.h"
#include "hw/hlsc/emit/process_module.h"
#include "hw/hlsc/emit/top_module.h"

namespace vta::hlsc::emit {

std::string verilog(const ir::Design& design, const schedule::Schedule& schedule,
                    const bind::Binding& binding, DramPorts dram_ports) {
  const ir::Design names = named(design);
  std::string text = fmt::format("// {}: written by vta-hlsc\n", names.name);
  for (size_t process = 0; process < design.processes.size(); ++process)
    text += "\n" + process_module(names, design.processes[process], schedule, binding, process);
  return text + "\n" + top_module(names, binding.ram_ports, dram_ports);
}

}  // namespace vta::hlsc::emit
