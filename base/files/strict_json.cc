// SPDX-License-Identifier: Apache-2.0
#include "base/files/strict_json.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace vta {
namespace {

using Json = nlohmann::ordered_json;

// Checks each event of the parser before the value is built.
class Strictness {
 public:
  explicit Strictness(int max_depth) : max_depth_(max_depth) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    if (depth > max_depth_) {
      fail(ErrorCode::kCorrupt, "nested more than {} levels deep", max_depth_);
    }
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) {
        fail(ErrorCode::kCorrupt, "duplicate key '{}'", key.substr(0, 64));
      }
    }
    return true;
  }

 private:
  int max_depth_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

// nlohmann's messages start with "[json.exception.parse_error.101] ".
std::string reason(const nlohmann::json::exception& error) {
  constexpr size_t kMaxChars = 200;  // a message quotes the last token, however long
  const std::string message = error.what();
  const size_t end = message.find("] ");
  return message.substr(end == std::string::npos ? 0 : end + 2, kMaxChars);
}

}  // namespace

Json parse_strict_json(std::string_view text, int max_depth) {
  try {
    return Json::parse(text.begin(), text.end(), Strictness(max_depth));
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorCode::kCorrupt, "not valid JSON: {}", reason(error));
  }
}

}  // namespace vta
