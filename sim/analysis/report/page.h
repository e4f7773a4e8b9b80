// SPDX-License-Identifier: Apache-2.0
//
// Pages of plots as one HTML file: a frame with the page's body, its plots' code, the style, D3 and
// the data. They need no other file and no network. Their last line says how and when they were
// made.
#ifndef VTA_SIM_ANALYSIS_REPORT_PAGE_H_
#define VTA_SIM_ANALYSIS_REPORT_PAGE_H_

#include <string>
#include <string_view>

namespace vta::sim {

// `body`: the element <main>. `script` reads `json` from the element `data`. `made`: one line.
std::string fill_page(std::string_view body, std::string_view script, const std::string& title,
                      const std::string& made, const std::string& json);

// The report. `json`: of to_json(NetworkReport).
std::string report_page(const std::string& title, const std::string& made, const std::string& json);

// Two reports side by side. `json`: of to_json(Comparison).
std::string comparison_page(const std::string& made, const std::string& json);

}  // namespace vta::sim

#endif  // VTA_SIM_ANALYSIS_REPORT_PAGE_H_
