// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/verilog.h"

#include <fmt/format.h>

#include "hw/hlsc/emit/names.h"
#include "hw/hlsc/emit/process_module.h"
#include "hw/hlsc/emit/top_module.h"

namespace vta::hlsc::emit {

std::string verilog(const ir::Design& design, const schedule::Schedule& schedule,
                    DramPorts dram_ports) {
  const ir::Design names = named(design);
  const std::map<ir::ObjectId, RamPorts> rams = ram_ports(names);
  std::string text = fmt::format("// {}: written by vta-hlsc\n", names.name);
  for (size_t process = 0; process < design.processes.size(); ++process)
    text += "\n" + process_module(names, design.processes[process], schedule, rams, process);
  return text + "\n" + top_module(names, rams, dram_ports);
}

}  // namespace vta::hlsc::emit
