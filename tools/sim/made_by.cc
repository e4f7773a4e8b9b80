// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/made_by.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "base/command_line/command_line.h"
#include "tools/sim/build_facts.h"

namespace vta::sim {

std::string made_by() {
  return fmt::format("vta-sim {}, {:%Y-%m-%d %H:%M} UTC: {}", build_facts().front().second,
                     fmt::gmtime(std::time(nullptr)), command_line());
}

}  // namespace vta::sim
