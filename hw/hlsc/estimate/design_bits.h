// SPDX-License-Identifier: Apache-2.0
//
// The modules of a design (emit/verilog.h) as bits: process modules are flattened into the top, the
// modules of hw/rtl are sources and endpoints.
#ifndef VTA_HW_HLSC_ESTIMATE_DESIGN_BITS_H_
#define VTA_HW_HLSC_ESTIMATE_DESIGN_BITS_H_

#include <string>
#include <vector>

#include "hw/hlsc/estimate/bit_graph.h"
#include "hw/hlsc/rtl/module.h"

namespace vta::hlsc::estimate {

// A register: the bits that it takes, without the choice to keep its value if its flip-flops have
// an enable.
struct RegisterBits {
  std::string process, name;
  Bits now, next;  // an unread bit takes the constant 0
  Bit enable = kOne;
  bool is_in_dsp = false;  // it holds a product: a register of the DSP48E1
  bool has_reset = false;
};

struct DesignBits {
  BitGraph graph;
  std::vector<std::string> blocks;  // names of the processes, by number; "" of the top
  std::vector<RegisterBits> registers;
  Bits pins;  // inputs of the modules of hw/rtl, outputs of the top
};

// The synthesis view of each unit; the last one is the top.
DesignBits design_bits(const rtl::File& file);

}  // namespace vta::hlsc::estimate

#endif  // VTA_HW_HLSC_ESTIMATE_DESIGN_BITS_H_
