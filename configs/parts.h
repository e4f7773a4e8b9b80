// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_CONFIGS_PARTS_H_
#define VTA_CONFIGS_PARTS_H_

#include <string>
#include <vector>

namespace vta {

// Numbers of an FPGA's cells: what a part has, or what a design takes. A RAMB18 is half a RAMB36.
struct FpgaResources {
  double lut = 0, ff = 0, dsp48e1 = 0, ramb36 = 0;
};

struct FpgaPart {
  std::string name;  // without package and speed grade
  FpgaResources has;
};

inline constexpr const char* kDefaultPart = "xc7z020";  // of the default core's boards

// The parts of parts.def, in its order.
const std::vector<FpgaPart>& fpga_parts();
std::vector<std::string> fpga_part_names();

// Errors: kNotFound, listing the names.
const FpgaPart& find_fpga_part(const std::string& name);

}  // namespace vta

#endif  // VTA_CONFIGS_PARTS_H_
