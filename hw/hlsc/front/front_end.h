// SPDX-License-Identifier: Apache-2.0
//
// C++ to process IR: clang 19 parses, LLVM inlines, unrolls and brings the source into static
// single assignment form; then loops become ir::Loop and branches predicates.
#ifndef VTA_HW_HLSC_FRONT_FRONT_END_H_
#define VTA_HW_HLSC_FRONT_FRONT_END_H_

#include <string>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::front {

struct Source {
  std::string path;  // a C++ file that instantiates the design's class
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;  // NAME or NAME=VALUE
};

// The design that the file instantiates; verified. Its name is the class's (template arguments
// dropped). Processes, RAMs, registers, inputs are found by the annotations of hw/hls/pragma.h,
// streams and ports by their types.
// Errors: kInvalidArgument: clang's first error, or for what is outside the subset one line
// "file:line: reason" with the reason by name (hw/hlsc/README.md lists them).
ir::Design compile(const Source& source);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_FRONT_END_H_
