// SPDX-License-Identifier: Apache-2.0
//
// Pages of plots as one HTML file: a template with its plots' code, the style, D3 and the data in
// it. They need no other file and no network.
#ifndef VTA_SIM_REPORT_PAGE_H_
#define VTA_SIM_REPORT_PAGE_H_

#include <string>
#include <string_view>

namespace vta::sim {

// `page` has the marks {{title}}, {{style}}, {{d3}}, {{script}} and {{data}}, once each.
std::string fill_page(std::string_view page, std::string_view script, const std::string& title,
                      const std::string& json);

// The report. `json`: of to_json(NetworkReport).
std::string report_page(const std::string& title, const std::string& json);

}  // namespace vta::sim

#endif  // VTA_SIM_REPORT_PAGE_H_
