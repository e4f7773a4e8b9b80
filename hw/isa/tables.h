// SPDX-License-Identifier: Apache-2.0
//
// The generated parts of README.md: the tables that follow from the .def files.
#ifndef VTA_HW_ISA_TABLES_H_
#define VTA_HW_ISA_TABLES_H_

#include <string>
#include <vector>

namespace vta::isa {

// In the order of README.md, each with the comments that mark it as generated: bit positions of all
// fields (a column for each of three cores), ALU opcodes, REQ's control word, faults.
std::vector<std::string> readme_parts();

}  // namespace vta::isa

#endif  // VTA_HW_ISA_TABLES_H_
