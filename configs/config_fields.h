// SPDX-License-Identifier: Apache-2.0
//
// Fields that several configurations have.
#ifndef VTA_CONFIGS_CONFIG_FIELDS_H_
#define VTA_CONFIGS_CONFIG_FIELDS_H_

#include <cstdint>
#include <string>

#include "base/files/object_reader.h"

namespace vta {

// Parses a JSON object. `what` it should be ("a core configuration"), for messages.
// Errors: kCorrupt.
Json parse_json_object(const std::string& text, const char* what);

// Errors: kInvalidArgument, naming the field, its value and the limit.
std::string read_config_name(ObjectReader& fields, const char* key);
uint32_t read_uint32(ObjectReader& fields, const char* key, uint32_t min, uint32_t max);
uint32_t read_address(ObjectReader& fields, const char* key);  // a string: "0x43c00000"

}  // namespace vta

#endif  // VTA_CONFIGS_CONFIG_FIELDS_H_
