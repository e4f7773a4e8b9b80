// SPDX-License-Identifier: Apache-2.0
//
// Compiled into the library of a Verilated netlist.
#include "tests/fpga/placed/placed_model.h"

#include <Vplaced.h>
#include <verilated.h>

#include <memory>

namespace {

struct Model {
  VerilatedContext context;
  Vplaced top{&context};
};

void copy(auto& to, const auto& from) {
  if constexpr (requires { to[0]; }) {
    for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); ++i) to[i] = from[i];
  } else {
    to = from;
  }
}

}  // namespace

double sc_time_stamp() { return 0; }

void* vta_placed_create() { return std::make_unique<Model>().release(); }

void vta_placed_destroy(void* model) { delete static_cast<Model*>(model); }

void vta_placed_eval(void* model, vta::test::PlacedPins* pins) {
  Vplaced& top = static_cast<Model*>(model)->top;
#define VTA_INPUT(type, name) copy(top.name, pins->name);
#define VTA_OUTPUT(type, name)
#include "tests/fpga/placed/placed_pins.inc"
#undef VTA_INPUT
#undef VTA_OUTPUT
  top.eval();
#define VTA_INPUT(type, name)
#define VTA_OUTPUT(type, name) copy(pins->name, top.name);
#include "tests/fpga/placed/placed_pins.inc"
#undef VTA_INPUT
#undef VTA_OUTPUT
}
