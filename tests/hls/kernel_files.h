// SPDX-License-Identifier: Apache-2.0
//
// KernelFiles: the files that a generator of kernels writes: one SystemVerilog design, C++ bindings
// to its ports in the Verilated model (verilog_top.h), and the cycle models (cycle_model_source.h).
#ifndef VTA_TESTS_HLS_KERNEL_FILES_H_
#define VTA_TESTS_HLS_KERNEL_FILES_H_

#include <string>

#include "base/command_line/command_line.h"
#include "tests/hls/cycle_model_source.h"
#include "tests/hls/verilog_top.h"

namespace vta::kernels {

class KernelFiles {
 public:
  // The next arguments are the files' names.
  void add_arguments(Command& command);

  // As VerilogTop::add().
  void add(const std::string& name, const hlsc::ir::Design& design,
           const hlsc::schedule::Schedule& schedule);

  // Errors: kIo.
  void write() const;

 private:
  std::string verilog_, model_, cycles_;
  VerilogTop top_;
  CycleModelSource cycle_models_;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_KERNEL_FILES_H_
