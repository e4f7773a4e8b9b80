// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/kernel_files.h"

#include <filesystem>

#include "base/files/file.h"

namespace vta::kernels {

void KernelFiles::add_arguments(Command& command) {
  command.argument("verilog", verilog_, "OUT.sv", "The design");
  command.argument("model", model_, "OUT.cc", "Where its ports are when it is Verilated");
  command.argument("cycles", cycles_, "OUT.cc",
                   "Cycle models; their headers are written to the same folder");
}

void KernelFiles::add(const std::string& name, const hlsc::ir::Design& design,
                      const hlsc::schedule::Schedule& schedule) {
  top_.add(name, design, schedule);
  cycle_models_.add(name, design, schedule);
}

void KernelFiles::write() const {
  write_file(verilog_, top_.system_verilog());
  write_file(model_, top_.model());
  for (const auto& [name, text] : cycle_models_.headers())
    write_file(std::filesystem::path(cycles_).replace_filename(name).string(), text);
  write_file(cycles_, cycle_models_.source());
}

}  // namespace vta::kernels
