// SPDX-License-Identifier: Apache-2.0
#ifndef VTA_HW_HLSC_BIND_MULTIPLIERS_H_
#define VTA_HW_HLSC_BIND_MULTIPLIERS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "hw/hlsc/bind/product_pairs.h"
#include "hw/hlsc/ir/ir.h"

namespace vta::hlsc::bind {

// A multiplier of the hardware: of one product, or of the two of a pair.
struct Multiplier {
  std::vector<ir::ValueId> products;
  uint32_t dsp48e1 = 0;  // 25 x 18 bits signed each; 0: LUTs
};

// The multipliers of a process, in program order of their first products. Products of different
// steps never share one. DSP48E1 are counted as yosys maps the Verilog
// (tests/hls/compare_resources.py compares). A factor has as many bits as are left without its
// extension, a product that is too wide is split into parts of 17 bits, constants are factors like
// others.
std::vector<Multiplier> multipliers(const ir::Process& process,
                                    const std::map<ir::ValueId, ProductPair>& pairs);

}  // namespace vta::hlsc::bind

#endif  // VTA_HW_HLSC_BIND_MULTIPLIERS_H_
