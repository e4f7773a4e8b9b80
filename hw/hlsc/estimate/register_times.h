// SPDX-License-Identifier: Apache-2.0
//
// When the registers of a design get their values, by an estimate of the netlist. It is the
// design's Verilog at the level of bits (design_bits.h), mapped to LUTs (lut_mapping.h). Delays are
// those of 7-series cells of speed grade -1 and of the model of nets of hw/fpga/flow/net_delays.py.
#ifndef VTA_HW_HLSC_ESTIMATE_REGISTER_TIMES_H_
#define VTA_HW_HLSC_ESTIMATE_REGISTER_TIMES_H_

#include <map>
#include <string>
#include <utility>

#include "hw/hlsc/rtl/module.h"

namespace vta::hlsc::estimate {

struct RegisterTime {
  double period_ns = 0;   // the shortest one, setup included
  size_t flip_flops = 0;  // without bits that nothing reads
};
// By process and Verilog name. Without the registers in DSP48E1s.
using RegisterTimes = std::map<std::pair<std::string, std::string>, RegisterTime>;

// `file`: emit::modules() of a design.
RegisterTimes register_times(const rtl::File& file);

}  // namespace vta::hlsc::estimate

#endif  // VTA_HW_HLSC_ESTIMATE_REGISTER_TIMES_H_
