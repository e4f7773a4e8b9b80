// SPDX-License-Identifier: Apache-2.0
//
// What is made from registers.def besides registers.h. The tool `register_map` prints both; a test
// compares them with the files that hold them.
#ifndef VTA_HW_REGISTERS_REGISTER_MAP_H_
#define VTA_HW_REGISTERS_REGISTER_MAP_H_

#include <string>

namespace vta::driver {

// hw/rtl/registers/vta_registers_pkg.sv: offsets, bits, which words are mapped, stages and faults.
std::string register_package();

// The register map of hw/rtl/registers/README.md, with the comments that mark it as generated.
std::string register_tables();

}  // namespace vta::driver

#endif  // VTA_HW_REGISTERS_REGISTER_MAP_H_
