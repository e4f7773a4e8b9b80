// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/other_cores.h"

#include "base/errors/error.h"
#include "sim/cycle/model_cache.h"
#include "tools/sim/cache_folder.h"

namespace vta::sim {

std::unique_ptr<TimedCore> make_other_core(const CoreConfig& core, const MemoryConfig& memory,
                                           bool computes) {
  constexpr double kPeriodNs = 10;
  return with_context("core " + core.name + " is not built in", [&] {
    static ModelCache models(cache_folder() / "models", find_model_tools());
    return models.make(core, kPeriodNs, memory, computes);
  });
}

}  // namespace vta::sim
