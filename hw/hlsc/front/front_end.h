// SPDX-License-Identifier: Apache-2.0
//
// C++ to process IR: clang 19 parses, LLVM inlines, unrolls and makes static single assignment
// form; then loops become ir::Loop, and branches become predicates.
#ifndef VTA_HW_HLSC_FRONT_FRONT_END_H_
#define VTA_HW_HLSC_FRONT_FRONT_END_H_

#include <string>
#include <vector>

#include "hw/hlsc/front/variable_names.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::front {

struct Source {
  std::string path;  // a C++ file that instantiates the design's class
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;  // NAME or NAME=VALUE
};

// The design that the file instantiates, verified. It has the name of the class without template
// arguments. Processes, RAMs, registers and inputs are found by the annotations of hw/hls/pragma.h,
// streams and ports by their types.
// `warnings`, unless null, gets one line for each warning: "file:line: text" for clang's and for
// pragmas of other tools, "name: text" for streams and ports that no process uses.
// Errors: kInvalidArgument with clang's first error, or with one line "file:line: reason" for code
// outside the subset (hw/hlsc/front/README.md lists the reasons).
// `names`, unless null, gets the variables for messages of later stages.
ir::Design compile(const Source& source, std::vector<std::string>* warnings = nullptr,
                   VariableNames* names = nullptr);

}  // namespace vta::hlsc::front

#endif  // VTA_HW_HLSC_FRONT_FRONT_END_H_
