// SPDX-License-Identifier: Apache-2.0
//
// The files of the page, embedded at build time (sim/analysis/report/embed_files.cmake).
#ifndef VTA_SIM_ANALYSIS_EXPLORE_PAGE_FILES_H_
#define VTA_SIM_ANALYSIS_EXPLORE_PAGE_FILES_H_

#include <string_view>

namespace vta::sim {

extern const std::string_view kCoresBody;    // page/cores.html
extern const std::string_view kCoresScript;  // the scripts, in the order of CMakeLists.txt

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_EXPLORE_PAGE_FILES_H_
