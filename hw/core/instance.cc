// SPDX-License-Identifier: Apache-2.0
//
// The core for the configuration given by the definitions CORE_<field> on the command line, for
// example -D CORE_batch=1 (configs/core_fields.def).
#include "hw/core/core.h"
#include "hw/core/options.h"
#include "hw/core/params.h"

struct Config {
  static constexpr vta::CoreSizes kSizes = {
#define VTA_CORE_FIELD(key, max, power_of_two, meaning) CORE_##key,
#include "configs/core_fields.def"
  };
};

template struct vta::core::Core<vta::core::Params<Config>>;
