// SPDX-License-Identifier: Apache-2.0
//
// The figures in hw/boards/timing, embedded at build time (sim/report/embed_files.cmake).
#ifndef VTA_SIM_EXPLORE_TIMING_FILES_H_
#define VTA_SIM_EXPLORE_TIMING_FILES_H_

#include <string_view>

namespace vta::sim {

extern const std::string_view kTimingOfTiny1x8;  // tiny_1x8.json
extern const std::string_view kTimingOfVta1x16;  // vta_1x16.json

}  // namespace vta::sim

#endif  // VTA_SIM_EXPLORE_TIMING_FILES_H_
