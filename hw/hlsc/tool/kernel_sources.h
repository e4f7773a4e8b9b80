// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_TOOL_KERNEL_SOURCES_H_
#define VTA_HW_HLSC_TOOL_KERNEL_SOURCES_H_

#include <filesystem>

namespace vta::hlsc {

// The folder of hw/hls (headers and native code of kernels) and hw/rtl (modules of emitted
// designs): PREFIX/share/vta/hls of an installation, or the source tree. Errors: kNotFound.
std::filesystem::path kernel_sources();

}  // namespace vta::hlsc

#endif  // VTA_HW_HLSC_TOOL_KERNEL_SOURCES_H_
