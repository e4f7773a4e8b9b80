// SPDX-License-Identifier: Apache-2.0
//
// hw/core as Verilated SystemVerilog.
#ifndef VTA_SIM_RTL_RTL_CORE_H_
#define VTA_SIM_RTL_RTL_CORE_H_

#include <memory>

#include "configs/core_config.h"
#include "configs/memory_config.h"
#include "sim/timed/timed_core.h"
#include "sim/timed/waveform.h"

namespace vta::sim {

// With `waveform` it returns a slower core that writes the waveform. Every core is Verilated twice:
// with its signals kept for waveforms, and without.
// Errors: kUnsupported if no Verilated core has the values of `config`; names the CMake list to
// extend.
std::unique_ptr<TimedCore> make_rtl_core(const CoreConfig& config, const MemoryConfig& memory,
                                         const WaveformRequest* waveform = nullptr);

}  // namespace vta::sim

#endif  // VTA_SIM_RTL_RTL_CORE_H_
