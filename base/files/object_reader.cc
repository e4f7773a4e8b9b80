// SPDX-License-Identifier: Apache-2.0
#include "base/files/object_reader.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/errors/counted.h"

namespace vta {
namespace {

constexpr int64_t kMaxMagnitude = int64_t{1} << 31;
constexpr double kMaxNumber = 1e9;
constexpr size_t kMaxTextBytes = 4096;
constexpr size_t kMaxListSize = 4096;

bool is_integer(const Json& value, int64_t low, int64_t high) {
  const bool fits = value.is_number_unsigned() ? std::in_range<int64_t>(value.get<uint64_t>())
                                               : value.is_number_integer();
  return fits && value.get<int64_t>() >= low && value.get<int64_t>() <= high;
}

bool is_small_integer(const Json& value) {
  return is_integer(value, -kMaxMagnitude, kMaxMagnitude);
}

bool is_moderate_number(const Json& value) {
  return value.is_number() && std::abs(value.get<double>()) <= kMaxNumber;
}

bool is_control(unsigned char c) { return c < ' ' || c == 127; }

// For names of files and layers: no control characters.
bool is_plain_text(const Json& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  return text.size() <= kMaxTextBytes && std::none_of(text.begin(), text.end(), is_control);
}

bool all_small_integers(const Json& list) {
  return list.is_array() && list.size() <= kMaxListSize &&
         std::all_of(list.begin(), list.end(), is_small_integer);
}

}  // namespace

std::string shown(const Json& value) {
  constexpr size_t kMaxChars = 48;
  // A long list is not converted to text: it may have millions of entries.
  if (value.is_structured() && value.size() > kMaxChars) {
    return fmt::format("{} of {}", value.is_array() ? "a list" : "an object",
                       counted(value.size(), "entry"));
  }
  std::string text = value.dump(-1, ' ', /*ensure_ascii=*/true);
  if (text.size() > kMaxChars) text = text.substr(0, kMaxChars) + "...";
  return text;
}

std::string plain_text(const std::string& text) {
  // U+FFFD has three bytes.
  std::string plain = text.substr(0, kMaxTextBytes / 3);
  std::replace_if(plain.begin(), plain.end(), is_control, '?');
  return Json::parse(Json(plain).dump(-1, ' ', false, Json::error_handler_t::replace));
}

ObjectReader::ObjectReader(const Json& object, std::string name, ErrorCode code)
    : object_(object), name_(name.empty() ? "" : std::move(name) + ": "), code_(code) {
  if (!object.is_object())
    fail(code_, "{}expected an object {{...}}, got {}", name_, shown(object));
}

void ObjectReader::refuse(const char* key, const std::string& expectation) {
  fail(code_, "{}field '{}': expected {}, got {}", name_, key, expectation, shown(value(key)));
}

bool ObjectReader::has(const char* key) {
  known_.insert(key);
  return object_.contains(key);
}

const Json& ObjectReader::value(const char* key) {
  if (!has(key)) fail(code_, "{}field '{}' is missing", name_, key);
  return object_.at(key);
}

std::string ObjectReader::text(const char* key) {
  const Json& field = value(key);
  if (!is_plain_text(field)) {
    refuse(key, "a string of at most 4096 bytes without control characters");
  }
  return field.get<std::string>();
}

std::string ObjectReader::any_text(const char* key) {
  if (!value(key).is_string()) refuse(key, "a string");
  return value(key).get<std::string>();
}

bool ObjectReader::boolean(const char* key) {
  const Json& field = value(key);
  if (!field.is_boolean()) refuse(key, "true or false");
  return field.get<bool>();
}

double ObjectReader::number(const char* key) {
  const Json& field = value(key);
  if (!is_moderate_number(field)) refuse(key, "a number within +-1e9");
  return field.get<double>();
}

double ObjectReader::any_number(const char* key) {
  if (!value(key).is_number()) refuse(key, "a number");
  return value(key).get<double>();
}

int64_t ObjectReader::integer(const char* key, int64_t low, int64_t high) {
  const Json& field = value(key);
  if (!is_integer(field, low, high)) {
    refuse(key, fmt::format("an integer from {} to {}", low, high));
  }
  return field.get<int64_t>();
}

uint64_t ObjectReader::seed(const char* key) {
  const Json& field = value(key);
  if (!field.is_number_unsigned()) refuse(key, "an integer from 0 to 2^64 - 1");
  return field.get<uint64_t>();
}

const Json& ObjectReader::list(const char* key) {
  if (!value(key).is_array()) refuse(key, "a list");
  return value(key);
}

std::vector<double> ObjectReader::numbers(const char* key) {
  const Json& field = value(key);
  if (!field.is_array() || field.size() > kMaxListSize ||
      !std::all_of(field.begin(), field.end(), is_moderate_number)) {
    refuse(key, "a list of numbers within +-1e9");
  }
  return field.get<std::vector<double>>();
}

std::vector<int64_t> ObjectReader::integers(const char* key) {
  const Json& field = value(key);
  if (!all_small_integers(field)) refuse(key, "a list of integers");
  return field.get<std::vector<int64_t>>();
}

std::vector<int64_t> ObjectReader::unsigned_integers(const char* key, int64_t high) {
  const Json& field = list(key);
  if (!std::ranges::all_of(field, [&](const Json& item) { return is_integer(item, 0, high); }))
    refuse(key, fmt::format("a list of integers from 0 to {}", high));
  return field.get<std::vector<int64_t>>();
}

std::vector<int64_t> ObjectReader::integers(const char* key, std::vector<size_t> counts) {
  const Json& field = value(key);
  if (is_small_integer(field)) return std::vector<int64_t>(counts.front(), field.get<int64_t>());
  if (!all_small_integers(field) ||
      std::find(counts.begin(), counts.end(), field.size()) == counts.end()) {
    refuse(key, fmt::format("an integer or a list of {} integers", fmt::join(counts, " or ")));
  }
  return field.get<std::vector<int64_t>>();
}

std::vector<std::string> ObjectReader::texts(const char* key) {
  const Json& field = value(key);
  if (!field.is_array() || field.size() > kMaxListSize ||
      !std::all_of(field.begin(), field.end(), is_plain_text)) {
    refuse(key, "a list of strings");
  }
  return field.get<std::vector<std::string>>();
}

void ObjectReader::refuse_unknown_keys() const {
  for (const auto& [key, value] : object_.items()) {
    if (known_.count(key) != 0) continue;
    // The key comes from the file: shown as a JSON string.
    fail(code_, "{}unknown field {}; expected one of {}", name_, shown(Json(key)),
         fmt::join(known_, ", "));
  }
}

}  // namespace vta
