// SPDX-License-Identifier: Apache-2.0
//
// Many kernels as one SystemVerilog design, to be Verilated at once.
#ifndef VTA_TESTS_HLS_VERILOG_TOP_H_
#define VTA_TESTS_HLS_VERILOG_TOP_H_

#include <string>

#include "hw/hlsc/ir/ir.h"
#include "hw/hlsc/schedule/schedule.h"

namespace vta::kernels {

class VerilogTop {
 public:
  // `name` is that of the kernel's file; `design` has been through passes::legalize().
  void add(const std::string& name, const hlsc::ir::Design& design,
           const hlsc::schedule::Schedule& schedule);

  // The modules of all kernels and the top `kernels`, which has every kernel's ports with the
  // kernel's name as prefix. Needs the modules of hw/rtl.
  std::string system_verilog() const;

  // The C++ of make_verilog_model() (verilog_model.h), for the class Vkernels that Verilator makes
  // of the top.
  std::string model() const;

 private:
  std::string modules_, ports_, instances_, pins_;
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_VERILOG_TOP_H_
