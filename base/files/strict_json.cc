// SPDX-License-Identifier: Apache-2.0
#include "base/files/strict_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/errors/error.h"

namespace vta {
namespace {

using Json = nlohmann::ordered_json;

// The memory that a value takes, in proportion to its text: files that are mostly values pass, but
// not millions of empty lists.
constexpr size_t kFreeBytes = size_t{8} << 20, kMaxBytesPerTextByte = 14;

// Keys of an object: the library looks for each key among those before it, which takes minutes for
// 200,000.
constexpr size_t kMaxKeys = 1 << 14;

// In a list: at the end of each, the library looks through those before it.
constexpr size_t kMaxStructures = 1 << 15;
// A growing list takes twice its memory; files of measurements have many lists.
constexpr size_t kFreeElements = 1 << 17, kMinBytesPerElement = 8;

// What nlohmann's library and the allocator take for an event, in the mean of growing lists.
size_t bytes_of(Json::parse_event_t event, const Json& value) {
  constexpr size_t kList = 96, kKey = 72, kNumber = 24, kText = 48;
  switch (event) {
    case Json::parse_event_t::object_start:
    case Json::parse_event_t::array_start:
      return kList;
    case Json::parse_event_t::key:
      return kKey + value.get_ref<const std::string&>().size();
    case Json::parse_event_t::value:
      return kNumber + (value.is_string() ? kText + value.get_ref<const std::string&>().size() : 0);
    default:
      return 0;
  }
}

// Checks each event of the parser before the value is built.
class Strictness {
 public:
  Strictness(int max_depth, size_t text_bytes)
      : max_depth_(max_depth),
        max_bytes_(kFreeBytes + kMaxBytesPerTextByte * text_bytes),
        max_elements_(kFreeElements + text_bytes / kMinBytesPerElement) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& value) {
    if (depth > max_depth_) {
      fail(ErrorCode::kCorrupt, "nested more than {} levels deep", max_depth_);
    }
    bytes_ += bytes_of(event, value);
    if (bytes_ > max_bytes_) {
      fail(ErrorCode::kCorrupt, "its values and keys take more than {} MB, {} times their text",
           max_bytes_ >> 20, kMaxBytesPerTextByte);
    }
    count_elements(event);
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) {
        fail(ErrorCode::kCorrupt, "duplicate key '{}'", key.substr(0, 64));
      }
      if (keys_.back().size() > kMaxKeys)
        fail(ErrorCode::kCorrupt, "an object with more than {} keys", kMaxKeys);
    }
    return true;
  }

 private:
  // Counts an element of the innermost open list or object.
  void count_elements(Json::parse_event_t event) {
    using Event = Json::parse_event_t;
    const bool is_start = event == Event::object_start || event == Event::array_start;
    if ((is_start || event == Event::value) && !elements_.empty()) {
      auto& [all, structures] = elements_.back();
      if (++all > max_elements_)
        fail(ErrorCode::kCorrupt, "a list of more than {} elements", max_elements_);
      if (is_start && ++structures > kMaxStructures)
        fail(ErrorCode::kCorrupt, "a list of more than {} lists and objects", kMaxStructures);
    }
    if (is_start) elements_.emplace_back();
    if (event == Event::object_end || event == Event::array_end) elements_.pop_back();
  }

  int max_depth_;
  size_t max_bytes_, bytes_ = 0;
  size_t max_elements_;
  struct Elements {
    size_t all = 0, structures = 0;
  };
  std::vector<Elements> elements_;           // of each list and object that is open
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

// The text between `begin` and `end` where `message` is "<begin>...<end>...".
std::optional<std::string> between(const std::string& message, std::string_view begin,
                                   std::string_view end) {
  if (!message.starts_with(begin)) return std::nullopt;
  const size_t at = message.find(end, begin.size());
  if (at == std::string::npos) return std::nullopt;
  return message.substr(begin.size(), at - begin.size());
}

// nlohmann's messages start with "[json.exception.parse_error.101] ", and those of accessors name
// C++ functions.
std::string reason(const nlohmann::json::exception& error) {
  constexpr size_t kMaxChars = 200;  // a message quotes the last token, however long
  std::string message = error.what();
  if (const size_t end = message.find("] "); end != std::string::npos) message.erase(0, end + 2);
  constexpr std::string_view kActual = ", but is ", kWith = " with ";
  if (const auto expected = between(message, "type must be ", kActual)) {
    message = fmt::format("expected {}, got {}", *expected,
                          message.substr(message.find(kActual) + kActual.size()));
  } else if (between(message, "cannot use ", kWith)) {
    message =
        "expected an object or a list, got " + message.substr(message.rfind(kWith) + kWith.size());
  } else if (message.starts_with("incompatible ReferenceType")) {
    message = "expected another type, got" + message.substr(message.rfind(' '));
  } else if (const auto key = between(message, "key '", "' not found")) {
    message = fmt::format("key '{}' is missing", *key);
  } else if (const auto index = between(message, "array index ", " is out of range")) {
    message = fmt::format("a list has no element {}", *index);
  }
  return message.substr(0, kMaxChars);
}

}  // namespace

Json parse_strict_json(std::string_view text, int max_depth) {
  try {
    return Json::parse(text.begin(), text.end(), Strictness(max_depth, text.size()));
  } catch (const nlohmann::json::exception& error) {
    fail(ErrorCode::kCorrupt, "not valid JSON: {}", reason(error));
  }
}

void with_json_errors(const std::string& what, const std::function<void()>& read) {
  with_context(what, [&] {
    try {
      read();
    } catch (const nlohmann::json::exception& error) {
      fail(ErrorCode::kCorrupt, "{}", reason(error));
    }
  });
}

}  // namespace vta
