// SPDX-License-Identifier: Apache-2.0
//
// The ports of a compiled kernel's module, and their roles in a test.
#ifndef VTA_TESTS_HLS_VERILOG_PINS_H_
#define VTA_TESTS_HLS_VERILOG_PINS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hw/hlsc/ir/ir.h"

namespace vta::kernels {

struct Pin {
  std::string name;
  bool output;
  uint32_t width;
};

class VerilogPins {
 public:
  // The external objects: streams with one end in the design, inputs, DRAM ports.
  explicit VerilogPins(const hlsc::ir::Design& design);

  const std::vector<Pin>& pins() const { return pins_; }

  // C++ statements that fill a KernelModel `k` (verilog_model.h) with the members of `top` named
  // `prefix` + pin.
  std::string table(const std::string& prefix) const;

 private:
  void add(const hlsc::ir::Object& object, bool is_read, bool is_written);
  void constant(const hlsc::ir::Object& object);
  void inward(const std::string& name, uint32_t width, const char* group, const std::string& key);
  void outward(const std::string& name, uint32_t width, const char* group, const std::string& key);
  void idle(const std::string& port);

  std::vector<Pin> pins_;
  std::string table_;  // @ is the prefix
};

}  // namespace vta::kernels

#endif  // VTA_TESTS_HLS_VERILOG_PINS_H_
