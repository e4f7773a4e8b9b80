// SPDX-License-Identifier: Apache-2.0
#include "tests/mutations/mutated_core.h"

#include <Vmutated.h>
#include <Vmutated___024root.h>

#include "sim/rtl/fst_waveform.h"
#include "sim/rtl/rtl_core_of.h"

namespace vta::mutations {
namespace {

class Model : public Vmutated {
 public:
  using Vmutated::Vmutated;
  void eval() {
    Selection& selected = selection();
    if (selected.evaluations_left-- == 0) throw EndlessRun();
    hls_mutant = selected.mutant;
    if (selected.arena_bytes != 0) dram_size_bytes = selected.arena_bytes;
    Vmutated::eval();
    if (!rst) selected.port_errors |= errors();
  }

 private:
  uint32_t errors() const {
    return fetch_port_error | uint32_t{load_port_error} << 1 | uint32_t{uop_port_error} << 2 |
           uint32_t{acc_port_error} << 3 | uint32_t{store_port_error} << 4;
  }
};

}  // namespace

Selection& selection() {
  static Selection selected;
  return selected;
}

std::unique_ptr<sim::TimedCore> make_mutated_core(bool extension, const MemoryConfig& memory) {
  return std::make_unique<sim::RtlCoreOf<Model, sim::NoWaveform>>(extension, memory);
}

}  // namespace vta::mutations
