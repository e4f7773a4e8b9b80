// SPDX-License-Identifier: Apache-2.0
//
// The parts of README.md that follow from fields.def and faults.def, in Markdown.
#ifndef VTA_HW_ISA_TABLES_H_
#define VTA_HW_ISA_TABLES_H_

#include <span>
#include <string>

#include "configs/core_config.h"

namespace vta::isa {

// Bit positions of every field of every shape and of the micro-op, a column for each core.
std::string layout_tables(std::span<const CoreConfig> cores);

// Code, name and reported value of every fault.
std::string fault_table();

// `text` between the comments that mark a generated part of README.md.
std::string generated_part(const std::string& name, const std::string& text);

}  // namespace vta::isa

#endif  // VTA_HW_ISA_TABLES_H_
