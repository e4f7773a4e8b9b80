// SPDX-License-Identifier: Apache-2.0
//
// The report as one HTML page: the template of page/ with its plots' code, D3 and the data in it.
#ifndef VTA_SIM_REPORT_PAGE_H_
#define VTA_SIM_REPORT_PAGE_H_

#include <string>

namespace vta::sim {

// `json`: of to_json(NetworkReport). The page needs no other file and no network.
std::string report_page(const std::string& title, const std::string& json);

}  // namespace vta::sim

#endif  // VTA_SIM_REPORT_PAGE_H_
