// SPDX-License-Identifier: Apache-2.0
//
// In place of the Verilated vta_top of the board's unit tests: the placed netlist in the library
// that the variable VTA_PLACED_MODEL names.
#ifndef VTA_TESTS_FPGA_PLACED_VVTA_TOP_H_
#define VTA_TESTS_FPGA_PLACED_VVTA_TOP_H_

#include "tests/fpga/placed/placed_model.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that Verilator gives it.
class Vvta_top : public vta::test::PlacedPins {
 public:
  Vvta_top();
  ~Vvta_top();
  Vvta_top(const Vvta_top&) = delete;
  Vvta_top& operator=(const Vvta_top&) = delete;

  void eval() { eval_(model_, this); }

 private:
  decltype(&vta_placed_destroy) destroy_;
  decltype(&vta_placed_eval) eval_;
  void* model_;
};

#endif  // VTA_TESTS_FPGA_PLACED_VVTA_TOP_H_
