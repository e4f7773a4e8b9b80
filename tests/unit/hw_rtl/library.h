// SPDX-License-Identifier: Apache-2.0
//
// The Verilated modules of hw/rtl and their clock.
//
// A cycle of a test: set inputs; settle(); read outputs and set inputs that depend on them;
// clock(). Inputs keep their values.
#ifndef VTA_TESTS_UNIT_HW_RTL_LIBRARY_H_
#define VTA_TESTS_UNIT_HW_RTL_LIBRARY_H_

#include <Vhw_rtl_library.h>

namespace vta::rtl {

// The parameters of the variants in hw_rtl_library.sv.
constexpr int kFifoDepths[] = {1, 2, 3, 4, 32, 33, 64, 512};
constexpr int kTokenDepths[] = {1, 2, 3, 4, 64, 512};
constexpr int kRamDepths[] = {37, 64, 1};
constexpr int kRamLaneBits[] = {8, 64, 128};
constexpr int kBursts[] = {1, 3, 8};

class Library {
 public:
  Library() {
    pins.rst = 1;
    clock();
    pins.rst = 0;
    settle();
  }

  void settle() { pins.eval(); }
  void clock() {
    settle();
    pins.clk = 1;
    pins.eval();
    pins.clk = 0;
    pins.eval();
    ++cycle_;
  }
  int cycle() const { return cycle_; }

 private:
  // One thread, because death tests fork.
  static VerilatedContext* single_thread(VerilatedContext& context) {
    context.threads(1);
    return &context;
  }

  VerilatedContext context_;
  int cycle_ = 0;

 public:
  Vhw_rtl_library pins{single_thread(context_)};
};

}  // namespace vta::rtl

#endif  // VTA_TESTS_UNIT_HW_RTL_LIBRARY_H_
