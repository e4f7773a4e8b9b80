// SPDX-License-Identifier: Apache-2.0
//
// Mode: the style of the instruction streams of a program.
#ifndef VTA_COMPILER_LOWER_MODE_H_
#define VTA_COMPILER_LOWER_MODE_H_

#include <string>

namespace vta::lower {

enum class Mode {
  kFused,  // residual adds fused into a convolution's stream; split instructions and REQ if the
           // core has the extension
  kCompatible,  // plain instructions, one ALU pass per operation, adds in their own streams, as
                // VTA's runtime
};
const char* to_string(Mode mode);
Mode mode_from_string(const std::string& text);  // Errors: kInvalidArgument

}  // namespace vta::lower

#endif  // VTA_COMPILER_LOWER_MODE_H_
