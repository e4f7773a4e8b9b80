// SPDX-License-Identifier: Apache-2.0
//
// The files of the page, embedded at build time (embed_files.cmake).
#ifndef VTA_SIM_ANALYSIS_REPORT_PAGE_FILES_H_
#define VTA_SIM_ANALYSIS_REPORT_PAGE_FILES_H_

#include <string_view>

namespace vta::sim {

extern const std::string_view kPageFrame;   // page/frame.html
extern const std::string_view kReportBody;  // page/report.html
extern const std::string_view kPageStyle;   // page/report.css
extern const std::string_view kPageScript;  // the scripts of page/, in the order of CMakeLists.txt
extern const std::string_view kComparisonBody;    // page/comparison.html
extern const std::string_view kComparisonScript;  // the scripts of that page
extern const std::string_view kD3;                // D3, minified, with its licence's name

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_PAGE_FILES_H_
