// SPDX-License-Identifier: Apache-2.0
//
// JSON from a user's file: one value without comments, duplicate keys or deep nesting.
#ifndef VTA_BASE_FILES_STRICT_JSON_H_
#define VTA_BASE_FILES_STRICT_JSON_H_

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace vta {

// Keys keep their order. Values may take 8 MiB and 14 times the text: an empty list of 3 bytes
// takes 80. Objects may have 16,384 keys, lists 32,768 lists and objects,
// and 131,072 elements and one for each 8 bytes of text.
// Errors: kCorrupt, with the line and column or the key.
nlohmann::ordered_json parse_strict_json(std::string_view text, int max_depth = 16);

// Runs `read`, which parses JSON or converts its values with nlohmann's accessors, at(), get() and
// the like. Errors: "WHAT: " and the error of `read`; kCorrupt where an accessor or the parser
// throws: "WHAT: key 'nets' is missing". No other code catches nlohmann's exceptions, whose texts
// name C++ functions (scripts/check_sources.py).
void with_json_errors(const std::string& what, const std::function<void()>& read);

}  // namespace vta

#endif  // VTA_BASE_FILES_STRICT_JSON_H_
