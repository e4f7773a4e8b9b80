// SPDX-License-Identifier: Apache-2.0
//
// The interface of a library with a Verilated placed netlist, which
// placed_netlist_test.py builds.
#ifndef VTA_TESTS_FPGA_PLACED_PLACED_MODEL_H_
#define VTA_TESTS_FPGA_PLACED_PLACED_MODEL_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace vta::test {

// A port of more than 64 bits.
template <size_t kWords>
using Words = std::array<uint32_t, kWords>;

#define VTA_INPUT(type, name) type name = {};
#define VTA_OUTPUT(type, name) type name = {};
struct PlacedPins {
#include "tests/fpga/placed/placed_pins.inc"
};
#undef VTA_INPUT
#undef VTA_OUTPUT

}  // namespace vta::test

extern "C" {
void* vta_placed_create();
void vta_placed_destroy(void* model);
// Takes the inputs, evaluates, sets the outputs.
void vta_placed_eval(void* model, vta::test::PlacedPins* pins);
}

#endif  // VTA_TESTS_FPGA_PLACED_PLACED_MODEL_H_
