// SPDX-License-Identifier: Apache-2.0
#include "hw/hlsc/emit/verilog.h"

#include "hw/hlsc/emit/names.h"
#include "hw/hlsc/emit/process_module.h"
#include "hw/hlsc/emit/top_module.h"
#include "hw/hlsc/emit/top_rams.h"
#include "hw/hlsc/rtl/print_verilog.h"

namespace vta::hlsc::emit {

rtl::File modules(const ir::Design& design, const schedule::Schedule& schedule,
                  const bind::Binding& binding, DramPorts dram_ports) {
  const ir::Design names = named(design);
  rtl::File file{names.name + ": written by vta-hlsc", {}};
  for (size_t process = 0; process < design.processes.size(); ++process)
    file.units.push_back(
        process_module(names, design.processes[process], schedule, binding, process));
  file.units.push_back({top_module(names, binding.ram_ports, dram_ports), {}});
  file.rams = initialized_rams(names, binding.ram_ports);
  return file;
}

std::string verilog(const ir::Design& design, const schedule::Schedule& schedule,
                    const bind::Binding& binding, DramPorts dram_ports) {
  return rtl::print_verilog(modules(design, schedule, binding, dram_ports));
}

}  // namespace vta::hlsc::emit
