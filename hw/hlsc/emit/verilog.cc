// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/verilog.h"

#include <fmt/format.h>

#include "hw/hlsc/emit/process_module.h"
#include "hw/hlsc/emit/top_module.h"

namespace vta::hlsc::emit {

std::string verilog(const ir::Design& design, const schedule::Schedule& schedule,
                    DramPorts dram_ports) {
  const std::map<ir::ObjectId, RamPorts> rams = ram_ports(design);
  std::string text = fmt::format("// {}: written by vta-hlsc\n", design.name);
  for (size_t process = 0; process < design.processes.size(); ++process) {
    text += "\n" + process_module(design, schedule, rams, process,
                                  design.name + "_" + design.processes[process].name);
  }
  return text + "\n" + top_module(design, rams, dram_ports);
}

}  // namespace vta::hlsc::emit
