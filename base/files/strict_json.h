// SPDX-License-Identifier: Apache-2.0
//
// JSON from a user's file: one value without comments, duplicate keys or deep nesting.
#ifndef VTA_BASE_FILES_STRICT_JSON_H_
#define VTA_BASE_FILES_STRICT_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace vta {

// Keys keep their order. Errors: kCorrupt, with the line and column or the key.
nlohmann::ordered_json parse_strict_json(std::string_view text, int max_depth = 16);

}  // namespace vta

#endif  // VTA_BASE_FILES_STRICT_JSON_H_
