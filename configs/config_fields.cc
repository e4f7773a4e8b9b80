// SPDX-License-Identifier: Apache-2.0
#include "configs/config_fields.h"

#include <nlohmann/json.hpp>

#include "base/files/strict_json.h"
#include "base/numbers/parse_number.h"
#include "configs/config_files.h"

namespace vta {

Json parse_json_object(const std::string& text, const char* what) {
  if (text.size() > kMaxConfigFileBytes) {
    fail(ErrorCode::kCorrupt, "{} bytes, more than the limit of {} for {}", text.size(),
         kMaxConfigFileBytes, what);
  }
  Json object = parse_strict_json(text);
  if (!object.is_object())
    fail(ErrorCode::kCorrupt, "expected an object {{...}}, got {}", shown(object));
  return object;
}

std::string read_config_name(ObjectReader& fields, const char* key) {
  const Json& value = fields.value(key);
  if (!value.is_string() || !is_config_name(value.get<std::string>())) {
    fields.refuse(
        key, fmt::format("1 to {} letters, digits, '_', '-', '.' or '+'", kMaxConfigNameChars));
  }
  return value.get<std::string>();
}

uint32_t read_uint32(ObjectReader& fields, const char* key, uint32_t min, uint32_t max) {
  return static_cast<uint32_t>(fields.integer(key, min, max));
}

uint32_t read_address(ObjectReader& fields, const char* key) {
  const Json& value = fields.value(key);
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  const auto address = text.starts_with("0x")
                           ? parse_number<uint32_t>(std::string_view(text).substr(2), 16)
                           : std::nullopt;
  if (!address) fields.refuse(key, "an address of at most 32 bits, \"0x...\"");
  return *address;
}

}  // namespace vta
