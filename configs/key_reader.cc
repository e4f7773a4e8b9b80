// SPDX-License-Identifier: Apache-2.0
#include "configs/key_reader.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/errors/error.h"
#include "base/files/strict_json.h"
#include "configs/config_files.h"

namespace vta {
namespace {

constexpr size_t kMaxShownChars = 40;

}  // namespace

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', /*ensure_ascii=*/true);
  if (text.size() > kMaxShownChars) text = text.substr(0, kMaxShownChars) + "...";
  return text;
}

Json parse_json_object(const std::string& text, const char* what) {
  if (text.size() > kMaxConfigFileBytes) {
    fail(ErrorCode::kCorrupt, "{} bytes, more than the limit of {} for {}", text.size(),
         kMaxConfigFileBytes, what);
  }
  Json object = parse_strict_json(text);
  if (!object.is_object()) {
    fail(ErrorCode::kCorrupt, "expected an object {{...}}, got {}", shown(object));
  }
  return object;
}

KeyReader::KeyReader(Json object) : object_(std::make_unique<Json>(std::move(object))) {}
KeyReader::KeyReader(KeyReader&&) noexcept = default;
KeyReader::~KeyReader() = default;

bool KeyReader::has(const char* key) const { return object_->contains(key); }

bool KeyReader::has_prefix(const std::string& prefix) const {
  return std::any_of(object_->items().begin(), object_->items().end(),
                     [&](const auto& item) { return item.key().starts_with(prefix); });
}

Json KeyReader::take(const char* key) {
  const auto found = object_->find(key);
  if (found == object_->end()) {
    fail(ErrorCode::kInvalidArgument, "key \"{}\" is missing", key);
  }
  Json value = *found;
  object_->erase(found);
  return value;
}

uint32_t KeyReader::take_number(const char* key, uint32_t min, uint32_t max) {
  const Json value = take(key);
  const bool fits =
      value.is_number_unsigned() && value.get<uint64_t>() >= min && value.get<uint64_t>() <= max;
  if (!fits) {
    fail(ErrorCode::kInvalidArgument, "{} is {}, must be an integer from {} to {}", key,
         shown(value), min, max);
  }
  return value.get<uint32_t>();
}

uint32_t KeyReader::take_address(const char* key) {
  const Json value = take(key);
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  uint32_t address = 0;
  const bool has_prefix = text.starts_with("0x");
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + (has_prefix ? 2 : 0), end, address, 16);
  if (!has_prefix || error != std::errc() || stop != end) {
    fail(ErrorCode::kInvalidArgument, "{} is {}, must be an address of at most 32 bits, \"0x...\"",
         key, shown(value));
  }
  return address;
}

bool KeyReader::take_bool(const char* key) {
  const Json value = take(key);
  if (!value.is_boolean()) {
    fail(ErrorCode::kInvalidArgument, "{} is {}, must be true or false", key, shown(value));
  }
  return value.get<bool>();
}

std::string KeyReader::take_name(const char* key) {
  const Json value = take(key);
  if (!value.is_string() || !is_config_name(value.get<std::string>())) {
    fail(ErrorCode::kInvalidArgument,
         "{} is {}, must be 1 to {} letters, digits, '_', '-', '.' or '+'", key, shown(value),
         kMaxConfigNameChars);
  }
  return value.get<std::string>();
}

void KeyReader::refuse_rest() const {
  if (object_->empty()) return;
  fail(ErrorCode::kInvalidArgument, "key {} is unknown",
       shown(Json(object_->items().begin().key())));
}

}  // namespace vta
