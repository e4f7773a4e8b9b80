// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_RTL_VERIFY_H_
#define VTA_HW_HLSC_RTL_VERIFY_H_

#include "hw/hlsc/rtl/module.h"

namespace vta::hlsc::rtl {

// Asserts what every module must fulfil: each port, net and variable has one declaration in its
// scope, each name that an expression or a target uses is declared. No input port is assigned, each
// net has at most one continuous driver, and a register is not driven continuously. Instances'
// connections may drive nets; their directions are not known here.
void verify(const Module& module);

}  // namespace vta::hlsc::rtl

#endif  // VTA_HW_HLSC_RTL_VERIFY_H_
