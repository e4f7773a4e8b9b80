// SPDX-License-Identifier: Apache-2.0
//
// The cores of tests/cores_of_any_shape/cores on every simulator.
#ifndef VTA_TESTS_CORES_OF_ANY_SHAPE_CORE_H_
#define VTA_TESTS_CORES_OF_ANY_SHAPE_CORE_H_

#include <memory>
#include <string>
#include <vector>

#include "configs/core_config.h"
#include "configs/memory_config.h"
#include "sim/functional/native_core.h"
#include "sim/timed/timed_core.h"

namespace vta::odd_cores {

// `config` is the core's file, with or without the extension.
struct OddCore {
  std::string name;
  std::unique_ptr<sim::NativeCore> (*make_native)(const CoreConfig& config, sim::NativeLoops loops);
  std::unique_ptr<sim::TimedCore> (*make_cycle)(const CoreConfig& config,
                                                const MemoryConfig& memory);
  std::unique_ptr<sim::TimedCore> (*make_rtl)(const CoreConfig& config, const MemoryConfig& memory);
};

// Defined by a generated file.
const std::vector<OddCore>& odd_cores();

}  // namespace vta::odd_cores

#endif  // VTA_TESTS_CORES_OF_ANY_SHAPE_CORE_H_
