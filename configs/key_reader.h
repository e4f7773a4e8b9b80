// SPDX-License-Identifier: Apache-2.0
//
// KeyReader: reads a configuration key by key. Missing keys, and keys that are not read, are
// errors.
#ifndef VTA_CONFIGS_KEY_READER_H_
#define VTA_CONFIGS_KEY_READER_H_

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vta {

using Json = nlohmann::ordered_json;

// Parses a JSON object. `what` it should be ("a core configuration"), for messages.
// Errors: kCorrupt.
Json parse_json_object(const std::string& text, const char* what);

// A value for a message, truncated if it is long.
std::string shown(const Json& value);

// Errors of all take functions: kInvalidArgument, naming the key, its value and the limit.
class KeyReader {
 public:
  explicit KeyReader(Json object);
  KeyReader(KeyReader&&) noexcept;
  ~KeyReader();

  bool has(const char* key) const;
  bool has_prefix(const std::string& prefix) const;

  Json take(const char* key);
  uint32_t take_number(const char* key, uint32_t min, uint32_t max);
  uint32_t take_address(const char* key);  // a string: "0x43c00000"
  bool take_bool(const char* key);
  std::string take_name(const char* key);
  void refuse_rest() const;  // rejects the keys that have not been taken

 private:
  std::unique_ptr<Json> object_;  // by pointer, so that headers need not include nlohmann_json
};

}  // namespace vta

#endif  // VTA_CONFIGS_KEY_READER_H_
