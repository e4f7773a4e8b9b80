// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TOOL_NEW_KERNEL_H_
#define VTA_HW_HLSC_TOOL_NEW_KERNEL_H_

#include <string>

namespace vta::hlsc {

// Makes the folder `name` in the working directory: a kernel with its testbench, and a Makefile.
// Errors: kInvalidArgument if the name is not letters, digits and _ with a letter first, or exists;
// kIo.
void make_new_kernel(const std::string& name);

}  // namespace vta::hlsc

#endif  // VTA_HW_HLSC_TOOL_NEW_KERNEL_H_
