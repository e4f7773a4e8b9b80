// SPDX-License-Identifier: Apache-2.0
#include "tools/sim/stopwatch.h"

namespace vta::sim {
namespace {
const Stopwatch process_stopwatch;
}  // namespace

double process_seconds() { return process_stopwatch.seconds(); }

}  // namespace vta::sim
