// SPDX-License-Identifier: Apache-2.0
//
// The generated files of hw/rtl/registers. The tool `register_map` prints them; a test compares
// them with the files.
#ifndef VTA_HW_REGISTERS_REGISTER_MAP_H_
#define VTA_HW_REGISTERS_REGISTER_MAP_H_

#include <string>

namespace vta::hw {

// vta_registers_pkg.sv: offsets, bits, mapped words, stages, faults.
std::string register_package();

// The register map of README.md, with the comments that mark it as generated.
std::string register_tables();

}  // namespace vta::hw

#endif  // VTA_HW_REGISTERS_REGISTER_MAP_H_
