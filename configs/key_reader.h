// SPDX-License-Identifier: Apache-2.0
//
// Reading of configurations key by key: every key is asked for, and what nobody asked for is
// refused.
#ifndef VTA_CONFIGS_KEY_READER_H_
#define VTA_CONFIGS_KEY_READER_H_

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vta {

using Json = nlohmann::ordered_json;

// The object that `text` is; `what` it should be ("a core configuration").
// Errors: kCorrupt.
Json parse_json_object(const std::string& text, const char* what);

// A value for a message, cut off if it is long.
std::string shown(const Json& value);

// Errors of all that takes: kInvalidArgument, naming the key, its value and the limit.
class KeyReader {
 public:
  explicit KeyReader(Json object);
  KeyReader(KeyReader&&) noexcept;
  ~KeyReader();

  bool has(const char* key) const;
  bool has_prefix(const std::string& prefix) const;

  Json take(const char* key);
  uint32_t take_number(const char* key, uint32_t min, uint32_t max);
  uint32_t take_address(const char* key);  // a text: "0x43c00000"
  bool take_bool(const char* key);
  std::string take_name(const char* key);
  void refuse_rest() const;

 private:
  std::unique_ptr<Json> object_;  // on the heap: headers do without nlohmann_json
};

}  // namespace vta

#endif  // VTA_CONFIGS_KEY_READER_H_
