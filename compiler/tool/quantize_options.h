// SPDX-License-Identifier: Apache-2.0
//
// The options of quantization, as every tool that compiles has them.
#ifndef VTA_COMPILER_TOOL_QUANTIZE_OPTIONS_H_
#define VTA_COMPILER_TOOL_QUANTIZE_OPTIONS_H_

#include "compiler/compile.h"
#include "runtime/base/command_line.h"

namespace vta {

// --per-channel, --equalize, --rounding, --keep-float.
void add_quantize_options(Command& command, QuantizeOptions& options);

}  // namespace vta

#endif  // VTA_COMPILER_TOOL_QUANTIZE_OPTIONS_H_
