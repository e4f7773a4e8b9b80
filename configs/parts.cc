// SPDX-License-Identifier: Apache-2.0
#include "configs/parts.h"

#include <fmt/ranges.h>

#include "base/errors/error.h"

namespace vta {

const std::vector<FpgaPart>& fpga_parts() {
  static const std::vector<FpgaPart> parts = {
#define VTA_PART(name, lut, ff, dsp48e1, ramb36) {#name, {lut, ff, dsp48e1, ramb36}},
#include "configs/parts.def"
  };
  return parts;
}

std::vector<std::string> fpga_part_names() {
  std::vector<std::string> names;
  for (const FpgaPart& part : fpga_parts()) names.push_back(part.name);
  return names;
}

const FpgaPart& find_fpga_part(const std::string& name) {
  for (const FpgaPart& part : fpga_parts()) {
    if (part.name == name) return part;
  }
  fail(ErrorCode::kNotFound, "part '{}' is not one of {}", name,
       fmt::join(fpga_part_names(), ", "));
}

}  // namespace vta
