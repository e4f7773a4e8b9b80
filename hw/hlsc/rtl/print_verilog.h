// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_RTL_PRINT_VERILOG_H_
#define VTA_HW_HLSC_RTL_PRINT_VERILOG_H_

#include <string>

#include "hw/hlsc/rtl/module.h"

namespace vta::hlsc::rtl {

// SystemVerilog text. The same structure gives the same bytes.
std::string print_verilog(const File& file);
std::string print_verilog(const Module& module);
std::string print_verilog(const Expression& expression);

}  // namespace vta::hlsc::rtl

#endif  // VTA_HW_HLSC_RTL_PRINT_VERILOG_H_
