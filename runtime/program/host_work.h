// SPDX-License-Identifier: Apache-2.0
//
// What a program leaves to the host, for reports.
#ifndef VTA_RUNTIME_PROGRAM_HOST_WORK_H_
#define VTA_RUNTIME_PROGRAM_HOST_WORK_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runtime/program/program.h"

namespace vta {

// The layers of an operator that run on the host for one reason.
struct HostWork {
  OpKind op = OpKind::kInput;
  HostReason reason = HostReason::kConversion;
  std::vector<std::string> layers;  // in program order
};

// In the order of the first layers, without conversions.
std::vector<HostWork> host_work(const Program& program);

// "On the host: conversions only", or a line for each HostWork. Of many layers the first ones are
// named, unless no multiply-accumulate is on the core.
std::string host_work_text(const Program& program);

// The share of the multiply-accumulates on the core, and host_work_text().
std::string placement_text(const Program& program);

// A JSON array of objects: op, reason, text, layers. Names may have bytes that are not UTF-8:
// callers dump it with error_handler_t::replace.
nlohmann::ordered_json to_json(const std::vector<HostWork>& work);

}  // namespace vta

#endif  // VTA_RUNTIME_PROGRAM_HOST_WORK_H_
